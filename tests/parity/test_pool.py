"""Pools of games, which have no twin: each game is that of an Engine alone. And the noise at their roots, which has."""

import math

import numpy as np
import pytest
from evaluators import fingerprint
from hypothesis import given, settings
from hypothesis import strategies as st
from pools import new_pool, played
from strategies import boards, gumbel_params, puct_params

from c4mcts import Board, PuctParams
from c4mcts._backend import load
from c4mcts.search.limits import Limits
from c4mcts.selfplay import PlayParams
from c4mcts.selfplay.generation import Games
from c4mcts.selfplay.records import SEARCHED


@st.composite
def play_params(draw):
    """What games without a pool can have, too."""
    return PlayParams(
        temperature=draw(st.sampled_from([0.0, 0.3, 1.0, 2.0, math.inf, (2.0, 0.0, 0.5)])),
        temperature_plies=draw(st.integers(3, 8)),
        last_temperature=draw(st.sampled_from([0.0, 0.0, 0.4])),
        opening_plies=draw(st.sampled_from([0, 0, 2, (0, 5), 30])),
        resign_value=draw(st.sampled_from([None, -0.5, 0.0, 1.0])),
        resign_moves=draw(st.integers(1, 3)),
        never_resign=draw(st.sampled_from([0.0, 0.5, 1.0])),
        after_proof=draw(st.sampled_from(["full", "stop"])),
    )


@pytest.mark.parametrize(("seed", "simulations"), [(0, 4), (0, 5), (25, 7)])
def test_who_is_as_good_as_the_limit_does_not_resign(seed, simulations):
    """A mean that is -1e-17 before it is rounded is 0 in either."""
    params = PuctParams(exploration=0.5, first_play=0.0, max_nodes=8, keep_tree=False, proofs=False, tie_break="first")
    play = PlayParams(temperature=0.0, opening_plies=(0, 5), resign_value=0.0, resign_moves=1, never_resign=0.0)
    options = {"start": Board(), "play": play, "simulations": simulations}
    found = played(new_pool(params, games=1, seed=seed, **options))[0]
    alone = Games(params, Board(), play, Limits(simulations=simulations), fingerprint)
    expected = alone.by_engine(0, seed, lambda: None)
    assert found.columns == expected.columns
    assert 0 in found.searched["value"]


@settings(max_examples=60, deadline=None)
@given(
    boards(),
    st.one_of(puct_params().map(lambda params: params.changed(temperature=0.0)), gumbel_params()),
    play_params(),
    st.data(),
)
def test_the_games_of_a_pool_are_those_of_engines(start, params, play, data):
    """Move by move, with everything that was found, for any number of games, groups and kept answers."""
    concurrent = data.draw(st.integers(1, 3))
    options = {
        "concurrent": concurrent,
        "groups": data.draw(st.sampled_from([1, concurrent])),
        "cache": data.draw(st.sampled_from([0, 0, 1, 6, 1000])),
        "leaves_per_tree": data.draw(st.sampled_from([1, 1, 3])),
    }
    few = 800 // start.rules.cells  # a game on the largest board takes an engine two seconds
    simulations = data.draw(st.integers(1, max(1, min(25, few))))
    games, seed = data.draw(st.integers(1, max(1, min(4, few)))), data.draw(st.integers(0, 2**32))
    options |= {"start": start, "play": play, "simulations": simulations}
    records = played(new_pool(params, games=games, seed=seed, **options))
    assert records.keys() == set(range(games))
    batched = params.changed(batch_size=options["leaves_per_tree"])
    alone = Games(batched, start, play, Limits(simulations=simulations), fingerprint)
    for number, found in records.items():
        expected = alone.by_engine(number, seed, lambda: None)
        for name in ("columns", "opening", "winner", "ending"):
            assert getattr(found, name) == getattr(expected, name), name
        for name in SEARCHED.keys() - {"raw_value"}:
            np.testing.assert_allclose(getattr(found, name), getattr(expected, name), atol=1e-6, err_msg=name)


def test_noise_is_equal():
    native, pure = load("native").numbers, load("pure").numbers
    for seed in range(60):
        for alpha in (1e-320, 0.01, 0.9, 1.0, 1.4, 30.0, 1e18, 1e308):
            assert native.root_noise((seed, 9), seed, alpha, 5) == pure.root_noise((seed, 9), seed, alpha, 5)
