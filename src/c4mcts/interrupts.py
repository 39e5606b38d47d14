"""Ctrl-C, kept waiting while a tree is between two states."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def deferred() -> Iterator[None]:
    """Hold back SIGINT until the block is left; then its usual handler runs, which as a rule raises KeyboardInterrupt.

    Python delivers signals to the main thread alone, so elsewhere there is nothing to do; nor is there where SIGINT has
    no handler in Python.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    waiting: list[FrameType | None] = []
    signal.signal(signal.SIGINT, lambda _, frame: waiting.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if waiting:
        handler(signal.SIGINT, waiting[0])
