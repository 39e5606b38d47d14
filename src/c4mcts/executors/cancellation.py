"""Cancellation: how a job that runs elsewhere learns that its result is no longer wanted."""

import os
from collections.abc import Callable
from functools import cache, lru_cache

POLL_SECONDS = 0.02  # between two checks while waiting; Windows handles Ctrl-C only between two waits


class Cancelled(Exception):
    """Raised inside a job by its Cancellation, to end it."""


class Cancellation:
    """A flag, which a job calls regularly: it raises an error once the result of the job is no longer wanted.

    That is the error of the job that has failed, which the executor may report later than the ends of the others;
    Cancelled if none has.

    A pickled copy serves all jobs of the same call in another process. It does not see `cancel`, but is cancelled when
    one of these jobs fails, as by Ctrl-C, and when the process is gone that has started its own (not on Windows).
    """

    def __init__(self, call: bytes | None = None) -> None:
        self._call = os.urandom(8) if call is None else call
        self._parent = None if call is None else _parent()  # the process that must be there
        self._is_cancelled = False
        self._cause: BaseException | None = None

    def is_cancelled(self) -> bool:
        """Whether the result is no longer wanted."""
        return self._is_cancelled or (self._parent is not None and os.getppid() != self._parent)

    def cancel(self, cause: BaseException | None = None) -> None:
        """End all jobs of this process that have this flag. cause: the error of the job that has failed."""
        self._cause = cause
        self._is_cancelled = True

    def __call__(self, *_: object) -> None:
        if self.is_cancelled():
            raise self._cause or Cancelled

    def __reduce__(self) -> "tuple[Callable[[bytes], Cancellation], tuple[bytes]]":
        return _copy, (self._call,)


@lru_cache(16)
def _copy(call: bytes) -> Cancellation:
    return Cancellation(call)


@cache
def _parent() -> int | None:
    from multiprocessing import parent_process

    return None if parent_process() is None else os.getppid()
