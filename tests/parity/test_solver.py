"""The solver's twins: the same scores from the same number of nodes."""

import itertools
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import RULES

import c4mcts
from c4mcts import Board, Rules
from c4mcts._backend import load
from c4mcts.solver.solver import new_solver

solve = partial(c4mcts.solve, book=False)  # the search alone

SMALL = [rules for rules in RULES if rules.width * (rules.height + 1) <= 64] + [Rules(4, 5), Rules(5, 5), Rules(6, 6)]


@st.composite
def endgames(draw):
    """Unfinished boards of up to 64 bits with few empty cells."""
    rules = draw(st.sampled_from(SMALL))
    generator = draw(st.randoms(use_true_random=False))
    board = Board(rules)
    for _ in range(max(0, rules.cells - draw(st.integers(1, 22)))):
        board.push(generator.choice(board.legal_columns))
        if board.is_over():
            board.pop()
            break
    return board


@settings(max_examples=250, deadline=None)
@given(endgames(), st.booleans(), st.sampled_from([1, 17, 400, 3000]))
def test_solutions_are_equal(board, columns, max_nodes):
    """Score, column scores and nodes, and where a limit stops it."""
    native, pure = (solve(board, columns=columns, max_nodes=max_nodes, backend=name) for name in ("native", "pure"))
    known = [(each.score, each.columns, each.best, each.nodes) for each in (native, pure)]
    assert known[0] == known[1]
    assert native.nodes <= max_nodes


@pytest.mark.parametrize("rules", [Rules(5, 5), Rules(6, 5), Rules(7, 6, 5), Rules(9, 6)], ids=str)
def test_tables_that_overflow_are_the_same(rules):
    """Tables of a few buckets under searches of many more positions, with what is thrown out for what."""
    board = Board.from_moves([0, 1], rules)
    for size_bits in (5, 8, 12):
        results = []
        for name in ("native", "pure"):
            solver = load(name).solver.AlphaBetaSolver(rules, size_bits, 1000)
            bounds = solver.solve(board.own, board.mask, -1, 1, 4000, lambda: False)
            results.append((max(bounds[0], -63), min(bounds[1], 63), solver.nodes()))
        assert results[0] == results[1]


def test_windows_are_the_same():
    board = Board.from_pons("4445552")
    for low, high in ((-1, 1), (0, 1), (3, 9), (-9, -3), (-100, 100)):
        results = []
        for name in ("native", "pure"):
            solver = load(name).solver.AlphaBetaSolver(board.rules, 20, 1000)
            bounds = solver.solve(board.own, board.mask, low, high, 3000, lambda: False)
            results.append((max(bounds[0], -63), min(bounds[1], 63), solver.nodes()))
        assert results[0] == results[1]


@pytest.mark.parametrize("name", ["native", "pure"])
def test_the_poll_is_asked_at_once_in_every_call(name):
    board = Board()
    solver = load(name).solver.AlphaBetaSolver(board.rules, 12, 1000)
    for _ in range(3):
        solver.solve(board.own, board.mask, -1, 1, 100_000, lambda: True)
        assert solver.nodes() == 0


def test_the_poll_is_asked_after_ever_more_nodes():
    """So that a search of few nodes, each of which takes long, is soon stopped too."""
    board = Board(Rules(20, 14))
    solver = load("pure").solver.AlphaBetaSolver(board.rules, 12, 20)
    asked = []
    solver.solve(board.own, board.mask, -1, 1, 2000, lambda: asked.append(solver.nodes()))
    assert asked[:65] == list(range(65))
    assert all(b - a == min(20, 1 + a // 64) for a, b in itertools.pairwise(asked))
    assert asked[-1] > 1900


def test_the_clock_is_looked_at_while_the_memory_of_a_table_is_new():
    """The first nodes in a table of 256 MB take long: many fewer than later on, before the poll is asked again."""
    board = Board(Rules(8, 7))
    solver = new_solver(load("native"), board.rules, 28)
    asked = []

    def poll():
        asked.append(solver.nodes())
        return len(asked) == 2

    solver.solve(board.own, board.mask, -1, 1, 10**9, poll)
    assert asked[0] == 0
    assert asked[1] == solver.nodes() < 1 << 16
