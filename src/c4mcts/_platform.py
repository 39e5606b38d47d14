"""What the platform lacks, and what is done instead: in WebAssembly a process has one thread, and there are no others.

Long work is done in slices there: by a generator that yields after each slice, so that the thread can do other things
in between. A call of the solver can't be left in the middle; it is ended, and repeated with what its table has kept.
"""

import sys
import time
from collections.abc import Callable, Generator
from typing import ParamSpec, TypeVar

IS_WASM = sys.platform == "emscripten"
HAS_THREADS = not IS_WASM  # read when it is needed, so that tests can change it
PAUSE_SECONDS = 0.05  # how long a call lasts that is then repeated; the repetition costs a few percent
PAUSE_NODES = 1 << 16  # of the solver: the same for calls whose results must not depend on the clock

T = TypeVar("T")
P = ParamSpec("P")


def require_threads(what: str) -> None:
    """RuntimeError if the platform has no threads. what: needs them."""
    if not HAS_THREADS:
        raise RuntimeError(f"{what} needs threads, and this platform has none")


def to_the_end(work: Callable[P, Generator[None, None, T]], *arguments: P.args, **named: P.kwargs) -> T:
    """Call a function that works in slices, and do all of them; returns its result.

    No variable refers to the generator. So an exception, such as Ctrl-C between two slices, closes it at once, even if
    the traceback is kept.
    """
    results: list[T] = []
    try:
        for _ in _noted(results, work, *arguments, **named):
            pass
    except RuntimeError as error:
        if isinstance(error.__cause__, StopIteration):  # of a callback; a generator can't raise it (PEP 479)
            raise error.__cause__ from None
        raise
    return results[0]


def _noted(
    results: list[T], work: Callable[P, Generator[None, None, T]], *arguments: P.args, **named: P.kwargs
) -> Generator[None, None, None]:
    results.append((yield from work(*arguments, **named)))


class Pause:
    """Says when to end a call that is to be repeated; never, where there are threads."""

    def __init__(self) -> None:
        self.was_due = False
        self._end = time.monotonic() + PAUSE_SECONDS

    def is_due(self) -> bool:
        """Whether to end the call now."""
        self.was_due = not HAS_THREADS and time.monotonic() >= self._end
        return self.was_due
