"""Runs work in other threads: one piece of work in a daemon thread, or many jobs in an executor."""

import atexit
import os
import sys
import threading
from _thread import start_new_thread
from collections.abc import Callable, Generator, Sequence
from contextlib import nullcontext, suppress
from functools import cache, lru_cache
from operator import methodcaller
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol, Self

from .. import _platform
from .._validation import refused
from .dask import DaskJobs, is_client

if TYPE_CHECKING:
    from concurrent.futures import Future

MAX_JOBS = 10_000_000  # games, searches: the seeds and the results of all are in memory at once
POLL_SECONDS = 0.02  # between two checks while waiting; Windows handles Ctrl-C only between two waits
EXIT_SECONDS = 1.0  # how long the exit of the process, or Ctrl-C, waits for a thread to end


class BackgroundThread(threading.Thread):
    """A daemon thread, whose `work` polls `is_closed`. When the process ends it has EXIT_SECONDS to end, too."""

    work: Callable[[], object]  # to be set before the start

    def __init__(self) -> None:
        super().__init__(name="c4mcts", daemon=True)
        self.closed = False  # whether the work must end
        # Set while there is no work to wait for. After Ctrl-C in `join`, Python 3.11 and 3.12 say that it is not alive.
        self._is_idle = threading.Event()
        self._is_idle.set()
        self.error: BaseException | None = None  # raised by the work

    def is_closed(self) -> bool:
        return self.closed

    def end(self, seconds: float | None = None) -> None:
        """Tell the work to end, and wait for that, at most this long."""
        self.closed = True
        self._is_idle.wait(seconds)

    def raise_error(self) -> None:
        """Raise what has ended the work, if that was an exception; only once."""
        error, self.error = self.error, None
        if error is not None:
            try:
                raise error
            finally:
                del error  # its traceback refers to this frame

    def run(self) -> None:
        self._is_idle.clear()  # before it looks at `closed`, which `end` sets before it waits
        atexit.register(self._exit)
        try:
            if not self.closed:
                self.work()
        except BaseException as error:
            self.error = error
        finally:
            del self.work
            atexit.unregister(self._exit)
            self._is_idle.set()

    def _exit(self) -> None:
        self.end(EXIT_SECONDS)
        self._is_idle.set()


class Cancelled(Exception):
    """Raised inside a job by its Cancellation, to end it."""


class Cancellation:
    """A flag, which a job calls regularly: it raises Cancelled once the result of the job is no longer wanted.

    A pickled copy serves all jobs of the same call in another process. It does not see `cancel`, but is cancelled when
    one of these jobs fails, as by Ctrl-C, and when the process is gone that has started its own (not on Windows).
    """

    def __init__(self, call: bytes | None = None) -> None:
        self._call = os.urandom(8) if call is None else call
        self._parent = None if call is None else _parent()  # the process that must be there
        self._is_cancelled = False

    def is_cancelled(self) -> bool:
        """Whether the result is no longer wanted."""
        return self._is_cancelled or (self._parent is not None and os.getppid() != self._parent)

    def cancel(self) -> None:
        """End all jobs of this process that have this flag."""
        self._is_cancelled = True

    def __call__(self, *_: object) -> None:
        if self.is_cancelled():
            raise Cancelled

    def __reduce__(self) -> "tuple[Callable[[bytes], Cancellation], tuple[bytes]]":
        return _copy, (self._call,)


@lru_cache(16)
def _copy(call: bytes) -> Cancellation:
    return Cancellation(call)


@cache
def _parent() -> int | None:
    """The parent of this process, if multiprocessing has started it."""
    from multiprocessing import parent_process

    return None if parent_process() is None else os.getppid()


class AnyExecutor(Protocol):
    """What runs jobs: a concurrent.futures.Executor, an object like one, or a Client of Dask."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Run a call, soon, and return its future."""


class DaemonThreads:
    """An executor of at most `count` daemon threads.

    Leaving the block waits for all calls; after Ctrl-C only for a second, since a player in one may think for hours. A
    ThreadPoolExecutor would run everything that is queued when the main thread ends, and would then take nothing more.

    Threads are started by a function in C: Ctrl-C in the middle of Thread.start could leave one locked. One that an
    interrupt keeps from being counted ends instead of another.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._started = 0
        # futures, functions, arguments; None: the thread that gets it ends
        self._calls: SimpleQueue[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]] | None] = SimpleQueue()
        self._ended: SimpleQueue[None] = SimpleQueue()  # one None for each thread

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        from concurrent.futures import Future  # imported here, because it slows down the import of the package

        future: Future[Any] = Future()
        if self._started < self._count:
            start_new_thread(self._work, ())
            self._started += 1
        self._calls.put((future, function, arguments))
        return future

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        for _ in range(self._started):
            self._calls.put(None)
        with suppress(Empty):
            for _ in range(self._started):
                self._ended.get(timeout=EXIT_SECONDS if kind is KeyboardInterrupt else None)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            _answer(*call)
            del call  # the result may be large
        self._ended.put(None)


def _answer(future: "Future[Any]", function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Call the function for its future, unless that is cancelled."""
    if future.set_running_or_notify_cancel():
        try:
            future.set_result(function(*arguments))
        except BaseException as error:
            future.set_exception(error)
            del future  # the traceback refers to this frame


Job = Callable[[Cancellation], Any]  # can be pickled, for an executor of processes


def as_done(jobs: Sequence[Job], executor: AnyExecutor | None) -> Generator[tuple[int, Any], None, None]:
    """Run jobs in an executor, and yield the index and the result of each as they finish.

    executor: None for one thread per processor; see AnyExecutor. The exception of a job is raised here. If the
    generator is closed early or interrupted, jobs that have not begun are cancelled, and those running in threads end
    at their next look at the flag; those in other processes run to their end.

    Where there are no threads the jobs are run one after the other, each when its result is asked for.
    """
    cancellation = Cancellation()
    if not _platform.HAS_THREADS:
        yield from ((index, job(cancellation)) for index, job in enumerate(jobs))
        return
    finished: SimpleQueue[Future[Any]] = SimpleQueue()
    indices: dict[Future[Any], int] = {}
    pools: Any = DaemonThreads(_platform.processors()) if executor is None else nullcontext(executor)
    with DaskJobs(executor) if is_client(executor) else pools as pool:
        try:
            for index, job in enumerate(jobs):
                future = pool.submit(_run, job, cancellation)
                indices[future] = index
                future.add_done_callback(finished.put)
            while indices:
                ready: list[Future[Any]] = []
                while not (ready and finished.empty()):
                    with suppress(Empty):
                        ready.append(finished.get(timeout=POLL_SECONDS))
                results = pool.results(ready) if isinstance(pool, DaskJobs) else map(methodcaller("result"), ready)
                for future, result in zip(ready, results, strict=True):
                    yield indices.pop(future), result
        finally:
            cancellation.cancel()  # also a job whose future an interrupt has kept from `indices`
            if isinstance(pool, DaskJobs):
                pool.cancel(indices)
            else:
                for future in indices:
                    future.cancel()
            # an exception, which its future refers to, has this frame in its traceback
            future = indices = ready = results = None  # type: ignore[assignment]


def _run(job: Job, cancellation: Cancellation) -> Any:
    """Run a job. If it fails, so does the call: its other jobs here end."""
    try:
        return job(cancellation)
    except BaseException:
        cancellation.cancel()
        raise


def worker_count(executor: Any) -> int:
    """How many jobs an executor runs at once; the number of processors if it does not say."""
    if is_client(executor):
        threads: dict[str, int] = executor.nthreads()  # by worker
        return max(1, sum(threads.values()))
    found = getattr(executor, "_max_workers", None)  # of concurrent.futures and of executors made like them
    return found if isinstance(found, int) and found > 0 else _platform.processors()


def an_executor(executor: Any) -> Any:
    """Check that the value is None, a Client of Dask, or has the `submit` method of an executor. TypeError."""
    interpreters: Any = sys.modules.get("concurrent.futures.interpreter")  # from Python 3.14 on, once it is used
    if interpreters is not None and isinstance(executor, interpreters.InterpreterPoolExecutor):
        raise TypeError("executor can't be an InterpreterPoolExecutor: NumPy can't be loaded in a second interpreter")
    if not (executor is None or is_client(executor) or callable(getattr(executor, "submit", None))):
        wanted = "a concurrent.futures.Executor, a Client of Dask or None"
        raise TypeError(refused("executor", wanted, executor))
    return executor
