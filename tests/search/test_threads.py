"""Several threads on one tree: nothing is lost, nothing is double, and what is proven is so."""

import pickle
import random
import subprocess
import sys
import threading
from dataclasses import replace
from itertools import islice

import pytest
from strategies import RULES
from trees import check_tree, require_whole

from c4mcts import Board, Engine, Rules, SearchParams, UctParams

pytestmark = pytest.mark.native

KINDS = {
    "uct": SearchParams.preset("uct"),
    "shared children": SearchParams.preset("uct", transpositions=True, tie_break="random"),
    "proofs": SearchParams.preset("uct", proofs=True, rollout="decisive"),
    "strong": UctParams(),
}


def sound(engine, simulations=None):
    """Whether every node can be what it says; and the root has counted every simulation, those of before included."""
    require_whole(engine)
    tree = engine.tree()
    assert not (tree["children"] == 2**32 - 1).any()
    if simulations is not None:
        assert tree["visits"][0] == simulations
    return tree


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rules", RULES[::2], ids=str)
def test_every_simulation_is_counted_once(kind, rules):
    engine = Engine(KINDS[kind], seed=1, threads=8)
    simulations = max(20, 400_000 // (rules.cells + 30))
    result = engine.search(Board(rules), simulations=simulations)
    assert result.simulations == simulations or result.proof is not None
    tree = sound(engine, result.simulations)
    assert result.nodes == len(tree)
    if not KINDS[kind].transpositions:
        check_tree(tree)


@pytest.mark.parametrize("kind", KINDS)
def test_what_it_says_is_that_of_one_thread(kind):
    """Not the same numbers, but the same column, where one is far ahead of the others, and nearly the same value."""
    board = Board.from_moves([3, 3])
    one, four = (Engine(KINDS[kind], seed=1, threads=threads).search(board, simulations=100_000) for threads in (1, 4))
    assert one.column == four.column == 3
    assert abs(one.value - four.value) < 0.05


def test_no_thread_drops_out_of_a_search_in_a_full_tree():
    """47 positions may be noted and the 48th makes the table look full: which no thread may take for want of memory."""
    probed = []
    for threads in (1, 4):
        engine = Engine(UctParams(max_nodes=333), seed=1, threads=threads)
        engine.search(Board(), simulations=100_000)
        probed.append(engine._tree._solver.nodes())
    assert probed[1] > 0.8 * probed[0]


@pytest.mark.parametrize("max_nodes", [1, 8, 50, 20_000])
@pytest.mark.parametrize("kind", KINDS)
def test_a_full_pool_is_never_overrun(kind, max_nodes):
    for rules in (Rules(), Rules(9, 9), Rules(3, 9, 3)):
        engine = Engine(replace(KINDS[kind], max_nodes=max_nodes), seed=1, threads=8)
        result = engine.search(Board(rules), simulations=20_000)
        assert result.nodes <= max_nodes
        sound(engine, result.simulations)


@pytest.mark.parametrize("kind", KINDS)
def test_random_stops_moves_and_copies(kind):
    """Searches ended at any moment, moved along, saved and gone on with by other numbers of threads."""
    chance = random.Random(1)
    for round_ in range(6):
        engine = Engine(KINDS[kind], seed=round_, threads=chance.choice([2, 3, 8]))
        board = Board(Rules(*chance.choice([(7, 6, 4), (9, 9, 4), (5, 4, 3)])))
        while not board.is_over() and board.ply < 8:
            timer = threading.Timer(chance.random() * 0.03, engine.stop)
            timer.start()
            result = engine.search(board, seconds=0.04)
            timer.join()
            sound(engine)
            board.push(result.column)
            if not board.is_over() and chance.random() < 0.5:
                engine.advance(result.column)
                sound(engine)
            if chance.random() < 0.3:
                engine = pickle.loads(pickle.dumps(engine))
                sound(engine)


def test_reports_are_sound_while_others_work():
    """What is read from the growing tree: no half-made children, no more visits below than above."""
    seen = []

    def report(result):
        seen.append(result)
        assert 0 <= result.column < 7
        assert all(move.value is None or 0 <= move.value <= 1 for move in result.moves)
        assert all(column < 7 for move in result.moves for column in move.pv)

    for kind in KINDS.values():
        for info in islice(Engine(kind, seed=1, threads=4).analysis(Board(), interval=0.005), 15):
            report(info)
    assert len(seen) == 15 * len(KINDS)


@pytest.mark.parametrize("threads", [1, 4])
def test_small_stacks(threads):
    """No matter what stack size the program has set for its threads. Of 64 KB, CPython 3.14 keeps half in reserve."""
    size = (64 if sys.version_info < (3, 14) else 128) * 1024
    code = (
        "import threading, c4mcts\n"
        f"threading.stack_size({size})\n"
        f"engine = c4mcts.Engine(seed=1, threads={threads})\n"
        "thread = threading.Thread(target=engine.search, args=['4'], kwargs={'simulations': 30_000})\n"
        "thread.start()\n"
        "thread.join()\n"
        "print(engine.tree()['visits'][0], threading.stack_size())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=50)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["30000", str(size)], "")


def test_the_pure_engine_has_one_thread():
    assert Engine(backend="pure", threads=1).search(Board(), simulations=10).simulations == 10
    with pytest.raises(ValueError, match="threads must be 1 for the pure backend, not 2"):
        Engine(backend="pure", threads=2)
