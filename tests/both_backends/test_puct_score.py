"""What may be added to PUCT: against a naive program of the formulas, and what users may rely on."""

import math
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from evaluators import fingerprint, spread, uniform
from oracles.evaluation import as_game, policy
from oracles.puct_root import Node, tempered
from trees import require_same_puct_tree, require_whole
from variants import variant

from c4mcts import Board, Engine, PuctParams, Rules
from c4mcts._backend import load
from c4mcts.seeds import generator_state

PUCT = variant(PuctParams(batch_size=1), signed_planes=True)

CHANGES = {  # fields of SearchParams, and what they are called in the papers
    "plain": ({}, {}),
    "growing": ({"exploration_base": 20.0}, {"c_base": 20.0}),
    "parent": ({"first_play_reduction": 0.3}, {"fpu_reduction": 0.3}),
    "hot": ({"root_policy_temperature": 1.4}, {"temperature": 1.4}),
    "cold": ({"root_policy_temperature": 0.5, "root_noise": (1.0, 0.25)}, {"temperature": 0.5, "fraction": 0.25}),
    "forced": ({"forced_visits": 2.0, "root_noise": (0.5, 0.4)}, {"k": 2.0, "fraction": 0.4}),
    "much forced": ({"forced_visits": 12.0, "proofs": True}, {"k": 12.0}),
    "all": (
        {
            "exploration_base": 50.0,
            "first_play_reduction": 0.2,
            "root_policy_temperature": 1.2,
            "forced_visits": 3.0,
            "root_noise": (0.8, 0.25),
        },
        {"c_base": 50.0, "fpu_reduction": 0.2, "temperature": 1.2, "k": 3.0, "fraction": 0.25},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    ("rules", "moves", "simulations"),
    [(Rules(), [], 250), (Rules(), [3, 0, 3, 1, 2, 6], 150), (Rules(5, 4, 4), [2], 250), (Rules(9, 9), [4, 4], 100)],
    ids=str,
)
def test_trees_and_policies_are_those_of_the_formulas(rules, moves, simulations, change):
    changes, options = CHANGES[change]
    params, board = PUCT.changed(**changes), Board.from_moves(moves, rules)
    engine = Engine(params, seed=4, evaluator=spread)
    result = engine.search(board, simulations=simulations)
    root = type("OracleNode", (Node,), options)()
    root.is_root, alpha = True, params.settings.alpha
    root.noise = alpha and load().numbers.root_noise(generator_state(4), 1, alpha, len(board.legal_columns))
    game, first = as_game(rules, moves), SimpleNamespace(pick=lambda columns: columns[0])
    for _ in range(result.simulations):
        root.explore(game, partial(policy, evaluator=spread), first, [])
    require_same_puct_tree(engine.tree(), root)
    if "forced_visits" in changes:
        assert {move.column: move.weight for move in result.moves} == pytest.approx(root.target())
    if not any(move.proof for move in result.moves):
        scores = {child.column: child.ucb for child in engine.node().children}
        expected = {column: (root.score(column) + 1) / 2 for column in root.children}
        forced = [column for column, score in expected.items() if score > 1e6]
        assert forced == [column for column, score in scores.items() if score == math.inf]
        assert all(scores[column] == pytest.approx(expected[column]) for column in scores if column not in forced)


def test_temperatures_of_the_root():
    prob = {0: 0.7, 1: 0.2, 2: 0.1, 3: 0.0}
    for temperature in (1e-9, 0.5, 3.0, 1e9):
        pure = partial(tempered, prob, temperature, (), 0.0)
        engine = Engine(
            PUCT.changed(root_policy_temperature=temperature, exploration=1e6),
            seed=1,
            evaluator=lambda planes, legal: (np.tile(list(prob.values()), (len(legal), 1)), np.zeros(len(legal))),
        )
        engine.search(Board(Rules(4, 6)), simulations=1)
        scores = np.array([child.ucb - 0.5 for child in engine.node().children])
        expected = list(pure().values()) if temperature > 1e-3 else [1, 0, 0, 0]
        assert scores / scores.sum() == pytest.approx(np.array(expected), abs=1e-6)
        assert [move.prior for move in engine.search(Board(Rules(4, 6)), simulations=1).moves] == pytest.approx(
            list(prob.values())
        )


def test_a_visit_is_forced_below_the_limit_and_not_at_it():
    """Four moves of equal priors and k = 4: a move with n of N visits is forced as long as n < sqrt(N)."""
    board = Board(Rules(4, 6))
    engine = Engine(PUCT.changed(forced_visits=4.0, proofs=False), seed=1, evaluator=uniform)
    engine.search(board, simulations=1)
    at_limit = 0
    for _ in range(120):
        children = engine.node().children
        total = sum(child.visits for child in children)
        for child in children:
            assert (child.ucb == math.inf) == (0 < child.visits**2 < total)
            at_limit += 0 < child.visits**2 == total
        engine.search(board, simulations=1)
        grown = [new.column for old, new in zip(children, engine.node().children, strict=True) if new != old]
        assert max(children, key=lambda child: child.ucb).column in grown
    assert at_limit > 2


@pytest.mark.parametrize("exploration", [1.25, 0.0])
@pytest.mark.parametrize("evaluator", [uniform, fingerprint, spread])
def test_forced_visits_are_pruned_one_by_one(backend, evaluator, exploration):
    """After every simulation of a young tree, where moves have one visit, and scores are often equal."""
    params = PUCT.changed(forced_visits=2.0, exploration=exploration, proofs=False)
    rules = Rules()
    engine = Engine(params, seed=1, backend=backend, evaluator=evaluator)
    root = type("OracleNode", (Node,), {"k": 2.0, "c_init": exploration})()
    root.is_root = True
    game, first = as_game(rules, []), SimpleNamespace(pick=lambda columns: columns[0])
    for _ in range(10):
        result = engine.search(Board(rules), simulations=1)
        root.explore(game, partial(policy, evaluator=evaluator), first, [])
        require_same_puct_tree(engine.tree(), root)
        if root.children and root.N > 1:
            assert {move.column: move.weight for move in result.moves} == pytest.approx(root.target())


def test_nothing_is_pruned_of_moves_that_look_as_good_as_the_best():
    """Without exploration and with equal values all scores are equal; a visit is pruned only where one is lower."""
    params = PUCT.changed(forced_visits=2.0, exploration=0.0, tie_break="random")
    moves = Engine(params, seed=1, evaluator=uniform).search(Board(), simulations=12).moves
    assert sum(move.visits > 0 for move in moves) > 3
    assert [move.weight for move in moves] == [move.visits for move in moves]


@pytest.mark.parametrize(("moves", "simulations"), [("11115355353", 75), ("4142353", 105)])
def test_visits_are_pruned_by_the_best_move_that_is_not_lost(moves, simulations):
    """Though another one, with a high prior, had the most visits when it turned out to lose."""

    def sharp(planes, legal):
        priors, values = spread(planes, legal)
        return priors**4, values / 5

    params = PUCT.changed(forced_visits=12.0, proofs=True, checks=False)
    engine = Engine(params, seed=1, evaluator=sharp)
    result = engine.search(Board.from_pons(moves, Rules(5, 4, 4)), simulations=simulations)
    assert max(result.moves, key=lambda move: move.visits).proof == "loss"
    tree = engine.tree()
    visits, values, priors = (tree[name][1 : 1 + len(result.moves)] for name in ("visits", "value", "prior"))

    def score(i, n):
        return values[i] + 1.25 * priors[i] * math.sqrt(tree["visits"][0]) / (1 + n)

    best = max((i for i, move in enumerate(result.moves) if move.proof != "loss"), key=visits.__getitem__)
    for i, move in enumerate(result.moves):
        kept = int(visits[i])
        for _ in range(math.ceil(math.sqrt(12 * priors[i] * visits.sum())) if i != best else 0):
            kept -= kept > 0 and score(i, kept - 1) < score(best, visits[best])
        assert move.weight == (0 if kept == 1 < visits[i] else kept)


def test_extreme_numbers_do_no_harm(backend):
    for changes in (
        {"forced_visits": 1e9, "root_policy_temperature": 1e9, "exploration_base": 1.0, "first_play_reduction": 1e9},
        {"root_policy_temperature": 5e-324, "forced_visits": 5e-324, "exploration": 1e300},
        {"forced_visits": 9.0, "exploration": -1e308, "root_policy_temperature": 1e-9},
        {"forced_visits": 9.0, "exploration": 1e308, "root_policy_temperature": 1e-9},
    ):
        engine = Engine(PUCT.changed(**changes), seed=1, backend=backend, evaluator=uniform)
        result = engine.search(Board(), simulations=50)
        assert result.policy().sum() == pytest.approx(1)
        assert result.policy().min() >= 0
        require_whole(engine)
