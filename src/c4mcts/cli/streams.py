"""The standard streams and the size of the terminal, made usable whatever they are; and what is said to the user."""

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, NoReturn, TextIO

MESSAGE, WORD = 500, 160  # characters of the longest message and of the longest word in one
REFUSING = ("strict", "surrogateescape")  # ways to deal with characters that make a stream refuse some


class Closed(io.TextIOBase):
    """In place of a standard stream that the process was started without: who reads or writes is told."""

    def __init__(self, name: str) -> None:
        self.name = name

    def _refuse(self, *_: Any) -> NoReturn:
        raise OSError(f"{self.name} is closed")

    read = readline = write = _refuse


@contextmanager
def usable_streams() -> Iterator[None]:
    """Until the block ends, no standard stream is None, and none stumbles over a character it has no code for."""
    with ExitStack() as undo:
        for name, errors in (("stdin", "replace"), ("stdout", "backslashreplace"), ("stderr", "backslashreplace")):
            stream = getattr(sys, name)
            if stream is None:
                undo.callback(setattr, sys, name, None)
                # the file takes the descriptor that is free, or the next file of the user's would get it
                nowhere = undo.enter_context(open(os.devnull, "w"))
                setattr(sys, name, nowhere if name == "stderr" else Closed(f"standard {name[3:]}put"))
            elif isinstance(stream, io.TextIOWrapper) and stream.errors in REFUSING:
                undo.callback(set_errors, stream, stream.errors)
                set_errors(stream, errors)
        yield


def set_errors(stream: io.TextIOWrapper, errors: str) -> None:
    """Change how a stream deals with odd characters, if it still can: not one that has been read, or that is broken."""
    with suppress(OSError, ValueError):
        stream.reconfigure(errors=errors)


@contextmanager
def sensible_size() -> Iterator[None]:
    """Until the block ends, COLUMNS and LINES are 1 to 9999 or unset, so that the terminal itself is asked."""
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
    """One line on standard error, if there is one: short, and with nothing in it that a terminal would obey."""
    text = "".join(character if character.isprintable() else ascii(character)[1:-1] for character in message)
    text = re.sub(r"\S+", lambda word: shortened(word[0], WORD), text)
    try:
        print(shortened(text, MESSAGE), file=sys.stderr, flush=True)
    except OSError:
        drop(sys.stderr)


def shortened(text: str, most: int) -> str:
    """The text, or as many characters of its start and its end."""
    return text if len(text) <= most else f"{text[: most // 2]}...{text[-most // 2 :]}"


def drop(stream: TextIO) -> None:
    """Send what is still to be written nowhere, so that the interpreter's own flush at its end can't fail again."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):  # a stand-in for a file
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
