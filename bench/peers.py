"""Searches of other packages on the standard board, written as their users would: plain UCT, one rollout per leaf.

Each function takes moves (columns from 0) and a number of simulations, and returns a job. It raises ImportError if its
package is not installed.
"""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from measure import Job

WIDTH, HEIGHT = 7, 6
STRIDE = HEIGHT + 1
# on rewards from -1 to 1 the same as sqrt 2 on rewards from 0 to 1
EXPLORATION = 2 * math.sqrt(2)
MEMORY_MB = 8192


class State:
    """A bitboard state in plain Python that follows the protocols of mctspy and mcts."""

    __slots__ = ("game_result", "mask", "next_to_move", "own")

    def __init__(self, own: int = 0, mask: int = 0, next_to_move: int = 1, game_result: int | None = None) -> None:
        self.own = own
        self.mask = mask
        self.next_to_move = next_to_move
        self.game_result = game_result

    def is_game_over(self) -> bool:
        return self.game_result is not None

    def get_legal_actions(self) -> list[int]:
        return [column for column in range(WIDTH) if not self.mask >> column * STRIDE + HEIGHT - 1 & 1]

    def move(self, action: int) -> "State":
        mask = self.mask | self.mask + (1 << action * STRIDE)
        discs = self.own | mask ^ self.mask
        result = None
        for step in (1, HEIGHT, STRIDE, STRIDE + 1):
            pairs = discs & discs >> step
            if pairs & pairs >> 2 * step:
                result = self.next_to_move
                break
        else:
            if mask.bit_count() == WIDTH * HEIGHT:
                result = 0
        return State(discs ^ mask, mask, -self.next_to_move, result)

    getPossibleActions = get_legal_actions
    takeAction = move
    isTerminal = is_game_over

    def getCurrentPlayer(self) -> int:
        return self.next_to_move

    def getReward(self) -> int | None:
        return self.game_result


def played(moves: Sequence[int]) -> State:
    """The state after these moves."""
    state = State()
    for column in moves:
        state = state.move(column)
    return state


def open_spiel_state(moves: Sequence[int]) -> tuple[Any, Any]:
    """OpenSpiel's game, and its state after these moves."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    for column in moves:
        state.apply_action(column)
    return game, state


def open_spiel_cpp(moves: Sequence[int], simulations: int) -> Job:
    import pyspiel

    game, state = open_spiel_state(moves)

    def job() -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, MEMORY_MB, False, 1, False)
        bot.step(state)  # releases the GIL, as mcts_search does not

    return job


def open_spiel_python(moves: Sequence[int], simulations: int) -> Job:
    import numpy as np
    from open_spiel.python.algorithms import mcts

    game, state = open_spiel_state(moves)

    def job() -> None:
        random = np.random.RandomState(1)
        evaluator = mcts.RandomRolloutEvaluator(1, random)
        mcts.MCTSBot(game, EXPLORATION, simulations, evaluator, solve=False, random_state=random).mcts_search(state)

    return job


def mctspy(moves: Sequence[int], simulations: int) -> Job:
    from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
    from mctspy.tree.search import MonteCarloTreeSearch

    state = played(moves)
    return lambda: MonteCarloTreeSearch(TwoPlayersGameMonteCarloTreeSearchNode(state)).best_action(simulations)


def mcts(moves: Sequence[int], simulations: int) -> Job:
    from mcts import mcts as search

    return partial(search(iterationLimit=simulations).search, played(moves))


PEERS = {
    "OpenSpiel C++ MCTSBot": (open_spiel_cpp, "open_spiel"),
    "OpenSpiel Python MCTSBot": (open_spiel_python, "open_spiel"),
    "mctspy": (mctspy, "mctspy"),
    "mcts": (mcts, "mcts"),
}
