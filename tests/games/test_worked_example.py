"""The example by which UCB is often explained: states S0 to S4, rollouts worth 20, 10 and 0, C = 2.

After J. Levine's lecture "Monte Carlo Tree Search" (2017): S0 has the children S1 and S2, S1 the children S3 and S4.
The numbers below are those of the lecture, worked out by hand.
"""

from math import inf, log, sqrt

import pytest

from c4mcts import SearchParams
from c4mcts.games import GameSearch

CHILDREN = {"S0": ("S1", "S2"), "S1": ("S3", "S4"), "S2": ("S5", "S6")}
RESULTS = {"S3": -1, "S4": 1, "S5": 0, "S6": 0}  # for the first player: worth 0, 20, 10 and 10
SEED = 2  # with it the rollout of S1 goes through S4


class Example:
    """The states as a game of two players; the last two moves of each line decide."""

    def __init__(self, state="S0", turn=0):
        self.state, self.turn = state, turn

    def copy(self):
        return Example(self.state, self.turn)

    @property
    def legal_moves(self):
        return CHILDREN.get(self.state, ("end " + self.state,))

    def push(self, move):
        self.state, self.turn = move, 1 - self.turn

    def is_over(self):
        return self.state.startswith("end")

    def result(self, player):
        result = RESULTS[self.state.removeprefix("end ")]
        return result if player == 0 else -result


PARAMS = SearchParams.preset("uct", exploration=2, rewards=(20, 10, 0))


def totals(result):
    """Sum of the rewards and visits of each move, for the player to move."""
    return {move.move: (round(20 * (move.value or 0) * move.visits), move.visits) for move in result.moves}


def ucb(total, visits, parent):
    return total / visits + 2 * sqrt(log(parent) / visits) if visits else inf


def test_four_iterations():
    search = GameSearch(Example(), PARAMS, seed=SEED)
    expected = [
        {"S1": (20, 1), "S2": (0, 0)},
        {"S1": (20, 1), "S2": (10, 1)},  # both scores were infinite or lower: 20 and 10 so far
        {"S1": (20, 2), "S2": (10, 1)},  # 21.67 against 11.67: S1, whose child S3 is worth 0
        {"S1": (20, 2), "S2": (20, 2)},  # 11.48 against 12.10: S2
    ]
    scores = []
    for iteration, after in enumerate(expected, start=1):
        found = totals(search.search(simulations=1))
        assert found == after
        scores.append([ucb(*found[state], iteration) for state in ("S1", "S2")])
    assert scores[1] == pytest.approx([21.67, 11.67], abs=0.01)
    assert scores[2] == pytest.approx([11.48, 12.10], abs=0.01)


def test_the_child_of_s1_is_worth_nothing_to_the_first_player():
    search = GameSearch(Example(), PARAMS, seed=SEED)
    search.search(simulations=3)
    search.advance("S1")
    third, fourth = search._root.children
    assert [(child.move, child.visits) for child in (third, fourth)] == [("S3", 1), ("S4", 0)]
    assert third.total == 1, "20 for the second player, who moves there: 0 for the first"
