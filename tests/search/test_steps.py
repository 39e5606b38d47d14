"""The simulations of a search one by one are those of the engine, and say why each went where it went."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from strategies import boards, params

from c4mcts import Board, Engine, GameOverError, Rules, SearchParams, UctParams
from c4mcts._layout import ROOT
from c4mcts.search.steps import simulation_steps

UCT = SearchParams.preset("uct")


def facts_of(steps, units):
    """What the steps say of each node: visits, rewards, proof, children."""
    visits, sums, proofs, children = {}, {}, {}, {}
    for step in steps:
        for node in step.backup:
            visits[node.node], sums[node.node] = node.visits, round(node.value * node.visits * units)
        proofs |= {change.node: change.proof for change in step.proofs}
        children |= {each.node: [child for child, _ in each.children] for each in step.expanded}
    return visits, sums, proofs, children


def require_same(steps, tree, units):
    visits, sums, proofs, children = facts_of(steps, units)
    outcomes = {1: "win", 2: "draw", 3: "loss"}
    for index, node in enumerate(tree):
        assert visits.get(index, 0) == node["visits"]
        assert sums.get(index, 0) == node["value_sum"]
        assert proofs.get(index) == outcomes.get(int(node["proof"]) >> 13)
        first, size = int(node["children"]), int(node["size"])
        assert children.get(index, []) == list(range(first, first + size))


@settings(max_examples=30, deadline=None)
@given(boards(longest=60), params(), st.integers(0, 2**32), st.integers(1, 80))
def test_the_steps_make_the_tree_of_the_engine(board, params, seed, simulations):
    engine = Engine(params, seed=seed)
    simulations = max(1, min(simulations, 30_000 // (board.rules.cells - board.ply + 20)))
    result = engine.search(board, simulations=simulations)
    steps = list(simulation_steps(board, params, simulations=simulations, seed=seed))
    assert len(steps) == result.simulations
    require_same(steps, engine.tree(), params.settings.win)


@settings(max_examples=30, deadline=None)
@given(boards(longest=60), params(), st.integers(0, 2**32))
def test_each_step_is_a_game_that_can_be_played(board, params, seed):
    for step in simulation_steps(board, params, simulations=20, seed=seed):
        after = board.after(*step.path, *step.rollout)
        if not step.is_proven:
            assert after.is_over()
            assert after.outcome().winner == step.winner
        else:
            assert step.rollout == ()
        assert len(step.selected) == len(step.path) == len(step.backup) - 1
        assert [level.column for level in step.selected] == list(step.path)


def test_the_child_selected_has_the_highest_score():
    for step in simulation_steps(Board(), UCT, simulations=200, seed=1):
        for level in step.selected:
            best = max(level.candidates, key=lambda child: child.ucb)
            assert level.column == best.column
            for child in level.candidates:
                if child.visits:
                    bonus = math.sqrt(2 * math.log(level.visits) / child.visits)
                    assert child.ucb == pytest.approx(child.value + bonus)
                else:
                    assert (child.value, child.ucb) == (None, math.inf)


def test_the_first_simulations_of_the_textbook():
    """Each column is tried once; then the first child that is selected again gets children."""
    steps = list(simulation_steps(Board(), UCT, simulations=8, seed=1))
    assert [step.path for step in steps[:7]] == [(column,) for column in range(7)]
    assert [step.leaf for step in steps[:7]] == list(range(7))
    assert [len(step.expanded) for step in steps] == [1, 0, 0, 0, 0, 0, 0, 1]
    assert steps[0].expanded[0].children == tuple((column + 1, column) for column in range(7))
    best = max(range(7), key=lambda column: steps[7].selected[0].candidates[column].ucb)
    assert steps[7].path == (best, 0)
    rewards = [node.reward for node in steps[7].backup]
    assert rewards == [rewards[0], 1 - rewards[0], rewards[0]]
    assert steps[7].reward == 1 - rewards[0]  # of the player who moves at the root, not of the one who moved before


def test_a_careful_rollout_shows_its_winning_move():
    """The engine ends such a game when it sees the win; the disc is added for people."""
    board = Board.from_pons("1212")
    steps = [step for step in simulation_steps(board, UCT.changed(rollout="decisive"), simulations=30, seed=2)]
    assert any(step.rollout[-1:] == (0,) for step in steps)
    assert {step.winner for step in steps} >= {0}


def test_proofs_are_told_when_they_are_found():
    strong = UctParams(probes=False)
    steps = list(simulation_steps(Board.from_pons("44455554221"), strong, simulations=500, seed=1))
    found = [change.proof for step in steps for change in step.proofs if change.node == ROOT]
    result = Engine(strong, seed=1).search(Board.from_pons("44455554221"), simulations=500)
    assert result.proof is not None
    assert len(steps) == result.simulations < 500
    assert found[-1] is not None
    assert steps[-1].proofs[0].node == ROOT


def test_steps_without_a_limit_go_on():
    steps = simulation_steps(Board(Rules(4, 4, 3)), UCT, seed=1)
    assert [next(steps).number for _ in range(300)] == list(range(1, 301))
    steps.close()


test_wrong_arguments = refused(
    (lambda: simulation_steps("1212121"), GameOverError, "the game is over"),
    (lambda: simulation_steps(Board(), simulations=0), ValueError, "simulations"),
    (lambda: simulation_steps(Board(), "uct"), TypeError, "params"),
    (lambda: simulation_steps(Board(), SearchParams.preset("alphazero")), ValueError, "evaluator"),
)


def test_rewards_are_discounted():
    """By the plies from the root to the end of each game; a step without proofs is a whole one."""
    params = SearchParams.preset("uct", discount=0.9)
    for step in simulation_steps(Board(Rules(5, 4)), params, simulations=60, seed=4):
        plies = len(step.path) + len(step.rollout)
        kept = 0.0 if step.winner is None else 0.5 * 0.9**plies
        assert step.reward == pytest.approx(0.5 + kept if step.winner == 0 else 0.5 - kept, abs=0.006)


def test_a_random_opponent_selects_without_scores():
    params = SearchParams.preset("report-random")
    for step in simulation_steps(Board(), params, simulations=50, seed=1):
        for depth, level in enumerate(step.selected):
            assert all((child.ucb is None) == (depth % 2 == 1) for child in level.candidates)
