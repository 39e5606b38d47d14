"""Scheduling: which job runs next, in which thread, and how many searches of all sessions run at once."""

import threading
from bisect import insort
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from .._timer import Timer
from .._validation import positive
from .jobs import Job


class Workers:
    """A fixed number of threads that run jobs: those of the highest priority first, and of these the oldest.

    run: runs one job; must not raise.
    """

    def __init__(self, count: int, run: Callable[[Job[Any]], None]) -> None:
        self._run = run
        self._changed = threading.Condition()
        self._waiting: list[Job[Any]] = []  # the next one last
        self._arrived = 0
        self._ending = False
        self._threads = [threading.Thread(target=self._work, name="c4mcts-session", daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """The number of jobs waiting for a thread."""
        return len(self._waiting)

    def add(self, jobs: Iterable[Job[Any]]) -> None:
        """Queue jobs, and number them."""
        with self._changed:
            for job in jobs:
                self._arrived += 1
                job.number = self._arrived
                insort(self._waiting, job, key=lambda each: (each.priority, -each.number))
                self._changed.notify()

    def withdraw(self, jobs: Iterable[Job[Any]]) -> list[Job[Any]]:
        """Remove jobs from the queue; returns those that were still waiting."""
        wanted = set(jobs)
        with self._changed:
            found = [job for job in reversed(self._waiting) if job in wanted]
            self._waiting = [job for job in self._waiting if job not in wanted]
        return found

    def end(self) -> None:
        """Let the threads end once no job is waiting."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()

    def join(self, seconds: float | None = None) -> bool:
        """Wait until the threads have ended, `seconds` at most; returns whether they have."""
        timer = Timer(seconds)
        for thread in self._threads:
            thread.join(None if seconds is None else timer.remaining())
        return not any(thread.is_alive() for thread in self._threads)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            self._run(job)

    def _next(self) -> Job[Any] | None:
        """Wait for the next job; None if the thread has to end."""
        with self._changed:
            while not (self._waiting or self._ending):
                self._changed.wait()
            return self._waiting.pop() if self._waiting else None


class Slots:
    """A limit on how many searches run at once, shared by the sessions of a process. Thread-safe.

    Threads that search at the same time slow each other down more than their number explains: whichever holds Python's
    lock (GIL) may have to wait for a processor, and all others wait for it. So a server with many clients has as many
    slots as processors, and searches take turns.
    """

    def __init__(self, count: int) -> None:
        self._lock = threading.Lock()
        self._free = positive("count", count)
        self._waiting: deque[threading.Event] = deque()  # one for each search without a slot, set when it gets one

    @contextmanager
    def held(self) -> Iterator[None]:
        """Wait for a slot, and hold it until the block ends."""
        self._take()
        try:
            yield
        finally:
            self._give()

    def give_way(self) -> None:
        """Hand this slot to the search that has waited longest, and wait for another; do nothing if none waits."""
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
