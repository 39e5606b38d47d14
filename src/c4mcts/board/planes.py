"""Converts boards to planes, the arrays that an evaluator gets in a search."""

from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from .. import _backend
from .._validation import members, refused, word
from .board import Board, bitboard, measure
from .positions import a_board

MAX_BOARDS = 1 << 20  # in an iterable argument, which may be endless

Planes = Literal["binary", "signed"]

paint = _backend.load("pure").planes.paint


def planes_of(boards: Iterable[Board], planes: Planes = "binary") -> npt.NDArray[np.float32]:
    """B boards with the same rules as float32 arrays, from the point of view of the player to move; row 0 = top.

    "binary": (B, 2, height, width), 1 at the discs of the player to move, then 1 at those of the opponent.
    "signed": (B, height, width, 1), 1 at the discs of the player to move, -1 at those of the opponent.

    Raises TypeError for anything but boards; ValueError for no boards, for different rules, and for other `planes`.
    """
    boards = [a_board(board, "boards") for board in members("boards", boards, "Boards", MAX_BOARDS)]
    if len({board.rules for board in boards}) != 1 or len(boards) > MAX_BOARDS:
        raise ValueError(refused("boards", f"at least one, at most {MAX_BOARDS}, and of the same rules", boards))
    signed = word("planes", planes, get_args(Planes)) == "signed"
    rules = boards[0].rules
    numbers = [0.0] * (len(boards) * rules.cells * (1 if signed else 2))
    position, geometry = bitboard.Position(), measure(rules)
    for index, board in enumerate(boards):
        bitboard.load(position, geometry, board.own, board.mask)
        paint(numbers, index, position, geometry, signed)
    shape = (rules.height, rules.width, 1) if signed else (2, rules.height, rules.width)
    return np.array(numbers, dtype=np.float32).reshape(len(boards), *shape)
