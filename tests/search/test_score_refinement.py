"""refine: which columns the solver is asked about, in which order, and when it is not asked any more."""

import random

import pytest

from c4mcts import Board, Rules, solve
from c4mcts._backend import load
from c4mcts._platform import to_the_end
from c4mcts.search.results import MoveStats
from c4mcts.search.root_moves import RootMoves, refine

SMALL = Rules(5, 4, 4)


def moves_of(board):
    return RootMoves(load("pure"), board)


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
        moves = moves_of(board)
        if outcome == "win" and winning:
            moves.narrow(chance.choice(winning), (1, 99))
            return board, moves
        if outcome == "loss" and max(scores.values()) < 0:
            for column in scores:
                moves.narrow(column, (-99, -1))
            return board, moves


def refined(board, moves, order=()):
    """Refine the bounds of moves with a solver, which is returned. order: of the columns, the most visited first."""
    for rank, column in enumerate(order):
        moves.set_statistics(MoveStats(column, 99 - rank, 0.5, None, None, None, (column,)))
    solver = Oracle(board)
    to_the_end(refine, moves, board, solver, 10**6, lambda: False)
    return solver


@pytest.mark.parametrize("outcome", ["win", "loss"])
@pytest.mark.parametrize("seed", range(8))
def test_the_exact_score_is_found_in_any_order(outcome, seed):
    board, moves = position(outcome, seed)
    refined(board, moves, random.Random(seed).sample(board.legal_columns, len(board.legal_columns)))
    assert moves.proof() == (outcome, solve(board).distance)
    assert max(low for low, _ in moves.bounds().values()) == max(high for _, high in moves.bounds().values())


@pytest.mark.parametrize("seed", range(8))
def test_a_faster_win_is_looked_for_where_a_win_is_known(seed):
    """Then in the others, the most visited first; each question is whether a column is faster than all before."""
    board, moves = position("win", seed)
    (known,) = (column for column, (lower, _) in moves.bounds().items() if lower > 0)
    solver = refined(board, moves, board.legal_columns[::-1])
    assert solver.asked[0] == (known, 2)
    fastest = 1
    for column, threshold in solver.asked:
        assert threshold == fastest + 1
        fastest = max(fastest, threshold if solver.scores[column] >= threshold else fastest)
    assert moves.proof() == ("win", solve(board).distance)


@pytest.mark.parametrize("seed", range(8))
def test_the_slowest_loss_is_looked_for_in_the_most_visited_columns_first(seed):
    """Each question is whether the slowest loss that is still possible holds."""
    board, moves = position("loss", seed)
    order = random.Random(seed).sample(board.legal_columns, len(board.legal_columns))
    solver = refined(board, moves, order)
    thresholds = [threshold for _, threshold in solver.asked]
    assert thresholds == sorted(thresholds, reverse=True)
    for threshold in set(thresholds):
        columns = [column for column, asked in solver.asked if asked == threshold]
        assert columns == [column for column in order if column in columns]
    assert thresholds[0] == -1


def test_nothing_is_asked_of_a_draw():
    board = Board(SMALL)
    moves = moves_of(board)
    for column in range(5):
        moves.narrow(column, (-99, 0))
    moves.narrow(2, (0, 0))
    known = moves.bounds()
    assert refined(board, moves).asked == []
    assert moves.bounds() == known


@pytest.mark.parametrize("outcome", ["win", "loss"])
def test_a_solver_that_reaches_its_limit_is_not_asked_again(outcome):
    board, moves = position(outcome, 1)
    solver, known = Oracle(board), moves.bounds()
    solver.solve = lambda *question: solver.asked.append(question) or (-99, 99)
    to_the_end(refine, moves, board, solver, 500, lambda: False)
    assert moves.bounds() == known
    ((*_, budget, _),) = solver.asked
    assert budget == 1500, "the nodes that it has searched before, and those that it may search now"


def test_a_solver_that_contradicts_what_is_known_is_not_asked_again():
    """Its table comes from a forged file; what it says takes the place of the bounds."""
    board, moves = position("win", 1)
    solver = Oracle(board)
    solver.solve = lambda *question: solver.asked.append(question) or (5, 7)
    to_the_end(refine, moves, board, solver, 500, lambda: False)
    assert len(solver.asked) == 1
    assert (-7, -5) in moves.bounds().values()
