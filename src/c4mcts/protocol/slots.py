"""Slots: how many searches of several sessions run at once.

Many threads that search at once slow each other down out of proportion: whoever holds Python's lock (GIL) may have to
wait for a processor, and all others wait for it. A server with many clients has as many slots as processors.
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from .._validation import positive


class Slots:
    """A number of slots, for which searches queue. Safe to use from several threads."""

    def __init__(self, count: int) -> None:
        self._lock = threading.Lock()
        self._free = positive("count", count)
        self._waiting: deque[threading.Event] = deque()  # one for each search without a slot, set when it has one

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold a slot until the block ends; waits for one."""
        self._take()
        try:
            yield
        finally:
            self._give()

    def give_way(self) -> None:
        """Let the search that has waited longest have the slot of this one, and queue again; at once if none waits."""
        if self._waiting:
            self._give()
            self._take()

    def _take(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            mine = threading.Event()
            self._waiting.append(mine)
        mine.wait()

    def _give(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1
