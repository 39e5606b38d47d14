"""Boards as the planes that an evaluator gets in a search."""

from collections.abc import Iterable
from typing import get_args

import numpy as np
import numpy.typing as npt

from .. import _backend
from ..search.params import Planes
from .board import Board, bitboard, measure

paint = _backend.load("pure").planes.paint


def planes_of(boards: Iterable[Board], planes: Planes = "binary") -> npt.NDArray[np.float32]:
    """Boards of the same rules, B of them, each seen by its player to move, as float32; row 0 = top, column 0 = left.

    "binary": (B, 2, height, width), 1 at the discs of the player to move, then 1 at those of the other one.
    "signed": (B, height, width, 1), 1 at the discs of the player to move, -1 at those of the other one.

    Raises TypeError for anything but boards, ValueError for none, for two rules, and for other planes.
    """
    boards = list(boards)
    for board in boards:
        if not isinstance(board, Board):
            raise TypeError(f"boards must be Boards, not {board!r}")
    if len({board.rules for board in boards}) != 1:
        raise ValueError(f"boards must be at least one, and of the same rules, not {boards!r}")
    if planes not in get_args(Planes):
        raise ValueError(f"planes must be one of {', '.join(map(repr, get_args(Planes)))}, not {planes!r}")
    rules, signed = boards[0].rules, planes == "signed"
    numbers = [0.0] * (len(boards) * rules.cells * (1 if signed else 2))
    position, geometry = bitboard.Position(), measure(rules)
    for index, board in enumerate(boards):
        bitboard.load(position, geometry, board.own, board.mask)
        paint(numbers, index, position, geometry, signed)
    shape = (rules.height, rules.width, 1) if signed else (2, rules.height, rules.width)
    return np.array(numbers, dtype=np.float32).reshape(len(boards), *shape)
