"""How often a network finds a best move in the positions of its own games, as other programs measure it.

A best move is one with the best exact score. The figures of two networks can't be compared closely: each meets other
positions, and in many of them several moves are equally good.
"""

import sys
from typing import Any

import numpy as np

from c4mcts.selfplay import label, load
from c4mcts.study import wilson

from .configuration import ConfigurationError
from .folder import Folder
from .matches import interval, searches
from .training import Say, evaluator_of, show


def measure_own(folder: Folder, count: int, say: Say = show) -> dict[str, dict[str, Any]]:
    """The shares of best moves with 95 % intervals, by player: the searches that played, the network, its searches.

    count: positions of the last generation, drawn at random from all of them.
    """
    if count < 1:
        raise ConfigurationError(f"--count must be at least 1, not {count}")
    configuration, last = folder.configuration, folder.last_network()
    data = load(folder.games(last))
    draw = np.random.default_rng(configuration.seed)
    rows = np.sort(draw.permutation(len(data))[:count])
    scores = label(data, rows, columns=True, progress=sys.stderr.isatty()).scores[rows]
    chosen = {"the searches that played": data.policy[rows].argmax(axis=1)}
    evaluator, positions = evaluator_of(folder, last), (data.own[rows], data.mask[rows])
    for simulations in (1, *configuration.searches):
        found = searches(evaluator, positions, configuration, simulations, configuration.concurrent)
        if simulations == 1:  # asks the network only for the position itself
            chosen["policy"] = found.prior.argmax(axis=1)
        else:
            chosen[f"search of {simulations}"] = found.column
    shares = {}
    for player, columns in chosen.items():
        best = int((scores[np.arange(len(rows)), columns] == scores.max(axis=1)).sum())
        shares[player] = interval(best / len(rows), *wilson(best, len(rows)).tolist())
        words = "{share:.1%} best moves ({low:.1%} to {high:.1%})".format(**shares[player])
        say(f"{player}: {words} in {len(rows):,} positions of generation {last}")
    return shares
