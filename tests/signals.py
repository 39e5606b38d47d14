"""Signals in the middle of calls, for tests of Ctrl-C."""

import contextlib
import gc
import signal
import threading
import time

HANG = 60  # seconds


@contextlib.contextmanager
def handled(number, handler):
    """Handle a signal by a function; garbage collection is off, since its callbacks would swallow exceptions."""
    before = signal.signal(number, handler)
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        if number != signal.SIGINT:
            signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(number, before)


def searches_end():
    """Whether all threads of searches end within HANG seconds."""
    deadline = time.monotonic() + HANG
    while any(thread.name.startswith(("c4mcts", "ThreadPool")) for thread in threading.enumerate()):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True
