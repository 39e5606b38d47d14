"""How often resigning is wrong, counted game by game; and readers that respect weights."""

import math
from functools import partial

import numpy as np
import pytest
from datasets import SMALL
from evaluators import fingerprint
from pools import PUCT

from c4mcts import SearchParams, selfplay
from c4mcts.selfplay import Ending, PlayParams, resignation_errors

LEARN = partial(selfplay.generate, 60, PUCT, start=SMALL, simulations=12, seed=7, evaluator=fingerprint)
PLAIN = LEARN()


def naive_errors(data, value, moves):
    """Games that continued, and how many of these were lost, drawn, won by the first who would have resigned."""
    played_on, counts = 0, {-1: 0, 0: 0, 1: 0}
    for game in range(data.games):
        rows = np.flatnonzero(data.game == game)
        if data.ending[rows[0]] == Ending.RESIGNED:
            continue
        played_on += 1
        low = {0: 0, 1: 0}
        for row in rows:
            player = data.ply[row] % 2
            low[player] = low[player] + 1 if float(data.value[row]) < value else 0
            if low[player] == moves:
                counts[int(data.outcome[row])] += 1
                break
    return played_on, counts[-1], counts[0], counts[1]


@pytest.mark.parametrize("value", [-1, -0.4, 0.0, 0.3, 1])
@pytest.mark.parametrize("moves", [1, 2, 5, 4096])
def test_errors_are_counted(value, moves):
    found = resignation_errors(PLAIN, value, moves)
    assert (found.games, found.lost, found.drawn, found.won) == naive_errors(PLAIN, value, moves)
    total = found.lost + found.drawn + found.won
    assert math.isnan(found.rate) if total == 0 else found.rate == (found.drawn + found.won) / total


def test_errors_of_games_with_resignation():
    """By default with their own rule; only the games that never resign are left to be counted."""
    play = PlayParams(resign_value=-0.1, resign_moves=2, never_resign=0.4)
    data = LEARN(play=play)
    found = resignation_errors(data)
    assert (found.games, found.lost, found.drawn, found.won) == naive_errors(data, -0.1, 2)
    resigned = np.unique(data.game[data.ending == Ending.RESIGNED])
    assert found.games == data.games - len(resigned)
    whole = resignation_errors(PLAIN, -0.1, 2)
    assert len(resigned) + found.lost + found.drawn + found.won == whole.lost + whole.drawn + whole.won
    last = (data.plies_left == 1) & (data.ending == Ending.RESIGNED)
    assert (data.outcome[last] == -1).all()
    assert (data.value[last] < -0.1).all()


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((PLAIN,), ValueError, "value and moves are needed"),
        ((PLAIN, -2, 3), ValueError, "value must be -1 to 1, not -2"),
        ((PLAIN, -0.5, 0), ValueError, "moves must be at least 1, not 0"),
    ],
)
def test_what_is_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        resignation_errors(*arguments)


@pytest.mark.native
def test_training_leaves_out_positions_of_no_weight():
    data = LEARN(play=PlayParams(full_share=0.3, fast_simulations=4))
    kept = np.flatnonzero(data.weight > 0)
    assert 0 < len(kept) < len(data)
    target = data.mixed_value(0.5)
    for one, other in zip(data.training(value=target), data.training(value=target, rows=kept), strict=True):
        assert np.array_equal(one, other)
    assert len(data.training()[0]) == 2 * len(kept)
    assert len(data.training(rows=slice(None))[0]) == 2 * len(data)
    heavy = LEARN(play=PlayParams(full_share=0.3, fast_simulations=4, fast_weight=0.5))
    assert len(heavy.training()[0]) == 2 * len(heavy)
    assert np.array_equal(heavy.visits, data.visits)


ENGINES = partial(selfplay.generate, 20, SearchParams.preset("uct", proofs=True), start=SMALL, simulations=40, seed=7)


def test_engines_stop_at_a_proof():
    whole = ENGINES()
    stopped = ENGINES(play=PlayParams(after_proof="stop"))
    for game in range(20):
        rows, all_rows = (np.flatnonzero(data.game == game) for data in (stopped, whole))
        assert np.array_equal(stopped.visits[rows], whole.visits[all_rows[: len(rows)]])
        assert np.array_equal(stopped.outcome[rows], whole.outcome[all_rows[: len(rows)]])
    assert set(stopped.ending) == {Ending.PROVEN}
