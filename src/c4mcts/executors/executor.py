"""Executors: what runs many tasks in threads, in processes or on a cluster, and hands out their results."""

import sys
from _thread import start_new_thread
from collections.abc import Callable, Generator, Sequence
from contextlib import nullcontext, suppress
from operator import methodcaller
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol, Self

from .. import _platform
from .._validation import must_be
from .cancellation import POLL_SECONDS, Cancellation
from .dask import DaskJobs, is_client
from .threads import EXIT_SECONDS

if TYPE_CHECKING:
    from concurrent.futures import Future

MAX_JOBS = 10_000_000  # games, searches: the seeds and the results of all are in memory at once


class AnyExecutor(Protocol):
    """An executor of jobs: a concurrent.futures.Executor, an object like one, or a Client of Dask."""

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
    if future.set_running_or_notify_cancel():
        try:
            future.set_result(function(*arguments))
        except BaseException as error:
            future.set_exception(error)
            del future  # the traceback refers to this frame


Task = Callable[[Cancellation], Any]  # can be pickled, for an executor of processes


def as_done(tasks: Sequence[Task], executor: AnyExecutor | None) -> Generator[tuple[int, Any], None, None]:
    """Run tasks in an executor, and yield the index and the result of each as they finish.

    executor: None for one thread per processor; see AnyExecutor. The exception of a task is raised here. If the
    generator is closed early or interrupted, tasks that have not begun are cancelled, and those running in threads end
    at their next look at the flag; those in other processes run to their end.

    Where there are no threads the tasks are run one after the other, each when its result is asked for.
    """
    cancellation = Cancellation()
    if not _platform.HAS_THREADS:
        yield from ((index, task(cancellation)) for index, task in enumerate(tasks))
        return
    finished: SimpleQueue[Future[Any]] = SimpleQueue()
    indices: dict[Future[Any], int] = {}
    pools: Any = DaemonThreads(_platform.processors()) if executor is None else nullcontext(executor)
    with DaskJobs(executor) if is_client(executor) else pools as pool:
        try:
            for index, task in enumerate(tasks):
                future = pool.submit(_run, task, cancellation)
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
            cancellation.cancel()  # also a task whose future an interrupt has kept from `indices`
            if isinstance(pool, DaskJobs):
                pool.cancel(indices)
            else:
                for future in indices:
                    future.cancel()
            # an exception, which its future refers to, has this frame in its traceback
            future = indices = ready = results = None  # type: ignore[assignment]


def _run(task: Task, cancellation: Cancellation) -> Any:
    """Run a task. If it fails, so does the call: its other tasks here end."""
    try:
        return task(cancellation)
    except BaseException as error:
        cancellation.cancel(error)
        raise


def worker_count(executor: Any) -> int:
    """How many jobs an executor runs at once; the number of processors if it does not say."""
    if is_client(executor):
        threads: dict[str, int] = executor.nthreads()  # by worker
        return max(1, sum(threads.values()))
    count = getattr(executor, "_max_workers", None)  # of concurrent.futures and of executors made like them
    return count if isinstance(count, int) and count > 0 else _platform.processors()


def an_executor(executor: Any) -> Any:
    """Check that the value is None, a Client of Dask, or has the `submit` method of an executor. TypeError."""
    interpreters: Any = sys.modules.get("concurrent.futures.interpreter")  # from Python 3.14 on, once it is used
    if interpreters is not None and isinstance(executor, interpreters.InterpreterPoolExecutor):
        raise TypeError("executor can't be an InterpreterPoolExecutor: NumPy can't be loaded in a second interpreter")
    if not (executor is None or is_client(executor) or callable(getattr(executor, "submit", None))):
        requirement = "a concurrent.futures.Executor, a Client of Dask or None"
        raise TypeError(must_be("executor", requirement, executor))
    return executor
