"""Many positions at once, as arrays of bitboards of shape (n,), laid out as Board.own and Board.mask."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..rules import Rules, fits_word, run_directions, run_steps, word_count

Bitboards = npt.NDArray[Any]  # uint64, or Python integers (dtype object) for boards of more than 64 bits
Words = npt.NDArray[np.uint64]  # bitboards as in files: (n,), or (n, words), the lowest 64 bits first
Flags = npt.NDArray[np.bool_]

MASK64 = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions of one rule set, finished ones among them."""

    rules: Rules
    own: Bitboards  # discs of the player to move
    mask: Bitboards  # all discs

    def __len__(self) -> int:
        return len(self.own)

    @classmethod
    def of(cls, rules: Rules, own: Sequence[int], mask: Sequence[int]) -> "Positions":
        """The positions with these bitboards."""
        kind = np.uint64 if fits_word(rules) else object
        return cls(rules, np.array(own, kind), np.array(mask, kind))

    @classmethod
    def joined(cls, parts: Sequence["Positions"]) -> "Positions":
        """The positions of several objects, of which there is at least one."""
        own, mask = (np.concatenate([getattr(part, name) for part in parts]) for name in ("own", "mask"))
        return cls(parts[0].rules, own, mask)

    def __getitem__(self, chosen: Flags | npt.NDArray[np.intp] | slice) -> "Positions":
        return Positions(self.rules, self.own[chosen], self.mask[chosen])

    @property
    def plies(self) -> npt.NDArray[np.uint16]:
        """Numbers of discs."""
        return np.bitwise_count(self.mask).astype(np.uint16)

    def are_sound(self) -> Flags:
        """Where columns are filled from the bottom, and the players have the right numbers of discs."""
        stride = self.rules.height + 1
        bottom = sum(1 << column * stride for column in range(self.rules.width))
        board = bottom * ((1 << self.rules.height) - 1)
        inside = self.mask | board == board
        filled: Flags = inside & ((self.mask & board) + bottom & self.mask == 0) & (self.own & ~self.mask == 0)
        fair: Flags = np.bitwise_count(self.own) == self.plies // 2
        return filled & fair

    def are_won(self) -> Flags:
        """Where a player has completed a line."""
        return has_line(self.own, self.rules) | has_line(self.own ^ self.mask, self.rules)

    def are_over(self) -> Flags:
        full: Flags = self.plies == self.rules.cells
        return self.are_won() | full

    def wins(self) -> Flags:
        """Which columns complete a line of the player to move, (n, width)."""
        wins = np.zeros((len(self), self.rules.width), bool)
        for column in range(self.rules.width):
            after = self.after(column)
            wins[after.parents, column] = has_line(after.positions.own ^ after.positions.mask, self.rules)
        return wins

    def can_win(self) -> Flags:
        """Where the next disc completes a line."""
        return np.asarray(self.wins().any(axis=1))

    def after(self, column: int) -> "After":
        """The positions after a disc in this column, where it is open. For unfinished positions."""
        stride = self.rules.height + 1
        bottom = 1 << column * stride
        cell = (self.mask + bottom) & (bottom << self.rules.height) - bottom
        parents = np.flatnonzero(cell)
        own, mask = self.own[parents], self.mask[parents]
        return After(parents, Positions(self.rules, own ^ mask, mask | cell[parents]))

    def mirrored(self) -> "Positions":
        return Positions(self.rules, self._flipped(self.own), self._flipped(self.mask))

    def _flipped(self, cells: Bitboards) -> Bitboards:
        stride = self.rules.height + 1
        column_cells = (1 << stride) - 1
        flipped = np.zeros_like(cells)
        for column in range(self.rules.width):
            place = (self.rules.width - 1 - column) * stride
            flipped |= (cells >> column * stride & column_cells) << place
        return flipped

    def keys(self) -> Bitboards:
        """A number for each position; only equal positions have equal ones."""
        stride = self.rules.height + 1
        keys: Bitboards = self.own | self.mask + sum(1 << column * stride for column in range(self.rules.width))
        return keys

    def canonical_keys(self) -> Bitboards:
        """A number for each position, equal for its mirror image: the lower of their keys."""
        lower: Bitboards = np.minimum(self.keys(), self.mirrored().keys())
        return lower

    def canonical(self) -> tuple["Positions", Flags]:
        """The one of each position and its mirror image with the lower key, and where that is the mirror image."""
        image = self.mirrored()
        flipped: Flags = image.keys() < self.keys()
        own, mask = np.where(flipped, image.own, self.own), np.where(flipped, image.mask, self.mask)
        return Positions(self.rules, own, mask), flipped

    def unique(self) -> "Unique":
        """The different ones among these positions and their mirror images; neighbours have many discs in common."""
        canonical, flipped = self.canonical()
        _, first, inverse = np.unique(canonical.keys(), return_index=True, return_inverse=True)
        different = canonical[first]
        order = np.lexsort((different.own, different.mask, different.plies))
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return Unique(different[order], place[inverse], flipped)


class After(NamedTuple):
    """Positions after a move, and the indices of the positions before it."""

    parents: npt.NDArray[np.intp]
    positions: Positions


class Unique(NamedTuple):
    """Different positions; for each one of the original positions its index, and whether it is the mirror image."""

    positions: Positions
    indices: npt.NDArray[np.intp]
    flipped: Flags


def words_of(bitboards: Bitboards, rules: Rules) -> Words:
    """Bitboards of these rules, or keys of positions, as words."""
    if fits_word(rules):
        return bitboards
    words = np.empty((len(bitboards), word_count(rules)), np.uint64)
    for place in range(words.shape[1]):
        words[:, place] = bitboards >> 64 * place & MASK64
    return words


def bitboards_of(words: Words) -> Bitboards:
    """The inverse of words_of."""
    if words.ndim == 1:
        return np.ascontiguousarray(words)
    bitboards = np.zeros(len(words), object)
    for place, word in enumerate(words.T):
        bitboards |= word.astype(object) << 64 * place
    return bitboards


def has_line(discs: Bitboards, rules: Rules) -> Flags:
    """Where there is a winning line among the discs."""
    result = np.zeros(len(discs), bool)
    for direction in run_directions(rules):
        run = discs
        for step in run_steps(rules):
            run = run & run >> step * direction
        result |= run != 0
    return result
