"""Forged saves that both backends take: they search on with the same tree. tests/fuzz/files.py draws others."""

import pickle

import numpy as np
import pytest
from forging import FREE, forged, packed, repacked, scores, unpacked
from trees import require_whole

from c4mcts import Board, Engine, Rules
from c4mcts._layout import MAX_VALUE_SUM


def test_sums_of_visits_are_as_wide_as_they_need_be():
    """The visits of the children add up to 2**32: a sum of 32 bits would be 0, and nothing would be explored."""
    many, few = MAX_VALUE_SUM // 2 - 1999, 800

    def change(parts):
        nodes = parts.nodes
        nodes["visits"][1:] = [many, many, few, few, few, few, 2**32 - 2 * many - 4 * few]
        nodes["value_sum"][1:] = [int(1.2 * n) for n in (many, many)] + [800] * 5

    trees = []
    for backend in ("native", "pure"):
        engine = forged(FREE, Board(), change, backend)
        engine.search(Board(), simulations=50)
        trees.append(engine.tree())
    assert np.array_equal(*trees)
    assert (trees[1]["visits"][1:3] == many).all()


@pytest.mark.parametrize(("lower", "upper"), [(62, 62), (-63, 63), (9, -9), (0, 0)])
def test_wrong_scores_in_the_table_harm_nothing(lower, upper):
    trees = []
    solved = Engine(seed=1)
    solved.search(Board(Rules(5, 4)), simulations=400)
    for backend in ("native", "pure"):
        engine = unpacked(repacked(packed(solved), scores(lower, upper)), backend)
        engine.search(solved.board, simulations=100)
        require_whole(engine)
        require_whole(pickle.loads(pickle.dumps(engine)))
        trees.append(engine.tree())
    assert np.array_equal(*trees)
