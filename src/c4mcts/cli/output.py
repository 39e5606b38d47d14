"""Standard output has the result of a command alone: what users' code prints goes to standard error."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

NAMES = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")  # of standard output, as a file to write
_file: TextIO | None = None  # while a command runs


def results() -> TextIO:
    """Standard output, for results."""
    return sys.stdout if _file is None else _file


def show(text: object = "", end: str = "\n") -> None:
    print(text, end=end, file=results(), flush=True)


def print_json(fields: dict[str, Any]) -> None:
    """Print an object of JSON in one line."""
    show(json.dumps(fields, allow_nan=False))


def path_of_output(value: Any) -> Any:
    """The value of an option; in it another name for standard output, whose own names lead to standard error now."""
    if isinstance(value, list):
        return [path_of_output(each) for each in value]
    return f"/dev/fd/{results().fileno()}" if value in NAMES else value


@contextmanager
def results_alone(*, for_good: bool) -> Iterator[None]:
    """Keep standard output for `show`: everything else, also of C code and child processes, goes to standard error.

    for_good: also after the block, as by a function that users' code has registered for the exit of the process.
    """
    global _file
    stdout = sys.stdout
    is_own = stdout is sys.__stdout__  # or it was replaced, as by a notebook, which a descriptor would bypass
    stdout.flush()
    if is_own:
        descriptor = stdout.fileno()
        # what it can't say, such as a name in another script, becomes an escape, as on standard error
        errors = "backslashreplace" if stdout.errors == "strict" else stdout.errors
        _file = open(os.dup(descriptor), "w", encoding=stdout.encoding, errors=errors)  # noqa: SIM115
        os.dup2(sys.stderr.fileno(), descriptor)
    else:
        _file = stdout
    sys.stdout = sys.stderr
    try:
        yield
        _file.flush()
    finally:
        file, _file = _file, None
        if not for_good:
            sys.stdout = stdout
        if is_own and not for_good:
            os.dup2(file.fileno(), descriptor)
        if is_own:
            if isinstance(sys.exception(), KeyboardInterrupt):  # of an incomplete text, which nobody may ever read
                with open(os.devnull, "wb") as nothing:
                    os.dup2(nothing.fileno(), file.fileno())
            file.close()
