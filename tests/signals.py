"""Signals in tests."""

import contextlib
import gc
import signal


@contextlib.contextmanager
def handled(number, handler):
    """A signal goes to the handler; without garbage collection, whose callbacks would swallow what it raises."""
    before = signal.signal(number, handler)
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        if number != signal.SIGINT:
            signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(number, before)
