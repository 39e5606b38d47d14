"""Functions on positions: planes for evaluators, perft, and a start position."""

import operator
from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from .._backend import BackendName, load
from .._hints import with_hints
from .._validation import must_be, whole_number, word
from .arguments import AnyBoard, a_board, boards_with_same_rules
from .board import Board

PREFILLED = "xo1xo1x/ox1xo1o/ox1oo1x/xo1ox1o/ox1xo1x/ox1xo1x x 7x6x4"

Planes = Literal["binary", "signed"]


def planes_of(boards: Iterable[AnyBoard], planes: Planes = "binary") -> npt.NDArray[np.float32]:
    """B boards with the same rules as float32 arrays, from the point of view of the player to move; row 0 = top.

    "binary": (B, 2, height, width), 1 at the discs of the player to move, then 1 at the opponent's.
    "signed": (B, height, width, 1), 1 at the discs of the player to move, -1 at the opponent's.

    Raises TypeError for anything but boards; ValueError for no boards, for different rules, and for other `planes`.
    """
    boards = boards_with_same_rules(boards)
    signed = word("planes", planes, get_args(Planes)) == "signed"
    cells = np.stack([board.to_array() for board in boards])
    own = np.array([[[1 + board.turn]] for board in boards])
    discs = (cells == own).astype(np.float32), (cells == 3 - own).astype(np.float32)
    return (discs[0] - discs[1])[..., np.newaxis] if signed else np.stack(discs, axis=1)


def prefilled_board() -> Board:
    """A new 7x6 board on which five columns are full and columns 2 and 5 empty; the first player is to move.

    The game is small but not easy: column 5 wins, with the 41st disc of 42; column 2 loses in ten plies, although it
    looks better in random games.
    """
    return Board.from_fen(PREFILLED)


@with_hints
def perft(board: AnyBoard, depth: int, *, backend: BackendName = "auto") -> int:
    """Number of move sequences of exactly `depth` plies from a position; no game continues after its end.

    depth 0 gives 1.
    """
    board, depth = a_board(board), whole_number("depth", depth)
    if depth < 0:
        raise ValueError(must_be("depth", "at least 0", depth))
    if depth == 0:
        return 1
    if board.is_over() or depth > board.rules.cells - board.ply:
        return 0
    return operator.index(load(backend).bitboard.perft(board.rules, board.own, board.mask, depth))
