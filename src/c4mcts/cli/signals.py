"""What SIGINT and SIGTERM do: commands end with what they have found so far, and with 130 or 143."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from .exit_codes import INTERRUPTED, TERMINATED


class Terminated(KeyboardInterrupt):
    """SIGTERM arrived; handled like Ctrl-C, except for the exit code."""


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """The exit code of an interrupted command."""
    return TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED


def terminate(*_: object) -> None:
    """Raise Terminated: a signal handler."""
    raise Terminated


def leave(number: int, _: FrameType | None) -> None:
    """End the process without a message: a signal handler."""
    os._exit(INTERRUPTED if number == signal.SIGINT else TERMINATED)


@contextmanager
def handled() -> Iterator[None]:
    """Until the block ends, SIGTERM raises Terminated, unless somebody has set another handler."""
    ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if ours:
        signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        if ours and signal.getsignal(signal.SIGTERM) is terminate:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def terminated_by_hangup() -> Iterator[None]:
    """Until the block ends, SIGHUP raises Terminated: the terminal is gone. Windows has no such signal."""
    number = getattr(signal, "SIGHUP", None)
    main = threading.current_thread() is threading.main_thread()
    if number is None or not main or signal.getsignal(number) is not signal.SIG_DFL:
        yield
        return
    signal.signal(number, terminate)
    try:
        yield
    finally:
        signal.signal(number, signal.SIG_DFL)


class Interruption:
    """The first signal of a block that `stopping` guards; None while there was none."""

    def __init__(self) -> None:
        self.cause: KeyboardInterrupt | None = None

    def raise_it(self) -> None:
        """Raise what the signal would have raised, if there was one."""
        if self.cause is not None:
            raise self.cause


@contextmanager
def stopping(stop: Callable[[], object]) -> Iterator[Interruption]:
    """Until the block ends, the first SIGINT or SIGTERM calls `stop` instead of raising; another one raises.

    The block then ends by itself, with what it has found, and calls `raise_it` once that is printed.
    """
    found = Interruption()
    raising: dict[int, Callable[[int, FrameType | None], object]]
    raising = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: terminate}

    def handle(number: int, frame: FrameType | None) -> None:
        for each in replaced:
            signal.signal(each, raising[each])
        found.cause = Terminated() if number == signal.SIGTERM else KeyboardInterrupt()
        stop()

    main = threading.current_thread() is threading.main_thread()
    replaced = [number for number, usual in raising.items() if main and signal.getsignal(number) is usual]
    for number in replaced:
        signal.signal(number, handle)
    try:
        yield found
    finally:
        for number in replaced:
            signal.signal(number, raising[number])
