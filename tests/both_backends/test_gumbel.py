"""Gumbel AlphaZero: against a naive program of the paper's formulas, and what users may rely on."""

import math
from functools import partial

import numpy as np
import pytest
from evaluators import fingerprint, spread
from forging import packed, unpacked
from oracles.evaluation import as_game, policy
from oracles.gumbel import GumbelNode, schedule
from pools import generated
from trees import require_same_puct_tree, require_whole
from variants import variant

from c4mcts import Board, Engine, GumbelParams, Rules, search_ensemble
from c4mcts._backend import load
from c4mcts.play import EnginePlayer
from c4mcts.seeds import generator_state
from c4mcts.selfplay import NO_PROOF

BINARY = GumbelParams(batch_size=1)
GUMBEL = variant(BINARY, signed_planes=True)


@pytest.mark.parametrize(
    "changes", [{}, {"proofs": False, "checks": False}, {"max_num_considered_actions": 4}], ids=str
)
@pytest.mark.parametrize(
    ("rules", "moves", "simulations"),
    [
        (Rules(), [], 100),
        (Rules(), [3, 3, 3, 3, 3], 80),
        (Rules(), [3, 0, 3, 1, 2, 6], 60),
        (Rules(5, 4, 4), [2, 2, 2], 300),
        (Rules(4, 4, 4), [0, 1, 2, 3, 0, 1, 2], 400),
        (Rules(9, 9), [4, 4], 40),
        (Rules(7, 6, 4, diagonals=False), [3, 3, 2], 50),
    ],
    ids=str,
)
def test_trees_are_those_of_the_formulas(rules, moves, simulations, changes):
    params = GUMBEL.changed(**changes)
    engine = Engine(params, seed=4, evaluator=spread)
    board = Board.from_moves(moves, rules)
    result = engine.search(board, simulations=simulations)
    options = {"proofs": params.proofs, "considered": params.max_num_considered_actions}
    root = type("Node", (GumbelNode,), options)()
    scale, columns = params.settings.gumbel_scale, len(board.legal_columns)
    noise = load().numbers.root_gumbel(generator_state(4), 1, scale, columns)
    gumbel = dict(zip(board.legal_columns, noise, strict=True))
    root.search(as_game(rules, moves), partial(policy, evaluator=spread), gumbel, simulations)
    require_same_puct_tree(engine.tree(), root)
    assert result.simulations == root.N
    require_whole(engine)
    if result.proof is None:
        shares = np.zeros(rules.width)
        for column, share in root.improved().items():
            shares[column] = share
        np.testing.assert_allclose(result.policy(), shares, atol=1e-12)
    if not any(move.proof for move in result.moves) and not board.threatened_columns():
        assert result.column == root.best(gumbel)


@pytest.mark.parametrize("simulations", [1, 2, 7, 50, 200])
@pytest.mark.parametrize("actions", [1, 3, 16])
def test_visits_are_those_of_sequential_halving(simulations, actions):
    """The visits of the root's children are a result of the schedule alone, no matter what the batches are."""
    expected, plan = [0] * 7, schedule(simulations, min(actions, 7))
    for wanted in plan:
        expected[expected.index(wanted)] += 1
    for batch_size in (1, 5, 64):
        params = GUMBEL.changed(max_num_considered_actions=actions, proofs=False, batch_size=batch_size)
        result = Engine(params, seed=2, evaluator=spread).search(Board(), simulations=simulations + 1)
        assert sorted(move.visits for move in result.moves) == sorted(expected)


def test_gumbel_samples_have_the_moments_of_the_distribution(modules):
    """Mean 0.5772 and variance pi^2 / 6, within five standard errors; a scale is a factor."""
    n = 4000
    samples = np.array([modules.numbers.root_gumbel((seed, 3), 1, 1.0, 5) for seed in range(n // 5)]).reshape(-1)
    deviation = math.pi / math.sqrt(6)
    assert abs(samples.mean() - 0.5772156649) < 5 * deviation / math.sqrt(n)
    assert abs(samples.var() / deviation**2 - 1) < 5 * math.sqrt(4.4 / n)  # the excess kurtosis is 2.4
    assert modules.numbers.root_gumbel((7, 8), 2, 0.5, 3) == pytest.approx(
        [0.5 * g for g in modules.numbers.root_gumbel((7, 8), 2, 1.0, 3)]
    )
    assert modules.numbers.root_gumbel((7, 8), 2, 1.0, 0) == []


def test_without_simulations_of_moves_a_move_is_drawn_from_the_prior():
    """The Gumbel-max trick: after the evaluation of the root alone, the highest g + ln P is a sample of P."""
    n, params = 600, GUMBEL.changed(checks=False)
    chosen = [Engine(params, seed=seed, evaluator=spread).search(Board(), simulations=1).column for seed in range(n)]
    prior, _ = policy(as_game(Rules(), []), spread)
    for column in range(7):
        assert abs(chosen.count(column) / n - prior[column]) < 4 * 0.5 / math.sqrt(n)


def test_without_noise_seeds_do_not_matter():
    params = GUMBEL.changed(gumbel_scale=0.0)
    results = [Engine(params, seed=seed, evaluator=spread).search(Board(), simulations=40) for seed in (1, 2)]
    assert results[0].moves == results[1].moves
    params = GUMBEL.changed(max_num_considered_actions=3)
    noisy = [Engine(params, seed=seed, evaluator=spread).search(Board(), simulations=8) for seed in range(9)]
    assert len({tuple(move.visits for move in result.moves) for result in noisy}) > 3
    assert len({result.column for result in noisy}) > 1


def test_the_policy_at_other_temperatures():
    result = Engine(GUMBEL, seed=1, evaluator=spread).search(Board(), simulations=30)
    shares = np.array([move.weight for move in result.moves])
    np.testing.assert_allclose(result.policy(), shares, atol=1e-12)
    np.testing.assert_allclose(result.policy(0.5), shares**2 / (shares**2).sum(), atol=1e-12)
    assert result.policy(0).tolist() == (shares == shares.max()).astype(float).tolist()
    assert result.policy(math.inf).tolist() == pytest.approx([1 / 7] * 7)


def test_a_tree_without_children_has_a_policy():
    result = Engine(GUMBEL.changed(max_nodes=1), seed=1, evaluator=spread).search(Board(), simulations=9)
    assert result.policy().tolist() == pytest.approx([1 / 7] * 7)
    assert all(move.weight is None for move in result.moves)


def test_priors_of_zero_are_searched_last():
    def sure(planes, legal):
        return np.eye(7)[[2] * len(legal)], np.zeros(len(legal))

    params = BINARY.changed(max_num_considered_actions=2, proofs=False)
    result = Engine(params, seed=1, evaluator=sure).search(Board(), simulations=17)
    assert result.column == 2
    assert sorted(move.visits for move in result.moves) == [0, 0, 0, 0, 0, 8, 8]
    assert result.policy()[2] > 0.999


def test_each_search_starts_anew():
    engine = Engine(BINARY, seed=1, evaluator=spread)
    for _ in range(2):
        assert engine.search(Board(), simulations=20).simulations == 20
        assert engine.tree()["visits"][0] == 20
    loaded = unpacked(packed(engine), evaluator=spread)
    assert loaded.search(Board(), simulations=20).moves == engine.search(Board(), simulations=20).moves
    assert {child.ucb for child in engine.node().children} == {None}


def test_it_needs_a_number_of_simulations():
    engine = Engine(GUMBEL, seed=1, evaluator=spread)
    for call in (
        lambda: engine.search(Board(), seconds=1, nodes=5),
        lambda: engine.search(Board(), clock=(1, 0)),
        lambda: engine.analysis(Board()),
        lambda: EnginePlayer(GUMBEL, evaluator=spread, seconds=1),
        lambda: search_ensemble(Board(), GUMBEL, evaluator=spread, seconds=1),
    ):
        with pytest.raises(ValueError, match=r"GumbelParams divide .*: it needs a limit in simulations"):
            call()


def test_trees_of_an_ensemble_are_added_up():
    search = partial(search_ensemble, Board(), GUMBEL, trees=3, seed=1, evaluator=fingerprint)
    result = search(simulations=33)
    assert result.simulations == 99
    most = [move for move in result.moves if move.visits == max(each.visits for each in result.moves)]
    assert result.column == max(most, key=lambda move: move.weight).column
    assert result.policy().sum() == pytest.approx(1)


def test_rows_of_self_play_have_the_improved_policy():
    """Also for moves without visits; without drawn moves games differ by the Gumbel samples alone."""
    params = GUMBEL.changed(max_num_considered_actions=2)
    options = {"simulations": 9, "seed": 1, "evaluator": spread, "temperature_plies": 0, "start": Board(Rules(5, 4))}
    data, again = generated(4, params, **options), generated(4, params, concurrent=2, **options)
    assert all((getattr(data, name) == getattr(again, name)).all() for name in ("column", "policy", "visits", "value"))
    assert len({tuple(data.column[data.game == game]) for game in range(4)}) > 2
    unvisited = (data.visits == 0) & (data.policy > 0) & (data.proof == NO_PROOF)[:, None]
    assert unvisited.any(axis=1).mean() > 0.3
