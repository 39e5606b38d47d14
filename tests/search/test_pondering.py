"""Engine.ponder, a search that continues in the background, and Engine.analysis, one that is watched from a loop."""

import gc
import pickle
import re
import signal
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest
from evaluators import uniform
from polling import until
from refusals import refused
from signals import handled, wait_for_searches
from trees import check_tree, require_whole

from c4mcts import Board, Engine, GameOverError, SearchParams
from c4mcts.search.tree import EngineTree

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
    until(lambda: nodes_of(engine) > 1)


def nodes_of(engine):
    """The size of a tree, also while it grows."""
    return int(re.search(r"([\d,]+) nodes?\b", repr(engine))[1].replace(",", ""))


def run(code):
    return subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=50)


def test_the_next_search_keeps_the_subtree_of_the_answer(backend):
    engine = pondering(backend)
    until(lambda: nodes_of(engine) >= 50)
    board = Board.from_pons("4")
    result = engine.search(board, simulations=1)
    assert result.simulations == 1
    assert result.board == board
    assert engine.tree()["visits"][0] > 5
    check_tree(engine.tree())
    wait_for_searches()


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_every_call_ends_it(backend, call, tmp_path):
    engine = pondering(backend)
    call(engine, tmp_path / "engine")
    wait_for_searches()
    assert engine.search(Board(), simulations=5).simulations == 5
    require_whole(engine)


def test_it_grows_the_tree_that_a_search_would(backend):
    one, two = (Engine(seed=5, backend=backend) for _ in range(2))
    begun(one, Board(), simulations=300)
    wait_for_searches()
    two.search(Board(), simulations=300)
    assert np.array_equal(one.tree(), two.tree())
    answer = Board.from_pons("4")
    assert one.search(answer, simulations=200).moves == two.search(answer, simulations=200).moves


def test_it_ends_at_its_limits_and_at_a_proof(backend):
    engine = Engine(seed=1, backend=backend)
    begun(engine, Board.from_pons("414243"))
    wait_for_searches()
    begun(engine, Board(), nodes=50)
    wait_for_searches()
    assert 50 <= len(engine.tree()) < 58
    begun(engine, Board(), seconds=0.01)
    wait_for_searches()


def test_its_error_is_raised_by_the_next_search(backend):
    def fail(planes, legal):
        if called.is_set():
            return uniform(planes, legal)
        called.set()
        raise LookupError("no network")

    def ponder():
        called.clear()
        engine.ponder(Board())
        assert called.wait(20)
        wait_for_searches()

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
        wait_for_searches()
    ponder()
    engine.reset()
    assert len(engine.tree()) == 0
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
    go_on.set()
    assert engine.search(Board(), simulations=1).simulations == 1


def test_a_dropped_engine_ponders_no_more(backend):
    engine = pondering(backend)
    reference = weakref.ref(engine)
    del engine
    gc.collect()
    assert reference() is None
    wait_for_searches()


def test_the_process_exits_while_it_goes_on():
    done = run("from c4mcts import *; engine = Engine(); engine.ponder(Board())")
    assert (done.returncode, done.stderr) == (0, "")


def test_an_evaluator_that_hangs_does_not_keep_the_process_alive():
    code = (
        "import threading\nfrom c4mcts import *\n"
        "begun, never = threading.Event(), threading.Event()\n"
        "engine = Engine(SearchParams.preset('puct-node'), evaluator=lambda *_: begun.set() or never.wait())\n"
        "engine.ponder(Board())\nbegun.wait()"
    )
    assert run(code).returncode == 0


def test_the_search_grows_until_its_limit(backend):
    engine = Engine(UCT, seed=1, backend=backend)
    simulations = {"native": 500_000, "pure": 2_500}[backend]  # take many intervals
    counts = [info.simulations for info in engine.analysis(Board(), simulations=simulations, interval=0.02)]
    assert counts == sorted(counts)
    assert len(counts) >= 4
    assert counts[-1] == engine.tree()["visits"][0] == simulations
    wait_for_searches()


def test_the_last_result_is_that_of_a_search(backend):
    *_, last = Engine(seed=3, backend=backend).analysis(Board.from_pons("4444"), simulations=300, interval=0.001)
    expected = Engine(seed=3, backend=backend).search(Board.from_pons("4444"), simulations=300)
    assert last.moves == expected.moves
    assert last.simulations == 300


def test_leaving_the_loop_stops_the_search_and_the_tree_is_kept(backend):
    engine = Engine(UCT, seed=1, backend=backend)
    for info in engine.analysis(Board(), interval=0.01):
        if info.simulations > 50:
            break
    gc.collect()  # where there are no reference counts, the loop is left only now
    wait_for_searches()
    visits = int(engine.tree()["visits"][0])
    assert visits >= info.simulations
    assert engine.search(Board(), simulations=5).simulations == 5
    assert engine.tree()["visits"][0] == visits + 5


def test_what_goes_wrong_in_the_search_is_raised_in_the_loop(backend, monkeypatch):
    engine = Engine(seed=1, backend=backend)

    def fail(*_, **__):
        raise LookupError("in the search")

    monkeypatch.setattr(EngineTree, "result", fail)
    with pytest.raises(LookupError, match="in the search"):
        list(engine.analysis(Board(), simulations=10))
    wait_for_searches()


def test_stop_and_proof_end_it(backend):
    engine = Engine(seed=1, backend=backend)
    assert list(engine.analysis(Board.from_pons("414243")))[-1].proof
    for info in engine.analysis(Board(), interval=0.01):
        assert info.simulations > 0
        assert engine.nbytes > 0
        engine.stop()
    wait_for_searches()


OVER = Board.from_pons("4142434")
test_bad_arguments_are_refused_at_once = refused(
    (lambda: Engine().ponder(OVER), GameOverError, "over"),
    (lambda: Engine().ponder(4), TypeError, "board"),
    (lambda: Engine().ponder(Board(), simulations=0), ValueError, "simulations"),
    (lambda: Engine(SearchParams.preset("report-random")).ponder(Board()), ValueError, "opponent"),
    (lambda: Engine().analysis(OVER), GameOverError, "over"),
    (lambda: Engine().analysis(Board(), interval=0), ValueError, "interval"),
    (lambda: Engine().analysis(Board(), interval=float("nan")), ValueError, "interval"),
    (lambda: Engine().analysis(Board(), interval=float("inf")), ValueError, "interval"),
    (lambda: Engine().analysis(Board(), simulations=0), ValueError, "simulations"),
    (lambda: Engine().analysis(Board(), root_moves=[9]), ValueError, "root_moves"),
)
