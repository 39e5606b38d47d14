"""Random play, compared with simulations by another program and with exact expectations."""

from math import sqrt
from statistics import fmean, stdev

import numpy as np
import pytest
from data import read

from c4mcts import Board, rollouts

GAMES = {"native": 300_000, "pure": 600}
STANDARD_ERRORS = 4
SIMULATED = {row["rules"]: row for row in read("random_play")}
EXACT = {row["rules"]: row for row in read("random_play_exact")}


def shares(stats):
    """The shares p_first, p_second and p_draw of random_play.csv."""
    return {
        "first": stats.first / stats.games,
        "second": stats.second / stats.games,
        "draw": stats.draws / stats.games,
    }


def binomial_error(p, games):
    """Standard error of a share, at least that of an outcome expected once."""
    p = max(p, 1 / games)
    return sqrt(p * (1 - p) / games)


@pytest.mark.parametrize("rules", SIMULATED, ids=str)
def test_simulated(backend, rules):
    expected, games = SIMULATED[rules], GAMES[backend]
    stats = rollouts(Board(rules), games, seed=1, backend=backend)
    assert stats.games == games
    for name, share in shares(stats).items():
        p = expected[f"p_{name}"]
        error = sqrt(binomial_error(p, games) ** 2 + expected[f"se_{name}"] ** 2)
        assert abs(share - p) <= STANDARD_ERRORS * error, name
    error = sqrt(expected["sd_plies"] ** 2 / games + expected["se_mean"] ** 2)
    assert abs(stats.mean_plies - expected["mean_plies"]) <= STANDARD_ERRORS * error


@pytest.mark.parametrize("rules", EXACT, ids=str)
def test_exact(backend, rules):
    expected, batches = EXACT[rules], 30
    games = (100_000 if backend == "native" else 900) // batches
    runs = [
        rollouts(Board(rules), games, seed=seed, backend=backend) for seed in np.random.SeedSequence(3).spawn(batches)
    ]
    for name in ("first", "second", "draw"):
        p, share = expected[f"p_{name}"], fmean(shares(run)[name] for run in runs)
        assert share == 0 if p == 0 else abs(share - p) <= STANDARD_ERRORS * binomial_error(p, games * batches), name
    lengths = [run.mean_plies for run in runs]
    error = stdev(lengths) / sqrt(batches) + 1e-9  # the table has 9 decimals
    assert abs(fmean(lengths) - expected["mean_plies"]) <= STANDARD_ERRORS * error
