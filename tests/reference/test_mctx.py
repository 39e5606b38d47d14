"""Gumbel AlphaZero: the searches of mctx.gumbel_muzero_policy, from the same priors, values and Gumbel samples."""

import json
from pathlib import Path

import numpy as np
import pytest
from evaluators import spread

from c4mcts import Board, Rules, SearchParams
from c4mcts.search.evaluation import checked

CASES = json.loads(Path(__file__).parents[1].joinpath("data", "mctx_trees.json").read_text())
# mctx knows no proofs, and no other checks of the position either
PARAMS = SearchParams.preset("gumbel", batch_size=1, proofs=False, checks=False)


def search(modules, case, params=PARAMS):
    """A searcher after the search; the one simulation more evaluates the root, which mctx is given."""
    params = params.changed(max_num_considered_actions=case["max_num_considered_actions"])
    board = Board.from_moves(case["moves"], Rules(7, case["height"]))
    searcher = modules.puct.PuctSearcher(board.rules, params.settings, (1, 2), None)
    searcher.set_root(board.own, board.mask)
    searcher.set_noise(case["gumbel"])
    count = case["simulations"] + 1
    assert searcher.simulate(count, count, 2**63, checked(spread, board.rules, False), bool) == count
    return searcher


def name(case):
    noise = "with" if any(case["gumbel"]) else "without"
    return f"{case['moves']} {case['simulations']} {noise} noise"


@pytest.mark.parametrize("case", CASES, ids=name)
def test_searches_are_those_of_mctx(modules, case):
    searcher = search(modules, case)
    moves = modules.moves.MoveList(7 * case["height"], len(case["moves"]), list(range(7)), [], [], False)
    moves.read_tree(searcher)
    rows = moves.rows()
    nodes = np.frombuffer(searcher.rows(1, 7), "u4").reshape(7, 4)
    visits = nodes[:, 0]
    assert visits.tolist() == case["visits"]
    assert [row[7] for row in rows] == pytest.approx(case["action_weights"], abs=1e-9)
    values = np.frombuffer(searcher.estimates(1, 7)).reshape(7, 2)[:, 0]
    assert values[visits > 0] == pytest.approx(np.array(case["q"])[visits > 0], abs=1e-9)
    assert moves.choose(PARAMS.settings, 0) == case["action"]
