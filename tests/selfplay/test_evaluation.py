"""evaluate and is_better, with networks of which the answer is known."""

import numpy as np
import pytest
from evaluators import uniform

from c4mcts import PuctParams, Rules, selfplay, solve_many
from c4mcts.play import Sprt
from c4mcts.search.network import PolicyValueNetwork
from c4mcts.selfplay.rows import planes_of_words
from c4mcts.solver.bitboards import Positions

pytestmark = pytest.mark.native
TESTS = selfplay.exact_positions()
KNOWN = {
    planes.tobytes(): scores
    for planes, scores in zip(planes_of_words(TESTS.own, TESTS.mask, Rules()), TESTS.scores, strict=True)
}


def oracle(planes, legal, sign=1):
    """All of the prior for a move with the best score, or the worst one."""
    priors = np.zeros(legal.shape)
    for row, position in enumerate(planes):
        scores = KNOWN.get(position.astype(np.uint8).tobytes(), np.zeros(7, np.int8)).astype(int)
        priors[row, np.where(legal[row], sign * scores, -200).argmax()] = 1
    return priors, np.zeros(len(planes))


def test_the_positions_are_what_they_claim():
    positions = Positions(Rules(), TESTS.own, TESTS.mask)
    assert len(positions) == 2000
    assert positions.are_sound().all()
    assert not positions.are_over().any()
    assert not positions.can_win().any()
    assert len(np.unique(positions.canonical_keys())) == 2000, "no two are equal or mirror images"
    assert (np.diff(TESTS.plies.astype(int)) >= 0).all()
    assert set(TESTS.plies.tolist()) == set(range(37))
    tops = TESTS.mask[:, None] >> np.arange(5, 49, 7, np.uint64) & np.uint64(1)
    assert np.array_equal(TESTS.legal, tops == 0)
    values = np.sign(TESTS.scores)
    assert (np.where(TESTS.legal, values, 1).min(axis=1) < np.where(TESTS.legal, values, -1).max(axis=1)).all()


def test_the_scores_of_the_positions_are_exact():
    is_slow = (TESTS.plies >= 12) & (TESTS.plies < 16)  # beyond the book, and expensive to solve: one of eight
    rows = ~is_slow | (np.arange(len(is_slow)) % 8 == 0)
    own, mask, scores = (array[rows] for array in TESTS)
    assert np.array_equal(solve_many((own, mask), columns=True).columns, scores)


def test_perfect_moves_have_no_errors_and_the_worst_ones_nothing_else():
    best, worst = selfplay.evaluate(oracle), selfplay.evaluate(lambda *leaves: oracle(*leaves, sign=-1), positions=300)
    assert (best.error_rate, best.losses.sum(), best.interval[0]) == (0, 0, 0)
    assert worst.error_rate == 1
    assert len(worst.columns) == 300
    assert "0.0% errors (0.0% to 0.2%) in 2,000 positions" in repr(best)


def test_a_search_with_the_network_errs_less_than_the_network():
    network = PolicyValueNetwork.load()
    alone, searched = (selfplay.evaluate(network, PuctParams(), simulations=n, positions=400) for n in (1, 64))
    assert searched.errors.sum() < alone.errors.sum() < 60


def test_only_a_better_network_passes_the_gate():
    network, options = PolicyValueNetwork.load(), {"simulations": 8, "sprt": Sprt(0, 200), "seed": 1}
    assert selfplay.is_better(network, uniform, **options)
    assert not selfplay.is_better(uniform, network, **options)
    assert not selfplay.is_better(network, uniform, **options, games=2), "undecided"
