"""Functions on positions: checks of boards given as arguments, perft, and a start position."""

import operator

from .._backend import BackendName, load
from .._validation import an_instance, refused, shown, whole_number
from ..errors import GameOverError
from .board import Board

PREFILLED = "xo1xo1x/ox1xo1o/ox1oo1x/xo1ox1o/ox1xo1x/ox1xo1x x 7x6x4"


def a_board(board: object, name: str = "board") -> Board:
    """Check that the value is a Board. TypeError."""
    given = an_instance(name, board, Board, "a Board")
    if not hasattr(given, "_won"):
        raise TypeError(f"{name} must be a Board, not an object without a position")
    return given


def unfinished(board: object, name: str = "board") -> Board:
    """A copy of an unfinished board, so that the caller may change the original. TypeError, ValueError."""
    try:
        copy = a_board(board, name).copy()
    except ValueError as error:
        raise ValueError(f"{name} is damaged, or was changed by another thread while it was read: {error}") from None
    if copy.is_over():
        raise GameOverError(f"{name}: the game is over: {shown(copy)}")
    return copy


def prefilled_board() -> Board:
    """A new 7x6 board on which five columns are full and columns 2 and 5 empty; the first player is to move.

    The game is small but not easy: column 5 wins, with the 41st disc of 42; column 2 loses in ten plies, although it
    looks better in random games.
    """
    return Board.from_fen(PREFILLED)


def perft(board: Board, depth: int, *, backend: BackendName = "auto") -> int:
    """Number of move sequences of exactly `depth` plies from a position; no game continues after its end.

    depth 0 gives 1. Raises TypeError or ValueError naming the argument.
    """
    board, depth = a_board(board), whole_number("depth", depth)
    if depth < 0:
        raise ValueError(refused("depth", "at least 0", depth))
    if depth == 0:
        return 1
    if board.is_over() or depth > board.rules.cells - board.ply:
        return 0
    return operator.index(load(backend).bitboard.perft(board.rules, board.own, board.mask, depth))
