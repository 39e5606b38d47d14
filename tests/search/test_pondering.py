"""Engine.ponder: a search that continues in the background until the next call."""

import gc
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest
from evaluators import uniform
from signals import handled, searches_end
from trees import check_tree

from c4mcts import Board, Engine, GameOverError, SearchParams, UctParams

UCT = SearchParams.preset("uct")
PUCT = SearchParams.preset("puct-node")

CALLS = {
    "search": lambda engine, path: engine.search(Board(), simulations=1),
    "analysis": lambda engine, path: list(engine.analysis(Board(), simulations=1)),
    "advance": lambda engine, path: engine.advance(3),
    "tree": lambda engine, path: engine.tree(),
    "save": lambda engine, path: engine.save(path),
    "pickle": lambda engine, path: pickle.dumps(engine),
    "reset": lambda engine, path: engine.reset(),
    "stop": lambda engine, path: engine.stop(),
}


def pondering(backend, params=UCT, **options):
    """An engine that ponders the empty board and has made some simulations."""
    engine = Engine(params, seed=1, backend=backend, **options)
    begun(engine, Board())
    return engine


def begun(engine, board, **limits):
    """Let the engine ponder; return when the first simulation is done."""
    engine.reset()
    engine.ponder(board, **limits)
    while not engine._tree.visits():
        time.sleep(0.001)


def run(code):
    return subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=50)


def test_the_next_search_keeps_the_subtree_of_the_answer(backend):
    engine = pondering(backend)
    while engine._tree.visits() < 100:
        time.sleep(0.001)
    board = Board.from_pons("4")
    result = engine.search(board, simulations=1)
    assert result.simulations == 1
    assert result.board == board
    assert engine.tree()["visits"][0] > 5
    check_tree(engine.tree())
    assert searches_end()


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_every_call_ends_it(backend, call, tmp_path):
    engine = pondering(backend)
    call(engine, tmp_path / "engine")
    assert searches_end()
    assert engine.search(Board(), simulations=5).simulations == 5
    engine._check()


@pytest.mark.native
def test_it_ends_soon_even_in_a_long_probe():
    for _ in range(5):
        engine = pondering("native", UctParams())
        time.sleep(0.1)
        start = time.monotonic()
        engine.search(Board(), simulations=1)
        assert time.monotonic() - start < 2


def test_it_grows_the_tree_that_a_search_would(backend):
    one, two = (Engine(seed=5, backend=backend) for _ in range(2))
    begun(one, Board(), simulations=300)
    assert searches_end()
    two.search(Board(), simulations=300)
    assert np.array_equal(one.tree(), two.tree())
    answer = Board.from_pons("4")
    assert one.search(answer, simulations=200).moves == two.search(answer, simulations=200).moves


def test_it_ends_at_its_limits_and_at_a_proof(backend):
    engine = Engine(seed=1, backend=backend)
    begun(engine, Board.from_pons("414243"))
    assert searches_end()
    begun(engine, Board(), nodes=50)
    assert searches_end()
    assert 50 <= len(engine.tree()) < 58
    begun(engine, Board(), seconds=0.01)
    assert searches_end()


def test_its_error_is_raised_by_the_next_search(backend):
    def fail(planes, legal):
        called.set()
        raise LookupError("no network")

    def ponder():
        called.clear()
        engine.ponder(Board())
        assert called.wait(20)
        assert searches_end()

    called = threading.Event()
    engine = Engine(PUCT, evaluator=fail, backend=backend)
    for search in (
        lambda: engine.search(Board(), simulations=1),
        lambda: engine.ponder(Board()),
        lambda: list(engine.analysis(Board(), simulations=1)),
    ):
        ponder()
        engine.tree()  # looking at the tree does not lose the error
        with pytest.raises(LookupError, match="no network"):
            search()
        engine.stop()
        assert searches_end()
    ponder()
    engine.reset()
    assert len(engine.tree()) == 0
    engine._tree._evaluator = uniform
    assert engine.search(Board(), simulations=3).simulations == 3


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that interrupts")
def test_control_c_while_a_call_waits_for_its_end_leaves_the_engine_usable():
    def evaluator(planes, legal):
        called.set()
        assert go_on.wait(20)
        return uniform(planes, legal)

    def interrupt(*_):
        raise KeyboardInterrupt

    called, go_on = threading.Event(), threading.Event()
    engine = Engine(PUCT, evaluator=evaluator)
    engine.ponder(Board())
    assert called.wait(20)
    with handled(signal.SIGALRM, interrupt):
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            engine.search(Board(), simulations=1)
    threading.Timer(0.05, go_on.set).start()
    assert engine.search(Board(), simulations=1).simulations == 1


def test_a_dropped_engine_ponders_no_more(backend):
    engine = pondering(backend)
    reference = weakref.ref(engine)
    del engine
    gc.collect()
    assert reference() is None
    assert searches_end()


def test_the_process_exits_while_it_goes_on():
    code = "from c4mcts import *; engine = Engine(); engine.ponder(Board())"
    for rest in ("", "; import time; time.sleep(0.2)"):
        done = run(code + rest)
        assert (done.returncode, done.stderr) == (0, "")


def test_an_evaluator_that_hangs_does_not_keep_the_process_alive():
    code = (
        "import time\nfrom c4mcts import *\n"
        "engine = Engine(SearchParams.preset('puct-node'), evaluator=lambda *_: time.sleep(1000))\n"
        "engine.ponder(Board())\ntime.sleep(0.1)"
    )
    assert run(code).returncode == 0


def test_bad_arguments_are_refused_at_once():
    engine = Engine(seed=1)
    with pytest.raises(GameOverError):
        engine.ponder(Board.from_pons("4142434"))
    with pytest.raises(TypeError, match="board"):
        engine.ponder(4)
    with pytest.raises(ValueError, match="simulations"):
        engine.ponder(Board(), simulations=0)
    with pytest.raises(ValueError, match="opponent"):
        Engine(SearchParams.preset("report-random")).ponder(Board())
    assert len(engine.tree()) == 0
