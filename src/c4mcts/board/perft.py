"""perft: counts move sequences, the usual test of a move generator."""

import operator

from .._backend import BackendName, load
from .._validation import refused, whole_number
from .board import Board
from .validation import a_board


def perft(board: Board, depth: int, *, backend: BackendName = "auto") -> int:
    """Number of move sequences of exactly `depth` plies from a position; no game is played on after its end.

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
