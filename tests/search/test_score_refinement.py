"""Refinement: which columns the solver is asked about, in which order, when it is not asked any more; and lines."""

import random

import pytest
from random_boards import random_board

from c4mcts import Board, MoveStats, Rules, solve
from c4mcts._backend import load
from c4mcts._timer import Timer
from c4mcts.search import refinement
from c4mcts.search.refinement import Refinement
from c4mcts.search.root_moves import RootMoves, position_verdict

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

    def solve(self, own, mask, lower, upper, budget, poll, milliseconds):
        assert upper == lower + 1, "a question of yes or no"
        (column,) = (c for c in self.scores if played(self.board, c) == (own, mask))
        self.asked.append((column, -lower))
        reply = -self.scores[column]
        return (upper, 99) if reply > lower else (-99, lower)


def played(board, column):
    """The discs after a move, as a solver takes them."""
    after = board.after(column)
    return after.own, after.mask


def position(outcome, seed):
    """A random position of a proven outcome with several columns, of which none wins at once, and its bounds.

    Of a win one column is known to win, of a loss all are known to lose, but not how fast.
    """
    chance = random.Random(seed)
    while True:
        board = random_board(SMALL, 8, chance)
        if board.winning_columns() or board.threatened_columns():
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


def refine(moves, board, solver, lines=None):
    """Refine the bounds of moves until nothing is left to find out.

    lines: {} for those of all columns, and lines of best play.
    """
    refinement = Refinement(moves, board, solver, 10**9, Timer(None), bool, lines)
    while refinement.step():
        pass


def refined(board, moves, order=()):
    """Refine the bounds of moves with a solver, which is returned. order: of the columns, the most visited first."""
    for rank, column in enumerate(order):
        moves.set_statistics(MoveStats(column, 99 - rank, 0.5, None, -99, 99, 20))
    solver = Oracle(board)
    refine(moves, board, solver)
    return solver


@pytest.mark.parametrize("seed", range(4))
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
    assert position_verdict(moves.moves()) == solve(board).verdict


@pytest.mark.parametrize("seed", range(4))
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
    assert position_verdict(moves.moves()) == solve(board).verdict


def lines_of(board, backend="auto"):
    """The line of each column, after a refinement by the solver alone, and the scores."""
    moves, lines = RootMoves(load(backend), board), {}
    scores = {column: score for column, score in enumerate(solve(board).columns) if score is not None}
    for column, score in scores.items():
        moves.narrow(column, (score, score))
    refine(moves, board, load(backend).new_solver(board.rules), lines)
    return lines, scores


def require_best_play(board, line, score):
    """After the first move each move keeps the score of the position; `score` is that of the first."""
    for i, column in enumerate(line):
        if i:
            assert column in solve(board).best
            assert solve(board).score == score
        board.push(column)
        score = -score


@pytest.mark.parametrize("seed", range(3))
def test_lines_are_best_play_to_the_end(seed):
    board = random_board(SMALL, 9, random.Random(seed))
    lines, scores = lines_of(board)
    for column, line in lines.items():
        require_best_play(board.copy(), line, scores[column])
        assert line[0] == column
        assert board.after(*line).is_over()


@pytest.mark.native
def test_a_line_that_takes_long_ends_early(monkeypatch):
    board = Board(SMALL)
    whole, scores = lines_of(board, "native")
    monkeypatch.setattr(refinement, "LINE_NODES", 1)
    short, _ = lines_of(board, "native")
    assert all(1 <= len(short[column]) < len(whole[column]) for column in scores)
    for column in scores:
        require_best_play(board.copy(), short[column], scores[column])
