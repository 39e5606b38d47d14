"""The order of moves by what is proven of them, and the weights of visits."""

import itertools
import math
from types import SimpleNamespace

import pytest

from c4mcts._layout import DRAWN, LOST, NOT_LOST, NOT_WON, UNKNOWN, WON
from c4mcts.search.move_order import node_rank, undominated, visit_weights

BEST_FIRST = [
    [("win", 1)],
    [("win", 3)],
    [(None, None), ("draw", 8)],
    [("loss", 4)],
    [("loss", 2)],
]


def test_undominated_moves_are_those_of_the_best_kind():
    for kinds in itertools.combinations(BEST_FIRST, 2):
        moves = [SimpleNamespace(proof=proof, distance=distance) for kind in kinds for proof, distance in kind]
        best = len(kinds[0])
        assert undominated(moves) == moves[:best]
        assert undominated(moves[::-1]) == moves[:best][::-1]


def test_nodes_are_ranked_by_proofs_then_by_visits():
    best_first = [(WON + 1, 0), (WON + 3, 9), (UNKNOWN, 9), (DRAWN, 8), (NOT_WON, 7), (NOT_LOST, 6), (LOST + 4, 0)]
    best_first.append((LOST + 2, 9))
    for order in (best_first, best_first[::-1]):
        assert sorted(order, key=lambda node: node_rank(*node), reverse=True) == best_first
    assert node_rank(WON + 3, 1) == node_rank(WON + 3, 2)


@pytest.mark.parametrize(
    ("temperature", "weights"),
    [
        (0, [0, 1, 0, 1]),
        (1e-300, [0, 1, 0, 1]),
        (0.5, [0.0625, 1, 0, 1]),
        (1, [0.25, 1, 0, 1]),
        (2, [0.5, 1, 0, 1]),
        (math.inf, [1, 1, 1, 1]),
    ],
)
def test_weights_are_powers_of_the_visits(temperature, weights):
    assert visit_weights([1, 4, 0, 4], temperature) == pytest.approx(weights)
    assert visit_weights([0, 0], temperature) == [1, 1]
