"""Rollouts, game by game, against the same policies on the naive game."""

import pytest
from oracles.evaluation import as_game
from oracles.uct import LANES, Dice, RandomColumns, lane_games, random_game, rollout

from c4mcts import Board, Rules, rollouts
from c4mcts._backend import load
from c4mcts._layout import DECISIVE, RANDOM, SAFE

POLICIES = {"random": RANDOM, "decisive": DECISIVE, "safe": SAFE}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("rules", "moves", "games"),
    [
        (Rules(), [], 60),
        (Rules(), [3, 3, 3, 3, 3, 2, 2, 4], 60),
        (Rules(7, 6, 4, diagonals=False), [3], 6),
        (Rules(5, 4, 3), [], 49),
        (Rules(4, 4, 2), [], 20),
        (Rules(7, 6, 5), [], 20),
        (Rules(9, 9), [4], 10),
        (Rules(9, 8, 5, diagonals=False), [4], 8),
        (Rules(20, 14), [], 4),
        (Rules(1, 7, 3), [], 25),
        (Rules(64, 1, 3), [], 3),
        (Rules(2, 33, 3), [0, 0], 3),
        (Rules(8, 20), [2, 2, 2, 2, 2, 2], 26),
        (Rules(4, 30, 4, diagonals=False), [], 26),
        (Rules(3, 3, 4), [], 20),
    ],
    ids=str,
)
def test_games_are_those_of_the_naive_policy(policy, rules, moves, games):
    """By one backend: tests/parity compares the games of both."""
    modules, board = load(), Board.from_moves(moves, rules)
    state = (2024, len(moves) + rules.width)
    expected = [0, 0, 0, 0]
    seeds, _ = modules.numbers.stream(state, 2 * LANES)
    for lane in range(LANES):
        random_bits, _ = modules.numbers.stream(seeds[2 * lane : 2 * lane + 2], 5000)
        columns, dice = RandomColumns(random_bits, rules.width), Dice(random_bits, rules.width)
        for _ in range(lane_games(games, lane)):
            game = as_game(rules, moves)
            expected[3] += random_game(game, columns) if policy == "random" else rollout(game, dice, policy)
            expected[{board.turn: 0, 1 - board.turn: 1, None: 2}[game.winner()]] += 1
    arguments = (rules, board.own, board.mask, state, games, POLICIES[policy], bool)
    assert list(modules.rollout.rollouts(*arguments)) == expected


def test_a_careful_policy_sees_what_chance_overlooks():
    """Three on the ground with both ends free, and the opponent to move: any move loses in two plies."""
    board = Board.from_moves([2, 2, 3, 3, 4])
    for policy in ("decisive", "safe"):
        stats = rollouts(board, 50, seed=1, policy=policy)
        assert (stats.first, stats.plies) == (50, 100)
    assert rollouts(board, 500, seed=1).first < 500
