"""The test positions, c4mcts.selfplay.exact_positions: which of them are in games."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from c4mcts import Rules
from c4mcts.selfplay import ExactPositions, SelfPlay
from c4mcts.solver.bitboards import Positions


def keys(own: npt.NDArray[np.uint64], mask: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """A number for each position; only equal positions and mirror images have equal ones."""
    positions = Positions(Rules(), own, mask)
    return np.minimum(positions.keys(), positions.mirrored().keys())


def are_in(tests: ExactPositions, games: Iterable[SelfPlay]) -> npt.NDArray[np.bool_]:
    """(n,): whether a test position, or its mirror image, has a row in the games."""
    wanted = keys(tests.own, tests.mask)
    found = np.zeros(len(wanted), bool)
    for data in games:
        found |= np.isin(wanted, keys(np.asarray(data.own), np.asarray(data.mask)))
    return found
