"""The exact best response to a policy, and with it the exploitability of the policy; for small boards."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .._validation import function, must_be
from ..board.board import Board
from ..rules import Rules, rules_or_default
from ..solver.solver import Solver
from .experiment import require_solvable

ROUNDING = 1e-6  # by which the sum of probabilities may differ from 1


class BestResponse(NamedTuple):
    """The score of the best opponent against a policy: the mean of 1 for a win, 0 for a draw and -1 for a loss."""

    against_first: float  # where the policy moves first
    against_second: float

    @property
    def exploitability(self) -> float:
        """The mean of both, as OpenSpiel defines it for a policy that plays both sides; 0 for one that can't be beaten
        on average.
        """
        return (self.against_first + self.against_second) / 2


def best_response(policy: Callable[[Board], Any], rules: Rules | None = None) -> BestResponse:
    """Find how much the best opponent, who knows the policy, gets against it from the empty board.

    policy: a function from a board to the probabilities of all columns, of shape (width,). It is asked about each
    position once, unless the opponent has won it by exact values. All other games are tried, so this is for small
    boards: 4 x 3 takes seconds, 4 x 4 minutes. `play.exploit` is for players without chance, on any board.

    >>> from c4mcts import Rules
    >>> uniform = lambda board: [board.is_legal(column) / len(board.legal_columns) for column in range(2)]
    >>> result = best_response(uniform, Rules(2, 2, 2))
    >>> result.against_first, result.against_second, result.exploitability
    (-1.0, 1.0, 0.0)

    Raises TypeError or ValueError naming the argument, also for what the policy returns.
    """
    rules, policy = rules_or_default(rules), function("policy", policy)
    require_solvable(Board(rules), "rules", "describe a small board")
    solver = Solver(rules)

    @cache
    def value(board: Board, turn: int) -> float:
        """For the opponent. turn: the policy's, 0 or 1."""
        if board.is_over():
            return board.result(1 - turn)
        if board.turn == turn:
            chances = _probabilities(policy(board.copy()), board)
            return sum(chance * value(board.after(column), turn) for column, chance in enumerate(chances) if chance)
        if solver.reaches(board, 1):
            return 1.0
        return max(value(board.after(column), turn) for column in board.legal_columns)

    return BestResponse(float(value(Board(rules), 0)), float(value(Board(rules), 1)))


def _probabilities(answer: Any, board: Board) -> list[float]:
    """The answer of a policy, if it is probabilities of the legal columns. ValueError."""
    legal = np.array([board.is_legal(column) for column in range(board.rules.width)])
    with suppress(TypeError, ValueError):
        chances = np.asarray(answer, np.float64)
        if chances.shape == legal.shape and (chances >= 0).all() and abs(chances[legal].sum() - 1) < ROUNDING:
            return [float(chance) for chance in chances * legal]
    text = f"the probabilities of the {board.rules.width} columns, with a sum of 1 for the legal ones"
    raise ValueError(must_be("policy", f"a function that returns {text}", answer))
