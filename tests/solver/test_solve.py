"""solve and Solver: limits, progress, interrupts, errors, lines, the best column."""

import contextlib
import pickle
import random
import sys
import threading
from dataclasses import replace
from functools import partial
from unittest.mock import ANY

import pytest
from data import records
from random_boards import random_board

import c4mcts
from c4mcts import Board, GameOverError, Rules, Solver

solve = partial(c4mcts.solve, book=False)  # the search alone


def test_the_best_columns_alone(backend):
    """They are those of the scores of all columns, for about half the nodes."""
    chance, less = random.Random(4), 0
    for _ in range(12):
        board = random_board(Rules(5, 5), 10, chance)
        full, best = (solve(board, columns=columns, backend=backend) for columns in (True, "best"))
        assert (best.score, best.columns, best.best) == (full.score, None, full.best)
        less += full.nodes - best.nodes
    assert less > 0
    assert solve(Board(), columns="best", max_nodes=50, backend=backend).best == ()


def test_a_solver_keeps_its_table(backend):
    """The scores are the same, the nodes fewer."""
    game = Board.from_pons("12345344")
    rules = Rules(4, 4) if backend == "pure" else Rules(5, 5)
    boards = [Board.from_moves([column % rules.width for column in game.moves[:ply]], rules) for ply in range(5)]
    solver = Solver(rules, backend=backend)
    kept = [solver.solve(board) for board in reversed(boards)]
    alone = [solve(board, backend=backend) for board in reversed(boards)]
    assert [one.columns for one in kept] == [one.columns for one in alone]
    assert sum(one.nodes for one in kept) < sum(one.nodes for one in alone)
    assert solver.solve(boards[-1]).score == kept[0].score
    assert solver.solve(boards[-1]).nodes < kept[0].nodes
    assert pickle.loads(pickle.dumps(solver)).solve(boards[-1]) == replace(kept[0], seconds=ANY)


def test_the_line_of_a_solver():
    """Best play of both sides, to the end of the game or for this many plies."""
    solver = Solver()
    board = Board.from_pons(records("traps")[-1]["moves"])
    distance = solver.solve(board).distance
    line = solver.line(board)
    assert len(line) == distance
    assert solver.line(board, 3) == line[:3]
    for column in line:
        assert column in solve(board).best
        board.push(column)
    assert board.is_over()
    assert len(solver.line(Board())) == 41
    small = Rules(4, 4)
    assert len(Solver(small).line(Board(small))) == 16
    assert Solver(small).line(Board(small), max_nodes=10) == []
    board = Board(Rules(5, 4))
    nodes = solve(board, columns=False).nodes
    assert 0 < len(Solver(board.rules).line(board, max_nodes=nodes + 1)) < 20


def test_a_solver_refuses_what_it_cannot_solve():
    solver = Solver(Rules(5, 4))
    nested = []

    def ask(nodes):
        with pytest.raises(RuntimeError, match="the solver is at work"):
            large.solve(Board())
        nested.append(nodes)
        return True

    large = Solver(book=False)
    assert large.solve(Board(), on_progress=ask).score is None
    assert len(nested) == 1
    assert large.solve(Board.from_pons("4444441176")).score is not None
    finished = Board.from_pons("1212121", Rules(5, 4))
    for call, error, message in (
        (lambda: solver.solve(Board()), ValueError, "board has the rules 7x6x4, the solver is for 5x4x4"),
        (lambda: solver.solve(finished), GameOverError, "the game is over"),
        (lambda: solver.line(Board(Rules(5, 4)), 0), ValueError, "plies must be at least 1, not 0"),
        (lambda: solver.solve(Board(Rules(5, 4)), columns="all"), TypeError, 'columns must be True, False or "best"'),
    ):
        with pytest.raises(error, match=message):
            call()


def test_limits_leave_what_is_not_known(backend):
    solution = solve(Board(), max_nodes=50, backend=backend)
    assert (solution.score, solution.best, solution.distance) == (None, (), None)
    assert solution.columns == (None,) * 7
    solver = Solver(book=False, backend=backend)
    assert [solver.solve(board, max_nodes=50).nodes for board in (Board(), Board.from_pons("44"))] == [50, 50]
    assert solve(Board(), seconds=0.1, backend=backend).score is None


def test_progress(backend):
    reports = []

    def report(nodes):
        reports.append(nodes)
        return len(reports) == 3

    solution = solve(Board(), on_progress=report, backend=backend)
    assert (len(reports), solution.score) == (3, None)
    assert 0 < reports[0] < reports[1] < reports[2] <= solution.nodes
    assert solution.seconds >= 3 * 0.1


def test_large_boards_end_at_their_limits(backend):
    """64 x 64: 4096 plies deep, and not solved; no recursion limit, no crash."""
    solution = solve(Board(Rules(64, 64)), columns=False, max_nodes=200, backend=backend)
    assert (solution.score, solution.nodes) == (None, 200)


@pytest.mark.parametrize("error", [None, ZeroDivisionError])
def test_deep_searches_in_several_threads_leave_the_recursion_limit_alone(error):
    """They go down hundreds of plies, more than Python lets functions call each other."""
    board, limit = Board(Rules(10, 64, 20)), sys.getrecursionlimit()
    limits, found = [], []

    def look(nodes):
        limits.append(sys.getrecursionlimit())
        if error:
            raise error

    def search():
        with contextlib.suppress(ZeroDivisionError):
            found.append(solve(board, columns=False, max_nodes=None if error else 1000, on_progress=look).nodes)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ([] if error else [1000] * 3)
    assert set(limits) == {limit}
    assert sys.getrecursionlimit() == limit


def test_a_search_from_a_deep_stack(backend):
    """Where fewer functions can call each other than there are plies."""

    def descend(depth):
        return descend(depth - 1) if depth else solve(Board(), columns=False, max_nodes=500, backend=backend)

    frame, used = sys._getframe(), 0
    while frame:
        frame, used = frame.f_back, used + 1
    assert descend(sys.getrecursionlimit() - used - 60).nodes == 500


def positions(rules, number, empty):
    """Random boards with at most this many empty cells, and their columns in any order."""
    chance = random.Random(1)
    for _ in range(number):
        board = random_board(rules, chance.randrange(max(0, rules.cells - empty), rules.cells), chance)
        yield board, chance.sample(board.legal_columns, len(board.legal_columns))


@pytest.mark.parametrize("rules", [Rules(4, 4, 3), Rules(5, 4), Rules(1, 6, 3), Rules(4, 4, diagonals=False)], ids=str)
def test_it_is_the_first_of_the_best(rules, backend):
    finder = Solver(rules, backend=backend)
    for board, columns in positions(rules, 25, 14):
        best = c4mcts.solve(board, backend=backend).best
        assert finder.best_column(board, columns) == next(column for column in columns if column in best)


def test_also_in_the_book_and_beyond():
    finder = Solver()
    for plies in ("", "44", "4444", "4455"):
        board = Board.from_pons(plies)
        assert finder.best_column(board, [0, 6, 1, 5, 2, 4, 3]) in c4mcts.solve(board).best
    for board, columns in positions(Rules(), 20, 22):
        best = c4mcts.solve(board).best
        assert finder.best_column(board, columns) == next(column for column in columns if column in best)


def test_columns_may_be_some():
    """None if none of them is best; by default the middle comes first."""
    assert Solver().best_column(Board(), [0, 1, 2]) is None
    assert Solver().best_column(Board()) == 3
    assert Solver(Rules(4, 4)).best_column(Board(Rules(4, 4))) in (1, 2)


def test_it_can_be_ended():
    solver = Solver(book=False)
    assert solver.best_column(Board(), on_progress=lambda nodes: True) is None
    assert solver.line(Board(), on_progress=lambda nodes: True) == []
