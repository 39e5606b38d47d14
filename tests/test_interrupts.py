"""Ctrl-C at random moments of long calls ends them soon."""

import random
import signal
import time
from functools import partial

import pytest
from signals import handled

import c4mcts
from c4mcts import Board, Engine, Rules, perft, rollouts
from c4mcts.play import PerfectPlayer

solve = partial(c4mcts.solve, book=False)  # the search alone

TRIES = 6

CALLS = {
    "solve": lambda: solve(Board()),
    "a perfect player": lambda: PerfectPlayer(book=False).choose(Board()),
    "solve by threads": lambda: solve(Board(), threads=3),
    "perft": lambda: perft(Board(), 30),
    "rollouts": lambda: rollouts(Board(), games=10**11),
    "rollouts by threads": lambda: rollouts(Board(Rules(64, 64, 12)), games=10**9, policy="safe", threads=2),
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
