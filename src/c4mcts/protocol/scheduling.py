"""Scheduling: which job runs next, in a thread or an event loop, and how many searches of all sessions run at once."""

import math
import threading
from _thread import get_ident, start_new_thread
from abc import ABC, abstractmethod
from bisect import insort
from collections import deque
from collections.abc import Generator, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .. import _platform
from .._validation import positive
from .jobs import Job

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop


class Workers(ABC):
    """Run up to `count` jobs at once, by the `run` of their contexts: the highest priority first, then the oldest.

    No worker waits for jobs. It ends when it sees none, and whoever adds one starts a worker that will.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._changed = threading.Condition()
        self._waiting: list[Job[Any]] = []  # the next one last
        self._arrived = 0

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def add(self, jobs: Iterable[Job[Any]]) -> None:
        """Queue jobs, and number them. RuntimeError if the system has no more threads and none is at work here."""
        with self._changed:
            for job in jobs:
                self._arrived += 1
                job.number = self._arrived
                insort(self._waiting, job, key=lambda each: (each.request.priority, -each.number))
        self._start()

    def withdraw(self, jobs: Iterable[Job[Any]]) -> list[Job[Any]]:
        """Remove jobs from the queue; returns those that were still waiting."""
        chosen = set(jobs)
        with self._changed:
            waiting = [job for job in reversed(self._waiting) if job in chosen]
            self._waiting = [job for job in self._waiting if job not in chosen]
            self._changed.notify_all()
        return waiting

    @abstractmethod
    def join(self, seconds: float | None = None) -> bool:
        """Wait until all jobs are done, `seconds` at most; returns whether they are."""

    @abstractmethod
    def _start(self) -> None:
        """Start workers for the jobs that are waiting."""


class Threads(Workers):
    """Daemon threads, started by a function in C: Ctrl-C in the middle of Thread.start could leave one locked."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._running: set[int] = set()  # the threads that have a job, each added and removed by itself

    def join(self, seconds: float | None = None) -> bool:
        if get_ident() in self._running:
            raise RuntimeError("a session can't end in a call of its on_reply or on_result")
        self._start()  # if Ctrl-C has kept `add` from it
        with self._changed:
            return self._changed.wait_for(lambda: not (self._waiting or self._running), seconds)

    def _start(self) -> None:
        # perhaps more than are needed, since others may be about to take these jobs: they see none, and end
        for _ in range(min(len(self._waiting), self._count - len(self._running))):
            try:
                start_new_thread(self._work, ())
            except RuntimeError:
                if not self._running:
                    raise

    def _work(self) -> None:
        try:
            while (job := self._take()) is not None:
                try:
                    for _ in job.context.run(job):
                        pass
                finally:
                    del job  # and with it the session
                    with self._changed:
                        self._running.remove(get_ident())
                        self._changed.notify_all()
        finally:
            self._start()  # of another one, if an exception ends this one, such as SystemExit in a client's function

    def _take(self) -> Job[Any] | None:
        with self._changed:
            if not self._waiting or len(self._running) >= self._count:
                return None
            self._running.add(get_ident())
            return self._waiting.pop()


class Turns(Workers):
    """The event loop instead of threads, for a platform with one thread: jobs take turns, a step in each of its turns.

    Without a running event loop the jobs are run by `join`.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._begun: deque[Generator[None, None, None]] = deque()  # but for the one whose step is being made
        self._loop: AbstractEventLoop | None = None  # the event loop that will call `_turn`

    def join(self, seconds: float | None = None) -> bool:
        """Run all jobs to their end; the jobs of a closed session end at once."""
        while self._waiting or self._begun:
            self._step()
        return True

    def _start(self) -> None:
        import asyncio  # imported here, because it slows down the start of `c4mcts serve`

        with suppress(RuntimeError):  # no event loop is running
            loop = asyncio.get_running_loop()
            if loop is not self._loop and (self._waiting or self._begun):
                self._loop = loop
                loop.call_soon(self._turn, loop)

    def _turn(self, loop: "AbstractEventLoop") -> None:
        if loop is self._loop:  # otherwise it had ended, and another one has taken over
            self._loop = None
            try:
                self._step()
            finally:
                self._start()

    def _step(self) -> None:
        """Make a step of a job: of one that has not begun, or of the one whose last step was made first."""
        if self._waiting and len(self._begun) < self._count:
            job = self._waiting.pop()
            self._begun.appendleft(job.context.run(job))
        if self._begun:
            steps = self._begun.popleft()
            with suppress(StopIteration):
                next(steps)
                self._begun.append(steps)


class Slots:
    """A limit on how many searches run at once, shared by the sessions of a process. Thread-safe.

    Threads that search at the same time slow each other down more than their number explains: whichever holds Python's
    lock (GIL) may have to wait for a processor, and all others wait for it. So a server with many clients has as many
    slots as processors, and searches take turns. Where there are no threads, they take turns without slots.
    """

    def __init__(self, count: int) -> None:
        self.count = positive("count", count)
        self._lock = threading.Lock()
        self._free = count if _platform.HAS_THREADS else math.inf
        self._waiting: deque[threading.Event] = deque()  # one for each search without a slot, set when it gets one

    @property
    def in_use(self) -> int:
        """Searches that have a slot."""
        return self.count - int(self._free) if _platform.HAS_THREADS else 0

    @property
    def waiting(self) -> int:
        """Searches that wait for one."""
        return len(self._waiting)

    def give_way(self) -> None:
        """Hand this slot to the search that has waited longest, and wait for another; do nothing if none waits."""
        if self._waiting:
            self.release()
            self.acquire()

    def acquire(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            mine = threading.Event()
            self._waiting.append(mine)
        mine.wait()

    def release(self) -> None:
        """Give the slot to the search that has waited longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *error: object) -> None:
        self.release()
