"""Rollouts, game by game, against the same policies on the naive game."""

import pytest
from oracles.board import Game
from oracles.uct import Dice, rollout

from c4mcts import Board, Rules, rollouts
from c4mcts._layout import DECISIVE, RANDOM, SAFE

POLICIES = {"random": RANDOM, "decisive": DECISIVE, "safe": SAFE}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("rules", "moves", "games"),
    [
        (Rules(), [], 40),
        (Rules(), [3, 3, 3, 3, 3, 2, 2, 4], 40),
        (Rules(7, 6, 4, diagonals=False), [3], 6),
        (Rules(5, 4, 3), [], 30),
        (Rules(4, 4, 2), [], 20),
        (Rules(7, 6, 5), [], 20),
        (Rules(9, 9), [4], 10),
        (Rules(9, 8, 5, diagonals=False), [4], 8),
        (Rules(20, 14), [], 4),
        (Rules(1, 7, 3), [], 5),
        (Rules(64, 1, 3), [], 3),
        (Rules(2, 33, 3), [0, 0], 3),
        (Rules(3, 3, 4), [], 20),
    ],
    ids=str,
)
def test_games_are_those_of_the_naive_policy(modules, policy, rules, moves, games):
    board = Board.from_moves(moves, rules)
    state = (2024, len(moves) + rules.width)
    for _ in range(games):
        game = Game(rules.width, rules.height, rules.connect, rules.diagonals)
        for column in moves:
            game.drop(column)
        random_bits, _ = modules.rng.stream(state, 5000)
        played = rollout(game, Dice(random_bits, rules.width), policy)
        winner = game.winner()
        *counts, plies, state = modules.rollout.rollouts(rules, board.own, board.mask, state, 1, POLICIES[policy])
        assert plies == played
        assert counts == [winner == board.turn, winner == 1 - board.turn, winner is None]


def test_a_careful_policy_sees_what_chance_overlooks(backend):
    """Three on the ground with both ends free, and the opponent to move: lost in two plies, whatever is played."""
    board = Board.from_moves([2, 2, 3, 3, 4])
    for policy in ("decisive", "safe"):
        stats = rollouts(board, 50, seed=1, policy=policy, backend=backend)
        assert (stats.first, stats.plies) == (50, 100)
    assert rollouts(board, 500, seed=1, backend=backend).first < 500


@pytest.mark.parametrize("policy", ["greedy", "", None, 1, ["safe"]])
def test_unknown_policies(policy):
    with pytest.raises(ValueError, match="policy must be one of 'random', 'decisive', 'safe', not"):
        rollouts(Board(), 1, policy=policy)
