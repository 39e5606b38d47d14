"""Boards and parameters that a caller gives, checked; each error names the argument and the value."""

from ..errors import GameOverError
from ..search.params import SearchParams
from .board import Board


def a_board(board: object, name: str = "board") -> Board:
    """The board. TypeError."""
    if not isinstance(board, Board):
        raise TypeError(f"{name} must be a Board, not {board!r}")
    return board


def unfinished(board: object, name: str = "board") -> Board:
    """A copy of an unfinished board: whatever happens to the caller's meanwhile. TypeError, GameOverError."""
    copy = a_board(board, name).copy()
    if copy.own & ~copy.mask:
        raise RuntimeError(f"{name} was changed by another thread while it was read")
    if copy.is_over():
        raise GameOverError(f"{name}: the game is over: {copy!r}")
    return copy


def search_params(params: object, name: str = "params") -> SearchParams:
    """The parameters. TypeError."""
    if not isinstance(params, SearchParams):
        raise TypeError(f"{name} must be a SearchParams, not {params!r}")
    return params
