"""Boards as arrays for a network, always seen by the player to move."""

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from .board import Board
from .rules import Rules

Layout = Literal["binary", "signed"]


def planes_of(boards: Iterable[Board], layout: Layout = "binary") -> npt.NDArray[np.float32]:
    """Boards of the same rules, B of them, as float32; row 0 = top, column 0 = left.

    "binary": (B, 2, height, width), 1 at the discs of the player to move, and 1 at those of the other one.
    "signed": (B, height, width, 1), 1 at the discs of the player to move, -1 at those of the other one.

    Raises TypeError for anything but boards, ValueError for none, for two rules, and for an unknown layout.
    """
    boards = list(boards)
    for board in boards:
        if not isinstance(board, Board):
            raise TypeError(f"boards must be Boards, not {board!r}")
    if len({board.rules for board in boards}) != 1:
        raise ValueError(f"boards must be at least one, and of the same rules, not {boards!r}")
    return stacked([(board.own, board.mask) for board in boards], boards[0].rules, layout)


def stacked(positions: Sequence[tuple[int, int]], rules: Rules, layout: Layout) -> npt.NDArray[np.float32]:
    """The same for pairs (discs of the player to move, all discs), in the layout of the bitboard."""
    own = _grids([own for own, _ in positions], rules)
    other = _grids([own ^ mask for own, mask in positions], rules)
    match layout:
        case "binary":
            return np.stack([own, other], axis=1).astype(np.float32)
        case "signed":
            return own[..., np.newaxis].astype(np.float32) - other[..., np.newaxis]
    raise ValueError(f"layout must be one of {', '.join(map(repr, get_args(Layout)))}, not {layout!r}")


def _grids(sets: Sequence[int], rules: Rules) -> npt.NDArray[np.uint8]:
    """Sets of cells as zeros and ones: (sets, height, width), row 0 = top."""
    stride = rules.height + 1
    size = (rules.width * stride + 7) // 8
    data = np.frombuffer(b"".join(cells.to_bytes(size, "little") for cells in sets), np.uint8)
    bits = np.unpackbits(data.reshape(len(sets), size), axis=1, count=rules.width * stride, bitorder="little")
    return bits.reshape(len(sets), rules.width, stride)[:, :, rules.height - 1 :: -1].transpose(0, 2, 1)
