"""Solver.best_column: against all exact scores."""

import random

import pytest
from random_boards import random_board

from c4mcts import Board, Rules, Solver, solve


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
        best = solve(board, backend=backend).best
        assert finder.best_column(board, columns) == next(column for column in columns if column in best)


def test_also_in_the_book_and_beyond():
    finder = Solver()
    for plies in ("", "44", "4444", "4455"):
        board = Board.from_pons(plies)
        assert finder.best_column(board, [0, 6, 1, 5, 2, 4, 3]) in solve(board).best
    for board, columns in positions(Rules(), 20, 22):
        best = solve(board).best
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
