"""Ctrl-C at random moments of long calls ends them soon, and leaves nothing half done."""

import random
import signal
import time
from contextlib import suppress
from functools import partial

import pytest
from signals import handled

import c4mcts
from c4mcts import Board, Engine, Rules, SearchParams, perft, rollouts
from c4mcts.play import PerfectPlayer

solve = partial(c4mcts.solve, book=False)  # the search alone

TRIES = 8

CALLS = {
    "solve": lambda: solve(Board()),
    "solve, a table of 256 MB": lambda: solve(Board(Rules(8, 7))),
    "a perfect player": lambda: PerfectPlayer(book=False).choose(Board()),
    "solve by threads": lambda: solve(Board(), threads=3),
    "perft": lambda: perft(Board(), 30),
    "perft, large": lambda: perft(Board(Rules(64, 64)), 30),
    "rollouts": lambda: rollouts(Board(), games=10**11),
    "rollouts, careful": lambda: rollouts(Board(), games=10**9, policy="safe"),
    "rollouts by threads": lambda: rollouts(Board(Rules(64, 64, 12)), games=10**9, policy="safe", threads=2),
    "rollouts, large": lambda: rollouts(Board(Rules(64, 64, 12)), games=10**9, policy="safe"),
    "search with probes": lambda: Engine(seed=1).search(Board(Rules(8, 7)), seconds=1000),
    "search by threads": lambda: Engine(seed=1, threads=2).search(Board(), seconds=1000),
}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers in microseconds here")
@pytest.mark.native  # the pure backend is interrupted by Python itself, anywhere
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_it_is_heard_soon(call):
    """In CPU time: the promise of 50 ms is for an idle machine."""
    chance = random.Random(1)
    late = []

    def interrupted():
        signal.setitimer(signal.ITIMER_REAL, delay)
        call()

    with handled(signal.SIGALRM, signal.default_int_handler):
        for _ in range(TRIES):
            delay = chance.uniform(0.001, 0.06)
            start = time.thread_time()
            with pytest.raises(KeyboardInterrupt):
                interrupted()
            late.append(time.thread_time() - start - delay)
    assert max(late) < 0.15


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a file may be closed by its end
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers in microseconds here")
def test_a_file_is_the_old_or_the_new_one(tmp_path):
    engine = Engine(SearchParams.preset("uct"), seed=1)
    engine.search(Board(), simulations=2000)
    path = tmp_path / "engine"
    chance = random.Random(1)
    engine.save(path)
    whole = {path.read_bytes()}
    start = time.monotonic()
    engine.save(path)
    span = 1.2 * (time.monotonic() - start)
    with handled(signal.SIGALRM, signal.default_int_handler):
        for _ in range(60):
            engine.search(Board(), simulations=1)
            whole.add(engine.__reduce__()[1][0])
            with suppress(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, chance.uniform(1e-6, span))
                engine.save(path)
                signal.setitimer(signal.ITIMER_REAL, 0)  # in here, so that an interrupt in the last moment is met too
            assert path.read_bytes() in whole
            assert list(tmp_path.iterdir()) == [path]
            engine._check()
