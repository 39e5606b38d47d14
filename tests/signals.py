"""Signals in the middle of calls, for tests of Ctrl-C."""

import contextlib
import gc
import signal
import threading

from polling import until


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


def wait_for_searches():
    """Wait until no thread of a search is left."""
    until(lambda: not any(each.name.startswith(("c4mcts", "ThreadPool")) for each in threading.enumerate()))
