"""The test positions, those of c4mcts.selfplay.exact_positions: which of them are in games."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from c4mcts import Rules
from c4mcts.selfplay import ExactPositions, SelfPlay, exact_positions
from c4mcts.solver.book import NO_SCORE
from c4mcts.solver.positions import Positions


class Tests(ExactPositions):
    """n positions of the usual board, those with fewer discs first."""

    @property
    def plies(self) -> npt.NDArray[np.uint8]:
        """(n,): numbers of discs."""
        return np.bitwise_count(self.mask)

    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """(n, 7): the open columns."""
        return np.asarray(self.scores != NO_SCORE)

    def chosen(self, count: int) -> "Tests":
        """`count` of them, evenly over the plies."""
        rows = np.linspace(0, len(self.own) - 1, count).round().astype(int)
        return Tests(*(array[rows] for array in self))


def load() -> Tests:
    """All test positions."""
    return Tests(*exact_positions())


def keys(own: npt.NDArray[np.uint64], mask: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """A number for each position; only equal positions and mirror images have equal ones."""
    positions = Positions(Rules(), own, mask)
    return np.minimum(positions.keys(), positions.mirrored().keys())


def are_in(tests: Tests, games: Iterable[SelfPlay]) -> npt.NDArray[np.bool_]:
    """(n,): whether a test position, or its mirror image, has a row in the games."""
    wanted = keys(tests.own, tests.mask)
    found = np.zeros(len(wanted), bool)
    for data in games:
        found |= np.isin(wanted, keys(np.asarray(data.own), np.asarray(data.mask)))
    return found
