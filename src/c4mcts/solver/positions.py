"""Many positions at once, as arrays of bitboards: uint64 of shape (n,), laid out as Board.own and Board.mask."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..rules import Rules, run_directions, run_steps

Words = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions of one rule set on boards of at most 64 bits, finished ones among them."""

    rules: Rules
    own: Words  # discs of the player to move
    mask: Words  # all discs

    def __len__(self) -> int:
        return len(self.own)

    @classmethod
    def joined(cls, parts: Sequence["Positions"]) -> "Positions":
        """The positions of several objects, of which there is at least one."""
        own, mask = (np.concatenate([getattr(part, name) for part in parts]) for name in ("own", "mask"))
        return cls(parts[0].rules, own, mask)

    def __getitem__(self, chosen: Flags | npt.NDArray[np.intp] | slice) -> "Positions":
        return Positions(self.rules, self.own[chosen], self.mask[chosen])

    @property
    def plies(self) -> npt.NDArray[np.uint8]:
        """Numbers of discs."""
        return np.bitwise_count(self.mask)

    def are_sound(self) -> Flags:
        """Where columns are filled from the bottom, and the players have the right numbers of discs."""
        stride = self.rules.height + 1
        bottom = sum(1 << column * stride for column in range(self.rules.width))
        board, row = np.uint64(bottom * ((1 << self.rules.height) - 1)), np.uint64(bottom)
        filled = (self.mask & ~board == 0) & ((self.mask & board) + row & self.mask == 0) & (self.own & ~self.mask == 0)
        fair: Flags = np.bitwise_count(self.own) == self.plies // 2
        sound: Flags = filled & fair
        return sound

    def are_won(self) -> Flags:
        """Where a player has completed a line."""
        return has_line(self.own, self.rules) | has_line(self.own ^ self.mask, self.rules)

    def are_over(self) -> Flags:
        full: Flags = self.plies == self.rules.cells
        over: Flags = self.are_won() | full
        return over

    def can_win(self) -> Flags:
        """Where the next disc completes a line."""
        can = np.zeros(len(self), bool)
        for column in range(self.rules.width):
            after = self.after(column)
            can[after.parents] |= has_line(after.positions.own ^ after.positions.mask, self.rules)
        return can

    def after(self, column: int) -> "After":
        """The positions after a disc in this column, where it is open. For unfinished positions."""
        stride = self.rules.height + 1
        bottom = np.uint64(1 << column * stride)
        cell = (self.mask + bottom) & np.uint64((1 << column * stride + self.rules.height) - (1 << column * stride))
        parents = np.flatnonzero(cell)
        own, mask = self.own[parents], self.mask[parents]
        return After(parents, Positions(self.rules, own ^ mask, mask | cell[parents]))

    def mirrored(self) -> "Positions":
        return Positions(self.rules, self._flipped(self.own), self._flipped(self.mask))

    def _flipped(self, cells: Words) -> Words:
        stride = self.rules.height + 1
        column_cells = np.uint64((1 << stride) - 1)
        flipped = np.zeros_like(cells)
        for column in range(self.rules.width):
            place = (self.rules.width - 1 - column) * stride
            flipped |= (cells >> np.uint64(column * stride) & column_cells) << np.uint64(place)
        return flipped

    def keys(self) -> Words:
        """A number for each position; only equal positions have equal ones."""
        return self.own | self.mask + np.uint64(sum(1 << c * (self.rules.height + 1) for c in range(self.rules.width)))

    def canonical_keys(self) -> Words:
        """The same number for a position and its mirror image, the lower of their keys."""
        return np.minimum(self.keys(), self.mirrored().keys())

    def canonical(self) -> tuple["Positions", Flags]:
        """Of each position and its mirror image the one with the lower key, and where that is the mirror image."""
        image = self.mirrored()
        flipped: Flags = image.keys() < self.keys()
        own, mask = np.where(flipped, image.own, self.own), np.where(flipped, image.mask, self.mask)
        return Positions(self.rules, own, mask), flipped

    def unique(self) -> "Unique":
        """The different ones among these positions and their mirror images; neighbours have many discs in common."""
        canonical, flipped = self.canonical()
        _, first, inverse = np.unique(canonical.keys(), return_index=True, return_inverse=True)
        own, mask = canonical.own[first], canonical.mask[first]
        order = np.lexsort((own, mask, np.bitwise_count(mask)))
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return Unique(Positions(self.rules, own[order], mask[order]), place[inverse], flipped)


class After(NamedTuple):
    """Positions after a move, and the indices of the positions before it."""

    parents: npt.NDArray[np.intp]
    positions: Positions


class Unique(NamedTuple):
    """Different positions; for each one of the original positions its index, and whether it is the mirror image."""

    positions: Positions
    indices: npt.NDArray[np.intp]
    flipped: Flags


def has_line(discs: Words, rules: Rules) -> Flags:
    """Where there is a winning line among the discs."""
    found = np.zeros(len(discs), bool)
    for direction in run_directions(rules):
        run = discs
        for step in run_steps(rules):
            run = run & run >> np.uint64(step * direction)
        found |= run != 0
    return found
