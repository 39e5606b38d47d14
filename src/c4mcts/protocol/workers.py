"""Workers: threads that do jobs, the most urgent first."""

import threading
from bisect import insort
from collections.abc import Callable, Iterable

from .._timer import Timer
from .jobs import Job


class Workers:
    """A fixed number of threads.

    do: does one job; must not raise. Jobs of the highest priority come first, of these the oldest.
    """

    def __init__(self, count: int, do: Callable[[Job], None]) -> None:
        self._do = do
        self._changed = threading.Condition()
        self._waiting: list[Job] = []  # the next one last
        self._arrived = 0
        self._ending = False
        self._threads = [threading.Thread(target=self._work, name="c4mcts-session", daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """The number of jobs that wait for a worker."""
        return len(self._waiting)

    def add(self, jobs: Iterable[Job]) -> None:
        """Queue jobs."""
        with self._changed:
            for job in jobs:
                self._arrived += 1
                job.number = self._arrived
                insort(self._waiting, job, key=lambda each: (each.priority, -each.number))
                self._changed.notify()

    def withdraw(self, jobs: Iterable[Job]) -> list[Job]:
        """Take jobs out of the queue; return those that were still in it."""
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
        """Wait for the threads to end, at most so many seconds; whether they have."""
        timer = Timer(seconds)
        for thread in self._threads:
            thread.join(None if seconds is None else timer.remaining())
        return not any(thread.is_alive() for thread in self._threads)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            self._do(job)

    def _next(self) -> Job | None:
        """Wait for the next job; None when the thread must end."""
        with self._changed:
            while not (self._waiting or self._ending):
                self._changed.wait()
            return self._waiting.pop() if self._waiting else None
