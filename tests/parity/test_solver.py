"""The solver's twins: the same scores from the same number of nodes."""

import random
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import RULES

import c4mcts
from c4mcts import Board, Rules
from c4mcts._backend import load

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


LONG_KEYS = [Rules(8, 7), Rules(7, 8), Rules(10, 5)]  # at first, longer than an entry and the index of a bucket


@pytest.mark.parametrize("rules", [Rules(), *LONG_KEYS], ids=str)
def test_tables_that_grow_are_the_same(rules):
    """The nodes, and the entries after several moves to larger tables; one for long keys."""
    board = Board.from_moves([3], rules)
    results = []
    for name in ("native", "pure"):
        solver = load(name).solver.AlphaBetaSolver(rules, 6, 1000, 1, 15)
        least = len(solver.words())
        bounds = solver.solve(board.own, board.mask, -1, 1, 9000, lambda: False)
        results.append((max(bounds[0], -63), min(bounds[1], 63), solver.nodes(), solver.words()))
        assert least < len(results[-1][3]) <= 1 << 15
    assert results[0] == results[1]


def test_growth_keeps_all_entries():
    """Those of the pure table, and so those of the native one; stopped on the way, it keeps the table as it was."""
    pure = load("pure")
    chance = random.Random(1)
    table = pure.table.Table(64, 12, 16)
    codes = [chance.getrandbits(64) for _ in range(300)]
    for code in codes:
        pure.table.store(table, code, -1, 1, 3, chance.randrange(32))
    poll = pure.poll.Poll()
    before = table.bits, [pure.table.probe(table, code) for code in codes]
    for answer in (True, False):
        pure.poll.begin(poll, lambda answer=answer: answer)
        pure.table.grow(table, poll)
        found = [pure.table.probe(table, code) for code in codes]
        assert [entry and entry[:4] for entry in found] == [entry and entry[:4] for entry in before[1]]
        assert ((table.bits, found) == before) is answer


@pytest.mark.parametrize("rules", [Rules(), *LONG_KEYS], ids=str)
def test_a_table_takes_no_more_bytes_than_it_may(rules):
    for size_bits in (13, 16, 22):
        assert load("native").solver.AlphaBetaSolver(rules, size_bits, 1000).nbytes() <= 1 << size_bits


@pytest.mark.parametrize("rules", LONG_KEYS, ids=str)
def test_words_of_long_keys(rules):
    """From one backend to the other and back, with equal searches from there on."""
    board, later = Board.from_moves([3], rules), Board.from_moves([3, 3, 3], rules)
    solvers = [load(name).solver.AlphaBetaSolver(rules, 14, 1000) for name in ("native", "pure")]
    solvers[0].solve(board.own, board.mask, -1, 1, 2000, bool)
    data = solvers[0].words()
    assert len(data) == solvers[0].nbytes()
    assert solvers[1].set_words(data)
    assert solvers[1].words() == data
    assert not solvers[1].set_words(data[:-8])
    before = solvers[0].nodes()
    assert solvers[0].set_words(data)
    for solver, start in zip(solvers, (before, 0), strict=True):
        solver.solve(later.own, later.mask, -1, 1, start + 1500, bool)
    assert solvers[0].words() == solvers[1].words() != data


@pytest.mark.parametrize("rules", [Rules(), Rules(8, 7), Rules(8, 8)], ids=str)
def test_words_of_a_table_that_has_grown(rules):
    """A new table takes their size, if it could have grown to it; with equal searches from there on."""
    board = Board.from_moves([0, 1, 2, 2, 3, 3], rules)
    grown, *others = [load(name).new_solver(rules, table_bits=(11, 16)) for name in ("native", "native", "pure")]
    grown.solve(board.own, board.mask, -1, 1, 12_000, bool)
    data = grown.words()
    for solver in others:
        size = len(solver.words())
        assert size < len(data)
        assert not solver.set_words(data + bytes(8))
        assert len(solver.words()) == size
        assert solver.set_words(data)
        assert solver.words() == data
        assert solver.set_words(data)
        solver.solve(board.own, board.mask, -2, 2, 1500, bool)
    assert others[0].words() == others[1].words() != data
    small = load("native").new_solver(rules, table_bits=(11, 12))
    assert not small.set_words(data)


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


def test_the_clock_is_looked_at_while_the_memory_of_a_table_is_new():
    """The first writes to a table of 256 MB take long: fewer nodes than later on, until the poll is asked again."""
    board = Board(Rules(8, 7))
    solver = load("native").new_solver(board.rules, table_bits=(28, 28))
    asked = []

    def poll():
        asked.append(solver.nodes())
        return len(asked) == 2

    solver.solve(board.own, board.mask, -1, 1, 10**9, poll)
    assert asked[0] == 0
    assert asked[1] == solver.nodes() < 1 << 16
