"""A changed pickle is refused; and what the native backend is given is measured before it is used."""

import re
from pathlib import Path

import pytest

import c4mcts
from c4mcts import Board, Rules, SearchParams, UctParams
from c4mcts._backend import load
from c4mcts.rules import discs

PUCT = SearchParams.preset("puct-node")
SETTINGS = UctParams().settings
SOURCES = Path(c4mcts.__file__).parent


def changed(thing, **fields):
    """The object, with fields set without its constructor."""
    for name, value in fields.items():
        object.__setattr__(thing, name, value)
    return thing


def test_a_changed_pickle_of_a_board_is_refused():
    board = Board.from_fen("7/7/7/7/7/2xo3 x 7x6x4")
    restore, (text,) = board.__reduce__()
    assert restore(text) == board
    for damage in (
        text.replace("7x6x4", "255x6x4"),
        text.replace("7/2xo3", "2x4/3o3"),  # a disc that floats
        text + "4" * 7,
        text + "x",
        ["3"],
    ):
        with pytest.raises((TypeError, ValueError)):
            restore(damage)


BAD_RULES = {
    "too wide": (lambda: changed(Rules(), width=255), ValueError, "width must be 1 to 64, not 255"),
    "negative": (lambda: changed(Rules(), height=-1), ValueError, "height must be 1 to 64, not -1"),
    "no run": (lambda: changed(Rules(), connect=0), ValueError, "connect must be 2 to 4096, not 0"),
    "no flag": (lambda: changed(Rules(), diagonals=7), TypeError, "diagonals must be True or False, not 7"),
}


@pytest.mark.native
@pytest.mark.parametrize("name", BAD_RULES)
def test_every_way_into_the_native_backend_measures_the_rules(name):
    make, error, words = BAD_RULES[name]
    engine = load("native")
    for call in (
        lambda rules: engine.bitboard.perft(rules, 0, 0, 3),
        lambda rules: engine.rollout.rollouts(rules, 0, 0, (1, 2), 1, 0, bool),
        lambda rules: engine.solver.AlphaBetaSolver(rules, 20, 100),
        lambda rules: engine.search.Searcher(rules, SETTINGS, (1, 2), None),
        lambda rules: engine.puct.PuctSearcher(rules, PUCT.settings, (1, 2), None),
    ):
        with pytest.raises(error, match=words):
            call(make())


@pytest.mark.parametrize("rules", [Rules(), Rules(8, 7, 4), Rules(20, 14, 5)], ids=str)
@pytest.mark.parametrize(
    ("own", "mask"),
    [(1, 0), (0, 0b10), (0, 2**2000), (-1, -1), (0, -1), (0, 1.0), ("", ""), (0, 2**12_000)],
    ids=["not in mask", "floating", "too large", "negative", "negative mask", "float", "string", "huge"],
)
def test_every_way_in_looks_at_the_discs(rules, own, mask, backend):
    engine = load(backend)
    searcher = engine.search.Searcher(rules, SETTINGS, (1, 2), None)
    calls = [
        lambda: discs(rules.width, rules.height, own, mask),
        lambda: engine.bitboard.perft(rules, own, mask, 3),
        lambda: engine.rollout.rollouts(rules, own, mask, (1, 2), 1, 0, bool),
        lambda: searcher.set_root(own, mask),
        lambda: searcher.restore(own, mask, (1, 2), b"", [0] * rules.width),
    ]
    if rules.width < 20:
        calls.append(lambda: engine.solver.AlphaBetaSolver(rules, 20, 100).solve(own, mask, -1, 1, 10, bool))
    for call in calls:
        with pytest.raises((TypeError, ValueError), match=r"own|mask"):
            call()
    guard = 1 << rules.height  # the bit that stays empty
    with pytest.raises(ValueError, match="own and mask are not discs"):
        searcher.set_root(0, 2 * guard - 1)


def test_sizes_are_looked_at(backend):
    """Each of these wrote outside its memory, or could have, without the check."""
    engine, rules = load(backend), Rules()
    for depth in (0, 43, 2**64):
        with pytest.raises(ValueError, match=f"depth must be 1 to 42, not {depth}"):
            engine.bitboard.perft(rules, 0, 0, depth)
    for bits in (0, 64, 2**64):
        with pytest.raises(ValueError, match="size_bits must be 1 to 40"):
            engine.solver.AlphaBetaSolver(rules, bits, 100)
    for nodes in (0, 2**32):
        with pytest.raises(ValueError, match="max_nodes must be 1 to"):
            engine.search.Searcher(rules, SETTINGS._replace(max_nodes=nodes), (1, 2), None)
    for batch in (-1, 2**17):
        with pytest.raises(ValueError, match="batch_size must be 0 to 65536"):
            engine.puct.PuctSearcher(rules, PUCT.settings._replace(batch_size=batch), (1, 2), None)
    searcher = engine.puct.PuctSearcher(rules, PUCT.settings, (1, 2), None)
    searcher.set_root(0, 0)
    with pytest.raises(ValueError, match="count must be 0 to 1, not 2"):
        searcher.gather(2)
    solver = engine.solver.AlphaBetaSolver(Rules(4, 4), 12, 100)
    with pytest.raises(ValueError, match="the solver is for 4x4x4, not for 7x6x4"):
        engine.search.Searcher(rules, SETTINGS, (1, 2), solver)
    searcher = engine.search.Searcher(rules, SETTINGS, (1, 2), None)
    searcher.set_root(0, 0)
    for call in (lambda: searcher.estimates(0, 1), lambda: searcher.set_estimates(b"0" * 16)):
        with pytest.raises(ValueError, match="there are no estimates"):
            call()
    with pytest.raises(ValueError, match="short_wins must be at most 7 numbers, not 1000"):
        searcher.restore(0, 0, (1, 2), b"\0" * 16, [1] * 1000)
    searcher.simulate(100, 1000, bool)
    assert searcher.advance(iter([3, 3]))
    assert searcher.check() == (0, 0)


@pytest.mark.native
def test_a_group_of_threads_has_a_size():
    from c4mcts._native.pool import NodePool
    from c4mcts._native.threads import ThreadGroup

    for threads in (0, -1, 257, 2**40):
        with pytest.raises(ValueError, match="threads must be 1 to 256"):
            ThreadGroup(threads)
    with pytest.raises(ValueError, match="max_nodes must be 1 to"):
        NodePool(0)


UNPICKLES = re.compile(
    r"pickle\.loads?\(|Unpickler|allow_pickle=True|\.recv\(\)|\bPipe\(|connection import|shelve|marshal\.load"
)


def test_nothing_unpickles_but_the_process_of_a_player():
    """What a process with somebody's code sends is never unpickled."""
    found = []
    for path in SOURCES.rglob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            if re.search(UNPICKLES, line):
                inside = [each for each in lines[:number] if each.startswith(("def ", "class "))]
                found.append((path.name, inside[-1].partition("(")[0]))
    assert found == [("player_process.py", "def serve")]
