"""evaluate and is_better, with networks of which the answer is known."""

import numpy as np
import pytest
from evaluators import uniform

from c4mcts import PuctParams, Rules, selfplay, solve_many
from c4mcts.play import Sprt
from c4mcts.search.network import PolicyValueNetwork
from c4mcts.selfplay.rows import planes_of_words

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


def test_the_scores_of_the_positions_are_exact():
    own, mask, scores = (array[::40] for array in TESTS)
    assert np.array_equal(solve_many((own, mask), columns=True).columns, scores)
    assert len(KNOWN) == len(TESTS.own) == 2000


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
    with pytest.raises(TypeError, match="evaluator"):
        selfplay.is_better(network, 5)
