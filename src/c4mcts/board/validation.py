"""Checks of boards given as arguments; each error names the argument and the value."""

from .._validation import an_instance, shown
from ..errors import GameOverError
from .board import Board


def a_board(board: object, name: str = "board") -> Board:
    """Check that the value is a Board. TypeError."""
    given = an_instance(name, board, Board, "a Board")
    if not hasattr(given, "_won"):
        raise TypeError(f"{name} must be a Board, not an object without a position")
    return given


def unfinished(board: object, name: str = "board") -> Board:
    """A copy of an unfinished board, so that the caller may change the original meanwhile. TypeError, ValueError."""
    try:
        copy = a_board(board, name).copy()
    except ValueError as error:
        raise ValueError(f"{name} is damaged, or was changed by another thread while it was read: {error}") from None
    if copy.is_over():
        raise GameOverError(f"{name}: the game is over: {shown(copy)}")
    return copy
