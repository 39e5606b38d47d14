"""The solver's twins: equal scores from equally many nodes; the form for up to 128 bits."""

import os
import random
from functools import partial
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import random_board
from strategies import RULES

import c4mcts
from c4mcts import Board, Engine, Rules, SearchParams
from c4mcts._backend import TABLE_BITS, load
from c4mcts._pure.cells import geometry_of
from c4mcts._pure.simulation import is_in_reach
from c4mcts._pure.table import Table, next_bits, size_of

solve = partial(c4mcts.solve, book=False)  # the search alone

BOARDS = int(os.environ.get("C4MCTS_BOARDS", "150"))  # that are drawn
INFINITY = 1 << 12
SMALL = [rules for rules in RULES if rules.width * (rules.height + 1) <= 64] + [Rules(4, 5), Rules(5, 5), Rules(6, 6)]
WIDE = [  # 65 to 128 bits
    Rules(8, 8),
    Rules(9, 7),
    Rules(10, 7),
    Rules(9, 8),
    Rules(10, 10),
    Rules(5, 12),
    Rules(4, 16),
    Rules(11, 6, 4, diagonals=False),
    Rules(9, 9, 5),
    Rules(13, 8, 6),
    Rules(16, 7),  # 128 bits, as the next two
    Rules(8, 15),
    Rules(32, 3, 3),
    Rules(2, 63, 2),  # shifts by a whole word; the highest score, 62
    Rules(2, 63, 9),
    Rules(42, 2, 3),  # a column has 6 bits
    Rules(64, 1, 3),
    Rules(33, 1, 40),  # no run fits
    Rules(3, 21, 4),
]
LONG_KEYS = [Rules(8, 7), Rules(7, 8), Rules(10, 5)]  # at first, longer than an entry and the index of a bucket


def quiet_board(rules, plies, chance):
    """A board with at most `plies` discs, on which nobody can win at once."""
    board = Board(rules)
    for _ in range(plies):
        for column in chance.sample(board.legal_columns, len(board.legal_columns)):
            board.push(column)
            if not board.is_over() and not board.winning_columns():
                break
            board.pop()
        else:
            break
    return board


@st.composite
def wide_boards(draw):
    rules = draw(st.sampled_from(WIDE))
    chance = draw(st.randoms(use_true_random=False))
    return quiet_board(rules, draw(st.integers(0, rules.cells - 1)), chance)


@st.composite
def endgames(draw):
    """Unfinished boards of up to 64 bits with few empty cells."""
    rules = draw(st.sampled_from(SMALL))
    return random_board(rules, rules.cells - draw(st.integers(1, 22)), draw(st.randoms(use_true_random=False)))


@settings(max_examples=BOARDS, deadline=None)
@given(st.one_of(endgames(), wide_boards()), st.booleans(), st.sampled_from([1, 17, 400, 1000]))
def test_solutions_are_equal(board, columns, max_nodes):
    """Score, column scores and nodes, and where a limit stops it."""
    native, pure = (solve(board, columns=columns, max_nodes=max_nodes, backend=name) for name in ("native", "pure"))
    known = [(each.score, each.columns, each.best, each.nodes) for each in (native, pure)]
    assert known[0] == known[1]
    assert native.nodes <= max_nodes


def searched(board, size_bits, lower, upper, max_nodes):
    """Of both backends: bounds, nodes and all entries of the table."""
    for name in ("native", "pure"):
        solver = load(name).new_solver(board.rules, table_bits=size_bits)
        found = solver.solve(board.own, board.mask, lower, upper, max_nodes, bool)
        yield max(found[0], -63), min(found[1], 63), solver.nodes(), solver.words()


@pytest.mark.parametrize("size_bits", [(5, 5), (9, 9), (7, 15), (16, 16)], ids=str)
@pytest.mark.parametrize("rules", [Rules(), Rules(7, 6, 5), Rules(9, 6), *LONG_KEYS, *WIDE], ids=str)
def test_tables_are_equal(rules, size_bits):
    """In tables that overflow, that grow, and with rests of long keys."""
    board = quiet_board(rules, rules.cells // 4, random.Random(3))
    native, pure = searched(board, size_bits, -INFINITY, INFINITY, 1500)
    assert native == pure


def test_ranked_moves_are_equal():
    """In a search that is long enough for the learned weights."""
    native, pure = searched(Board.from_pons("3533357112"), (16, 16), -INFINITY, INFINITY, 12_000)
    assert native == pure


def test_the_column_of_an_entry_is_that_of_the_mirror_image():
    """Which is searched first; in this search a node finds such an entry that does not end it."""
    native, pure = searched(Board.from_moves([2, 3], Rules(6, 4)), (16, 16), -1, 1, 3000)
    assert native == pure


@pytest.mark.parametrize("rules", [*LONG_KEYS, Rules(8, 8), Rules(16, 7), Rules(42, 2, 3)], ids=str)
def test_words_of_tables(rules):
    """From one backend to the other and back, with equal searches from there on; within the memory allowed."""
    board = quiet_board(rules, rules.cells // 4, random.Random(5))
    solvers = [load(name).new_solver(rules, table_bits=(15, 15)) for name in ("native", "pure")]
    solvers[0].solve(board.own, board.mask, -1, 1, 2000, bool)
    data = solvers[0].words()
    assert len(data) == solvers[0].nbytes() <= 1 << 15
    assert solvers[1].set_words(data)
    assert solvers[1].words() == data
    assert not solvers[1].set_words(data[:-8])
    start = solvers[0].nodes()
    assert solvers[0].set_words(data)
    for solver, before in zip(solvers, (start, 0), strict=True):
        solver.solve(board.own, board.mask, -2, 2, before + 1500, bool)
    assert solvers[0].words() == solvers[1].words()


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


@pytest.mark.parametrize("key_bits", range(40, 129))
def test_sizes_of_growing_tables(key_bits):
    """Each is larger than the one before, so that the size of saved words says which table it is; the last fits."""
    table = Table(key_bits, *TABLE_BITS)
    sizes = [size_of(table)]
    while table.bits < table.max_bits:
        table.bits = next_bits(table)
        sizes.append(size_of(table))
    assert sizes == sorted(set(sizes))
    assert sizes[0] <= 1 << TABLE_BITS[0]
    assert 1 << TABLE_BITS[1] - 1 < sizes[-1] <= 1 << TABLE_BITS[1]


@pytest.mark.native
@pytest.mark.parametrize("rules", [Rules(7, 6), Rules(10, 5), Rules(9, 6), Rules(5, 12), Rules(2, 60)], ids=str)
def test_native_tables_have_these_sizes_too(rules):
    """Words of such a size are those of a table that has grown, and words of any other size are refused."""
    table, wanted = Table(rules.width * (rules.height + 1), *TABLE_BITS), set()
    while size_of(table) <= 1 << 25:
        wanted.add(size_of(table))
        table.bits = next_bits(table)
    sizes = {words << bits for words in (16, 32, 48) for bits in range(1, 20)}  # with and without rests
    assert wanted < sizes
    assert {size for size in sizes if load("native").new_solver(rules).set_words(bytes(size))} == wanted


EARLY = [(Rules(8, 8), 21), (Rules(9, 7), 15), (Rules(10, 10), 20)]
LATE = [(Rules(8, 8), 30), (Rules(9, 7), 30)]


@pytest.mark.parametrize(("rules", "plies"), EARLY + LATE, ids=str)
def test_probes_prove_what_a_search_without_them_does_not(rules, plies):
    wins = 0
    chance = random.Random(8)
    for _ in range(6):
        board = quiet_board(rules, plies, chance)
        proofs = []
        for params in (SearchParams.preset("strong"), SearchParams.preset("strong", probes=False)):
            proofs.append(Engine(params, seed=1).search(board, simulations=2000).proof)
        assert proofs[0] is not None or proofs[1] is None
        wins += proofs[0] is not None and proofs[1] is None
    assert wins


@pytest.mark.parametrize(
    ("rules", "empty", "visits", "budget", "expected"),
    [
        (Rules(8, 8), 64, 64, 64, True),  # the first probe of a node
        (Rules(8, 8), 64, 128, 2048, False),
        (Rules(8, 8), 40, 1024, 1024, True),
        (Rules(8, 8), 41, 1024, 1024, False),
        (Rules(8, 8), 41, 128, 2048, True),
        (Rules(8, 8), 30, 128, 128, True),
        (Rules(8, 8), 0, 128, 128, True),
        (Rules(16, 7), 112, 1 << 31, 1 << 35, False),  # the shift would have 82 bits
        (Rules(8, 7), 56, 128, 128, True),  # up to 64 bits always
    ],
)
def test_later_probes_wait_until_few_cells_are_empty(rules, empty, visits, budget, expected):
    position = SimpleNamespace(ply=rules.cells - empty)
    assert is_in_reach(position, geometry_of(rules), visits, budget) == expected
