"""refine: which columns the solver is asked about, in which order, and when it is not asked any more."""

import random

import pytest

from c4mcts import Board, Rules, solve
from c4mcts.search.root_bounds import RootBounds
from c4mcts.search.score_refinement import refine

SMALL = Rules(5, 4, 4)


class Oracle:
    """A solver that knows the scores of all columns of a position, and writes down what it is asked."""

    def __init__(self, board):
        self.board = board
        self.scores = {column: score for column, score in enumerate(solve(board).columns) if score is not None}
        self.asked = []  # (column, score that it must have at least)

    def nodes(self):
        return 1000

    def solve(self, own, mask, lower, upper, budget, poll):
        assert upper == lower + 1, "a question of yes or no"
        (column,) = (c for c in self.scores if played(self.board, c) == (own, mask))
        self.asked.append((column, -lower))
        reply = -self.scores[column]
        return (upper, 99) if reply > lower else (-99, lower)


def played(board, column):
    """The discs after a move, as a solver takes them."""
    after = board.copy()
    after.push(column)
    return after.own, after.mask


def position(outcome, seed):
    """A random position of a proven outcome with several columns, of which none wins at once, and its bounds.

    Of a win one column is known to win, of a loss all are known to lose, but not how fast.
    """
    chance = random.Random(seed)
    while True:
        board = Board(SMALL)
        while not board.is_over() and board.ply < 8:
            board.push(chance.choice(board.legal_columns))
        if board.is_over() or board.winning_columns() or board.threatened_columns():
            continue
        scores = {column: score for column, score in enumerate(solve(board).columns) if score is not None}
        winning = [column for column, score in scores.items() if score > 0]
        bounds = RootBounds.of(board)
        if outcome == "win" and winning:
            return board, bounds.narrowed(chance.choice(winning), (1, 99))
        if outcome == "loss" and max(scores.values()) < 0:
            for column in scores:
                bounds = bounds.narrowed(column, (-99, -1))
            return board, bounds


def refined(board, bounds, order):
    solver = Oracle(board)
    return refine(bounds, board, solver, order, 10**6, lambda: False), solver


@pytest.mark.parametrize("outcome", ["win", "loss"])
@pytest.mark.parametrize("seed", range(8))
def test_the_exact_score_is_found_in_any_order(outcome, seed):
    board, bounds = position(outcome, seed)
    order = random.Random(seed).sample(board.legal_columns, len(board.legal_columns))
    found, _ = refined(board, bounds, order)
    assert found.proof() == (outcome, solve(board).distance)
    assert max(low for low, _ in found.columns.values()) == max(high for _, high in found.columns.values())


@pytest.mark.parametrize("seed", range(8))
def test_a_faster_win_is_looked_for_where_a_win_is_known(seed):
    """Then in the other columns, in the given order; each question is whether a column is faster than all before."""
    board, bounds = position("win", seed)
    (known,) = (column for column, (lower, _) in bounds.columns.items() if lower > 0)
    order = board.legal_columns[::-1]
    found, solver = refined(board, bounds, order)
    assert solver.asked[0] == (known, 2)
    fastest = 1
    for column, threshold in solver.asked:
        assert threshold == fastest + 1
        fastest = max(fastest, threshold if solver.scores[column] >= threshold else fastest)
    assert found.proof() == ("win", solve(board).distance)


@pytest.mark.parametrize("seed", range(8))
def test_the_slowest_loss_is_looked_for_in_the_given_order(seed):
    """Each question is whether the slowest loss that is still possible holds."""
    board, bounds = position("loss", seed)
    order = random.Random(seed).sample(board.legal_columns, len(board.legal_columns))
    _, solver = refined(board, bounds, order)
    thresholds = [threshold for _, threshold in solver.asked]
    assert thresholds == sorted(thresholds, reverse=True)
    for threshold in set(thresholds):
        columns = [column for column, asked in solver.asked if asked == threshold]
        assert columns == [column for column in order if column in columns]
    assert thresholds[0] == -1


def test_nothing_is_asked_where_the_outcome_is_open_or_a_draw():
    bounds = RootBounds.of(Board(SMALL))
    drawn = bounds
    for column in range(5):
        drawn = drawn.narrowed(column, (-99, 0))
    drawn = drawn.narrowed(2, (0, 0))
    for known in (drawn, drawn.narrowed(2, (0, 0))):
        found, solver = refined(Board(SMALL), known, range(5))
        assert (found, solver.asked) == (known, [])


@pytest.mark.parametrize("outcome", ["win", "loss"])
def test_a_solver_that_reaches_its_limit_is_not_asked_again(outcome):
    board, bounds = position(outcome, 1)
    solver = Oracle(board)
    solver.solve = lambda *question: solver.asked.append(question) or (-99, 99)
    assert refine(bounds, board, solver, board.legal_columns, 500, lambda: False) == bounds
    ((*_, budget, _),) = solver.asked
    assert budget == 1500, "the nodes that it has searched before, and those that it may search now"


def test_a_solver_that_contradicts_what_is_known_is_not_asked_again():
    """Its table comes from a forged file; what it says takes the place of the bounds."""
    board, bounds = position("win", 1)
    solver = Oracle(board)
    solver.solve = lambda *question: solver.asked.append(question) or (5, 7)
    found = refine(bounds, board, solver, board.legal_columns, 500, lambda: False)
    assert len(solver.asked) == 1
    assert (-7, -5) in found.columns.values()
