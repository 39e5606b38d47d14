"""Forged saves: both backends refuse them with the same message, or search on with the same tree."""

import pickle
import random

import numpy as np
import pytest
from evaluators import fingerprint
from forging import FREE, falsify, forged, packed, repacked, scores, unpacked
from trees import require_whole

from c4mcts import Board, Engine, Rules, SaveError, SearchParams
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


# Parameters, boards and simulations of what is forged; tests/fuzz/files.py forges other trees without an evaluator.
ORIGINALS = [
    (SearchParams.preset("uct", transpositions=True, max_nodes=150), Board(Rules(3, 3, 3)), 400),
    (SearchParams.preset("puct-node", batch_size=3, root_noise=(1.0, 0.25)), Board(Rules(4, 4)), 100),
    (
        SearchParams.preset(
            "alphazero", forced_visits=2.0, root_policy_temperature=1.3, first_play_reduction=0.2, exploration_base=9.0
        ),
        Board(Rules(4, 4)),
        100,
    ),
    (SearchParams.preset("gumbel", batch_size=3), Board(Rules(4, 4)), 100),
]


def life(engine, board):
    """Search, read, save, load, and play every column; returns everything that can be compared."""
    trees = []
    result = engine.search(board, simulations=40)
    trees.append(engine.tree())
    str(result), result.policy(), result.pv
    require_whole(engine)
    data = pickle.dumps(engine)
    require_whole(pickle.loads(data))
    for column in board.legal_columns:
        copy = pickle.loads(data)
        copy.advance(column)
        require_whole(copy)
        if not copy.board.is_over():
            trees += [copy.search(copy.board, simulations=5).pv, copy.tree()]
            require_whole(copy)
            pickle.loads(pickle.dumps(copy))
    return trees


def attack(seed, original):
    """One forgery, in both backends; whether it was accepted."""
    params, board, simulations = original
    chance = random.Random(seed)
    evaluator = fingerprint if params.needs_evaluator else None
    engine = Engine(params, seed=seed % 10, evaluator=evaluator)
    engine.search(board, simulations=chance.choice([3, simulations]))
    data = repacked(packed(engine), lambda parts: falsify(chance, parts))
    seen = []
    for backend in ("native", "pure"):
        try:
            engine = unpacked(data, backend, evaluator)
        except SaveError as error:
            seen.append(str(error))
            continue
        require_whole(engine)
        seen.append(life(engine, board))
    if isinstance(seen[0], str):
        assert seen[0] == seen[1]
        return False
    assert all(np.array_equal(a, b) for a, b in zip(*seen, strict=True))
    return True


@pytest.mark.parametrize("original", ORIGINALS, ids=range(len(ORIGINALS)))
def test_forged_trees_are_refused_or_searched_like_any_other(original):
    taken = [attack(seed, original) for seed in range(15)]
    assert 0 < sum(taken) < 15
