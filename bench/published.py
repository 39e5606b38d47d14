"""Opening books that others have published, position by position against the package's own book.

A position in the files of bitbully-databases is a string of bits: column by column from the left, each from the bottom,
10 for a disc of the first player, 11 for one of the second and 0 at the end of a column; zeros fill the last byte.
"""

from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from c4mcts.solver.bitboards import Positions
from c4mcts.solver.book import shipped_book
from c4mcts.solver.book_building import unfinished_positions
from c4mcts.solver.verdict import plies_of

Numbers = npt.NDArray[np.int64]
ONE, TWO = np.uint64(1), np.uint64(2)


class PublishedBook(NamedTuple):
    """A file of positions with the same number of discs, and their values for the player to move.

    code_bytes: of a position. A file without distances has minus the value in the lowest two bits of the position.
    """

    name: str
    plies: int
    code_bytes: int
    has_distances: bool

    def content(self, data: bytes) -> tuple[Positions, Numbers]:
        """The positions and values in the bytes of a file."""
        rows = np.frombuffer(data, np.uint8).reshape(-1, self.code_bytes + self.has_distances)
        codes = np.zeros(len(rows), np.uint64)
        for place in range(self.code_bytes):
            codes = codes << np.uint64(8) | rows[:, place]
        if self.has_distances:
            return decoded(codes, 8 * self.code_bytes), rows[:, -1].view(np.int8).astype(np.int64)
        return decoded(codes & ~np.uint64(3), 8 * self.code_bytes), -(codes & np.uint64(3)).astype(np.int64)

    def expected(self, scores: npt.NDArray[np.int8], empty: int) -> Numbers:
        """What the file should have for these scores: signs, or 100 less the plies to the end with the sign."""
        if not self.has_distances:
            return np.sign(scores).astype(np.int64)
        values = [np.sign(score) * (100 - plies_of(score, empty)) if score else 0 for score in range(-empty, empty + 1)]
        return np.array(values)[scores + empty]

    def tallies(self, data: bytes, own: Positions) -> dict[str, tuple[int, int]]:
        """How many entries have the value of the package's book, and how many positions of the book are entries.

        Not in the files are mirror images, positions that the next disc can win and, without distances, wins.
        own: the positions of the package's book.
        """
        positions, values = self.content(data)
        book = shipped_book()
        is_right = self.expected(book.scores(positions), book.rules.cells - self.plies) == values
        is_stored = np.isin(own.canonical_keys(), positions.canonical_keys())
        if not self.has_distances:
            is_stored = is_stored[book.scores(own) <= 0]
        return {
            f"{self.name}, values": (int(is_right.sum()), len(is_right)),
            f"{self.name}, positions": (int(is_stored.sum()), len(is_stored)),
        }


BITBULLY_DATABASES = (
    PublishedBook("book_12ply_distances.dat", 12, 4, True),
    PublishedBook("book_12ply.dat", 12, 4, False),
    PublishedBook("book_8ply.dat", 8, 3, False),
)


def decoded(codes: npt.NDArray[np.uint64], bits: int) -> Positions:
    """The positions in codes of that many bits."""
    rules = shipped_book().rules
    players = np.zeros((2, len(codes)), np.uint64)
    column, in_disc = np.zeros(len(codes), np.uint64), np.zeros(len(codes), bool)
    cell = np.ones(len(codes), np.uint64)
    for place in reversed(range(bits)):
        bit = (codes >> np.uint64(place) & ONE) == ONE
        for player in range(2):
            players[player] |= np.where(in_disc & (bit == player), cell, np.uint64(0))
        cell = np.where(in_disc, cell * TWO, cell)
        column += ~in_disc & ~bit
        cell = np.where(~in_disc & ~bit, ONE << column * np.uint64(rules.height + 1), cell)
        in_disc = ~in_disc & bit
    return Positions(rules, players[0], players[0] | players[1])


def bitbully_databases() -> dict[str, tuple[int, int]]:
    """By name of a file and of a comparison: how many answers are right, and of how many."""
    folder = files("bitbully_databases") / "assets"
    own = unfinished_positions(shipped_book().rules, max(book.plies for book in BITBULLY_DATABASES))
    tallies: dict[str, tuple[int, int]] = {}
    for book in BITBULLY_DATABASES:
        tallies |= book.tallies((folder / book.name).read_bytes(), own[book.plies])
    return tallies
