"""The best response to a policy, compared with a search of all games without the solver."""

import numpy as np
import pytest

from c4mcts import Board, Rules, study


def uneven(board):
    """Probabilities that look random, and are the same for each position."""
    weights = np.random.default_rng(board.own * 997 + board.mask).random(board.rules.width) ** 3
    weights *= [board.is_legal(column) for column in range(board.rules.width)]
    return weights / weights.sum()


def value(board, turn):
    if board.is_over():
        return board.result(1 - turn)
    values = {column: value(board.after(column), turn) for column in board.legal_columns}
    return sum(uneven(board)[c] * values[c] for c in values) if board.turn == turn else max(values.values())


@pytest.mark.parametrize("rules", [Rules(3, 3, 3), Rules(4, 2, 3), Rules(2, 4, 3)], ids=str)
def test_it_gets_what_no_opponent_can_exceed(rules):
    found = study.best_response(uneven, rules)
    assert found.against_first == pytest.approx(value(Board(rules), 0))
    assert found.against_second == pytest.approx(value(Board(rules), 1))
    assert found.exploitability == pytest.approx((found.against_first + found.against_second) / 2)
    assert found.exploitability > 0


@pytest.mark.parametrize("answer", [None, [1, 0], [0.5, 0.5, 0.5, 0.5], [2, -1, 0, 0], [np.nan] * 4, 3])
def test_what_is_no_policy_is_refused(answer):
    with pytest.raises(ValueError, match="policy must be a function that returns the probabilities of the 4 columns"):
        study.best_response(lambda board: answer, Rules(4, 2, 3))


def test_a_full_column_has_no_probability():
    with pytest.raises(ValueError, match="sum of 1 for the legal ones"):
        study.best_response(lambda board: [1, 0, 0], Rules(3, 2, 3))
