"""Pools of games: native == pure, batch by batch, node by node, and record by record to the last byte."""

import math

import numpy as np
from evaluators import fingerprint
from hypothesis import given, settings
from hypothesis import strategies as st
from pools import new_pool
from strategies import boards, gumbel_params, more_of_puct
from variants import variant

from c4mcts import Board, PuctParams, Rules, SearchParams
from c4mcts._backend import load
from c4mcts.selfplay import PlayParams


@st.composite
def pool_params(draw):
    params = PuctParams(
        **more_of_puct(draw),
        exploration=draw(st.sampled_from([0.0, 1.25, 4.0])),
        first_play=draw(st.sampled_from([0.0, -1.0, math.inf])),
        rewards=draw(st.sampled_from([(1, 0, -1), (1, 0.5, 0), (3, 1, 0)])),
        proofs=draw(st.booleans()),
        checks=draw(st.booleans()),
        tie_break=draw(st.sampled_from(["first", "random"])),
        choice=draw(st.sampled_from(["visits", "visits_only", "value", "secure"])),
        root_noise=draw(st.sampled_from([None, (0.3, 0.25), (5.0, 1.0)])),
        keep_tree=draw(st.booleans()),
        max_nodes=draw(st.sampled_from([1, 8, 50, 1 << 20])),
    )
    names = ("mean_backup", "equal_start", "prove_draws", "signed_planes")
    return variant(params, **{name: draw(st.booleans()) for name in names})


@st.composite
def play_params(draw, simulations):
    fast = draw(st.booleans())
    return PlayParams(
        full_share=draw(st.sampled_from([0.25, 0.7])) if fast else 1.0,
        fast_simulations=draw(st.integers(1, simulations)) if fast else None,
        fast_weight=draw(st.sampled_from([0.0, 0.5])),
        opening_plies=draw(st.sampled_from([0, 0, 2, (0, 5), 30])),
        opening_moves=draw(st.sampled_from(["random", "policy"])),
        resign_value=draw(st.sampled_from([None, -0.5, 0.0, 1.0])),
        resign_moves=draw(st.integers(1, 3)),
        never_resign=draw(st.sampled_from([0.0, 0.5, 1.0])),
        after_proof=draw(st.sampled_from(["full", "fast", "stop"] if fast else ["full", "stop"])),
    )


def jagged(planes, legal):
    """Single precision, with values that proofs do not round to; padding gets NaN."""
    priors, values = fingerprint(planes, legal)
    return (priors / 7).astype(np.float32), (values / 3).astype(np.float32)


@settings(max_examples=120, deadline=None)
@given(boards(), st.one_of(pool_params(), gumbel_params()), st.data())
def test_pools_are_equal(start, params, data):
    concurrent, simulations = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 30))
    options = {
        "games": data.draw(st.integers(1, 4)),
        "concurrent": concurrent,
        "groups": data.draw(st.sampled_from([1, concurrent])),
        "simulations": simulations,
        "play": data.draw(st.none() | play_params(simulations)),
        "cache": data.draw(st.sampled_from([0, 0, 1, 6, 1000])),
        "leaves_per_tree": data.draw(st.sampled_from([1, 1, 3])),
        "temperature": data.draw(st.sampled_from([0.0, 0.3, 1.0, 2.0, math.inf])),
        "temperature_plies": data.draw(st.integers(0, 8)),
        "seed": data.draw(st.integers(0, 2**32)),
        "start": start,
    }
    pools = [new_pool(params, **options, backend=name) for name in ("native", "pure")]
    work = 20_000
    while work > 0:
        batches = [pool.gather() for pool in pools]
        if batches[0] is None:
            assert batches[1] is None
            break
        for name in ("planes", "legal", "rows"):
            assert np.array_equal(getattr(batches[0], name), getattr(batches[1], name)), name
        answers = jagged(batches[0].planes, batches[0].legal)
        for pool in pools:
            pool.complete(*answers)
        work -= start.rules.cells * batches[0].count
        slot = data.draw(st.integers(0, concurrent - 1)) if work % 7 == 0 else 0
        games = [pool._pool.game(slot) for pool in pools]
        assert games[0].rows(0, games[0].used()) == games[1].rows(0, games[1].used())
        assert games[0].estimates(0, games[0].used()) == games[1].estimates(0, games[1].used())
        assert games[0].positions() == games[1].positions()
    finished = [pool.finished() for pool in pools]
    assert [(n, record.to_json()) for n, record in finished[0]] == [(n, record.to_json()) for n, record in finished[1]]


def test_a_cache_of_large_boards_keeps_the_same():
    """Boards of more than 64 bits are known by a hash; both backends forget the same answers."""
    for rules in (Rules(20, 14), Rules(9, 8), Rules(3, 64)):
        options = {"games": 4, "concurrent": 2, "simulations": 12, "seed": 3, "start": Board(rules), "cache": 30}
        pools = [new_pool(SearchParams.preset("alphazero"), **options, backend=name) for name in ("native", "pure")]
        for _ in range(60):
            batches = [pool.gather() for pool in pools]
            if batches[0] is None:
                break
            assert np.array_equal(batches[0].planes, batches[1].planes)
            for pool in pools:
                pool.complete(*jagged(batches[0].planes, batches[0].legal))


def test_noise_is_equal():
    native, pure = load("native").noise, load("pure").noise
    for seed in range(200):
        for alpha in (1e-320, 0.01, 0.9, 1.0, 1.4, 30.0, 1e18, 1e308):
            assert native.root_noise((seed, 9), seed, alpha, 5) == pure.root_noise((seed, 9), seed, alpha, 5)
