"""Scheduling: which job runs next, in a thread or in a task, and how many searches of all sessions run at once."""

import math
import threading
from abc import ABC, abstractmethod
from bisect import insort
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .. import _platform
from .._timer import Timer
from .._validation import positive
from .jobs import Job

if TYPE_CHECKING:
    from asyncio import Task


class Workers(ABC):
    """Run jobs, each by the `run` of its context: the highest priority first, and among equals the oldest."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: list[Job[Any]] = []  # the next one last
        self._arrived = 0

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def add(self, jobs: Iterable[Job[Any]]) -> None:
        """Queue jobs, and number them."""
        with self._changed:
            for job in jobs:
                self._arrived += 1
                job.number = self._arrived
                insort(self._waiting, job, key=lambda each: (each.request.priority, -each.number))
                self._changed.notify()

    def withdraw(self, jobs: Iterable[Job[Any]]) -> list[Job[Any]]:
        """Remove jobs from the queue; returns those that were still waiting."""
        wanted = set(jobs)
        with self._changed:
            found = [job for job in reversed(self._waiting) if job in wanted]
            self._waiting = [job for job in self._waiting if job not in wanted]
        return found

    @abstractmethod
    def end(self) -> None:
        """Let the workers end once no job is waiting."""

    @abstractmethod
    def join(self, seconds: float | None = None) -> bool:
        """Wait until the workers have ended, `seconds` at most; returns whether they have."""


class Threads(Workers):
    """A fixed number of threads, each of which runs one job at a time.

    A thread that waits holds no job, and so no session.
    """

    def __init__(self, count: int) -> None:
        super().__init__()
        self._ending = False
        self._threads = [threading.Thread(target=self._work, name="c4mcts-session", daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        with self._changed:
            self._ending = True
            self._changed.notify_all()

    def join(self, seconds: float | None = None) -> bool:
        timer = Timer(seconds)
        for thread in self._threads:
            thread.join(None if seconds is None else timer.remaining())
        return not any(thread.is_alive() for thread in self._threads)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            for _ in job.context.run(job):
                pass
            del job

    def _next(self) -> Job[Any] | None:
        """Wait for the next job; None if the thread has to end."""
        with self._changed:
            while not (self._waiting or self._ending):
                self._changed.wait()
            return self._waiting.pop() if self._waiting else None


class Tasks(Workers):
    """Tasks of the event loop in place of threads, for a platform with one thread: they take turns after each step.

    Without a running event loop the jobs are run by `join`.
    """

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count
        self._tasks: set[Task[None]] = set()  # the event loop alone would not keep them alive
        self._begun: list[Generator[None, None, None]] = []  # the jobs that tasks have begun

    def add(self, jobs: Iterable[Job[Any]]) -> None:
        import asyncio  # imported here, because it slows down the start of `c4mcts serve`

        super().add(jobs)
        with suppress(RuntimeError):  # no event loop is running
            loop = asyncio.get_running_loop()
            for _ in range(min(len(self._waiting), self._count - len(self._tasks))):
                task = loop.create_task(self._work())
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def end(self) -> None:
        pass  # a task ends when no job is waiting

    def join(self, seconds: float | None = None) -> bool:
        """Run all jobs to their end; those of a closed session end at once."""
        for steps in [*self._begun, *self._waiting_steps()]:
            for _ in steps:
                pass
        return True

    def _waiting_steps(self) -> Iterator[Generator[None, None, None]]:
        while self._waiting:
            job = self._waiting.pop()
            yield job.context.run(job)

    async def _work(self) -> None:
        import asyncio

        for steps in self._waiting_steps():
            self._begun.append(steps)
            for _ in steps:
                await asyncio.sleep(0)
            self._begun.remove(steps)


class Slots:
    """A limit on how many searches run at once, shared by the sessions of a process. Thread-safe.

    Threads that search at the same time slow each other down more than their number explains: whichever holds Python's
    lock (GIL) may have to wait for a processor, and all others wait for it. So a server with many clients has as many
    slots as processors, and searches take turns. Where there are no threads, they take turns without slots.
    """

    def __init__(self, count: int) -> None:
        self._lock = threading.Lock()
        self._free = positive("count", count) if _platform.HAS_THREADS else math.inf
        self._waiting: deque[threading.Event] = deque()  # one for each search without a slot, set when it gets one

    def give_way(self) -> None:
        """Hand this slot to the search that has waited longest, and wait for another; do nothing if none waits."""
        if self._waiting:
            self.release()
            self.acquire()

    def acquire(self) -> None:
        """Wait for a slot."""
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
