"""The process of a command: exit codes, signals, standard streams, messages to the user."""

import io
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn, TextIO

OK, FAILED, USAGE, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143

MEANINGS = {
    OK: "success, also if the reader closed the pipe",
    FAILED: "failed: out of memory or disk space, an error in an evaluator or a player, a missing backend or program, "
    "a claim that is not proven",
    USAGE: "invalid option, file or position (the other lines of the input are still answered)",
    INTERRUPTED: "stopped by Ctrl-C (SIGINT); prints the result so far",
    TERMINATED: "stopped by SIGTERM; prints the result so far",
}
MAX_MESSAGE, MAX_WORD = 500, 160  # characters of a message, and of a single word in it
RAISING = ("strict", "surrogateescape")  # error handlers with which a stream raises for some characters


class Terminated(KeyboardInterrupt):
    """SIGTERM was received; handled like Ctrl-C, except for the exit code."""


def exit_code(interrupt: KeyboardInterrupt) -> int:
    return TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED


def terminate(*_: object) -> None:
    """Raise Terminated: a signal handler."""
    raise Terminated


def leave(number: int, _: FrameType | None) -> None:
    """End the process without a message: a signal handler."""
    os._exit(INTERRUPTED if number == signal.SIGINT else TERMINATED)


@contextmanager
def terminated_by(name: str) -> Iterator[None]:
    """Until the block ends, a signal raises Terminated, unless another handler is set.

    name: SIGTERM, or SIGHUP, which is sent when a terminal closes. Windows has no SIGHUP.
    """
    number: Any = getattr(signal, name, None)
    main = threading.current_thread() is threading.main_thread()
    ours = main and number is not None and signal.getsignal(number) is signal.SIG_DFL
    if ours:
        signal.signal(number, terminate)
    try:
        yield
    finally:
        if ours and signal.getsignal(number) is terminate:
            signal.signal(number, signal.SIG_DFL)


class Interruption:
    """The first signal received in a block of `stopping`; None if there was none."""

    def __init__(self) -> None:
        self.cause: KeyboardInterrupt | None = None

    def raise_it(self) -> None:
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


class Closed(io.TextIOBase):
    """Stands in for a standard stream that is missing: reading or writing raises OSError."""

    def __init__(self, name: str) -> None:
        self.name = name

    def _refuse(self, *_: Any) -> NoReturn:
        raise OSError(f"{self.name} is closed")

    read = readline = write = _refuse


@contextmanager
def usable_streams() -> Iterator[None]:
    """Until the block ends, no standard stream is None, and none raises for a character that it can't encode."""
    with ExitStack() as undo:
        for name, errors in (("stdin", "replace"), ("stdout", "backslashreplace"), ("stderr", "backslashreplace")):
            stream = getattr(sys, name)
            if stream is None:
                undo.callback(setattr, sys, name, None)
                # this file takes the free descriptor, which the next opened file would get otherwise
                nowhere = undo.enter_context(open(os.devnull, "w"))
                setattr(sys, name, nowhere if name == "stderr" else Closed(f"standard {name[3:]}put"))
            elif isinstance(stream, io.TextIOWrapper) and stream.errors in RAISING:
                undo.callback(set_errors, stream, stream.errors)
                set_errors(stream, errors)
        yield


def set_errors(stream: io.TextIOWrapper, errors: str) -> None:
    """Change the error handler of a stream. Has no effect on a broken stream, or on one that was read already."""
    with suppress(OSError, ValueError):
        stream.reconfigure(errors=errors)


@contextmanager
def sensible_size() -> Iterator[None]:
    """Until the block ends, COLUMNS and LINES are 1 to 9999 or unset; if unset, the terminal is asked for its size."""
    odd = {
        name: value
        for name in ("COLUMNS", "LINES")
        if (value := os.environ.get(name)) is not None and not re.fullmatch("[1-9][0-9]{0,3}", value)
    }
    for name in odd:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(odd)


def say(message: str) -> None:
    """Print one line on standard error, shortened, with control characters escaped."""
    text = "".join(character if character.isprintable() else ascii(character)[1:-1] for character in message)
    text = re.sub(r"\S+", lambda word: shortened(word[0], MAX_WORD), text)
    try:
        print(shortened(text, MAX_MESSAGE), file=sys.stderr, flush=True)
    except OSError:
        drop(sys.stderr)


def shortened(text: str, length: int) -> str:
    """The text, or its start and end with an ellipsis between them if it is longer than `length` characters."""
    return text if len(text) <= length else f"{text[: length // 2]}...{text[-length // 2 :]}"


def drop(stream: TextIO) -> None:
    """Discard the pending output of a stream, so that the interpreter's flush at exit can't fail again."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):  # not a real file
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
