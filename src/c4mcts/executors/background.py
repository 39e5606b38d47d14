"""Runs work in other threads: one piece of work in a daemon thread, or many jobs in an executor."""

import atexit
import os
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import nullcontext, suppress
from functools import cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from .. import _platform
from .._validation import positive, refused
from .daemon_threads import DaemonThreads
from .dask import DaskJobs, is_client

if TYPE_CHECKING:
    from concurrent.futures import Future

MAX_JOBS = 10_000_000  # the seeds and the results of all jobs are in memory at once
POLL_SECONDS = 0.02  # between two checks while waiting; Windows handles Ctrl-C only between two waits
EXIT_SECONDS = 1.0  # how long the exit of the process waits for a BackgroundThread to end

T = TypeVar("T")


def receive(queue: SimpleQueue[T]) -> T:
    """Wait for an item. Ctrl-C ends the wait on every platform."""
    while True:
        with suppress(Empty):
            return queue.get(timeout=POLL_SECONDS)


def replace(queue: "SimpleQueue[T]", item: T) -> None:
    """Add an item; it replaces the previous one if that has not been received."""
    with suppress(Empty):
        queue.get_nowait()
    queue.put(item)


class BackgroundThread:
    """Work in a daemon thread, which polls `is_closed` and ends soon once that is true.

    The process does not wait for the work: at its exit the work is told to end, and has EXIT_SECONDS for it.
    """

    def __init__(self) -> None:
        self.closed = False  # whether the work must end
        self._error: BaseException | None = None  # raised by the work
        self._thread: threading.Thread | None = None

    def is_closed(self) -> bool:
        return self.closed

    def start(self, work: Callable[[], object]) -> None:
        """Start the thread; called once. RuntimeError if the system can start no more threads."""
        self._thread = threading.Thread(target=self._run, args=(work,), name="c4mcts", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Tell the work to end, and wait for that."""
        self.closed = True
        self._wait()

    def raise_error(self) -> None:
        """Raise what has ended the work, if that was an exception; only once."""
        error, self._error = self._error, None
        if error is not None:
            try:
                raise error
            finally:
                del error  # its traceback refers to this frame

    def is_this_thread(self) -> bool:
        """Whether this is called by the work itself."""
        return self._thread is threading.current_thread()

    def _run(self, work: Callable[[], object]) -> None:
        atexit.register(self._exit)
        try:
            if not self.closed:
                work()
        except BaseException as error:
            self._error = error
        finally:
            atexit.unregister(self._exit)

    def _exit(self) -> None:
        self.closed = True
        self._wait(EXIT_SECONDS)
        self._thread = None  # nothing may wait for it any more

    def _wait(self, seconds: float | None = None) -> None:
        if self._thread is not None and self._thread.is_alive():
            self._thread.join(seconds)


class Cancelled(Exception):
    """Raised inside a job by its Check, to end it."""


class Check:
    """A job calls this regularly: it raises Cancelled once the job's result is no longer wanted.

    A pickled check looks for a file, which `cancel` makes, so that jobs in other processes of this machine end, too.
    Those on other machines can't see the file, and run to their end.
    """

    def __init__(self) -> None:
        self._is_cancelled = False
        self._is_pickled = False
        self._name = f"c4mcts-cancelled-{os.urandom(16).hex()}"  # of the file

    def is_cancelled(self) -> bool:
        """Whether the result is no longer wanted."""
        return self._is_cancelled

    def cancel(self) -> None:
        """End all jobs that have this check."""
        self._is_cancelled = True
        if self._is_pickled:
            _make(self._file())

    def __call__(self, *_: object) -> None:
        if self.is_cancelled():
            raise Cancelled

    def __reduce__(self) -> "tuple[type[RemoteCheck], tuple[str]]":
        self._is_pickled = True
        if self._is_cancelled:  # executors pickle in threads of their own, and may do so late
            _make(self._file())
        return RemoteCheck, (self._file(),)

    def _file(self) -> str:
        from tempfile import gettempdir  # imported here, because it slows down the import of the package

        return os.path.join(gettempdir(), self._name)


class RemoteCheck(Check):
    """A check that was pickled. path: of the file to look for."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._launcher = _launcher(os.getpid())

    def is_cancelled(self) -> bool:
        """Whether the file is there, or the process that wants the result is gone."""
        return os.path.exists(self._path) or (self._launcher is not None and os.getppid() != self._launcher)

    def __reduce__(self) -> "tuple[type[RemoteCheck], tuple[str]]":
        return RemoteCheck, (self._path,)


def _make(path: str) -> None:
    """Make an empty file that is removed when this process ends: workers may look for it as long as they live."""
    with suppress(OSError):  # it is there already; or the disk is full, and the jobs run to their end
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
        atexit.register(_remove, path)


def _remove(path: str) -> None:
    with suppress(OSError):
        os.remove(path)


@cache
def _launcher(process: int) -> int | None:
    """The parent of this process, if multiprocessing has started it: it has no purpose without one."""
    from multiprocessing import parent_process

    return None if parent_process() is None else os.getppid()


class AnyExecutor(Protocol):
    """What runs jobs: a concurrent.futures.Executor, an object like one, or a Client of Dask."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Run a call, soon, and return its future."""


Job = Callable[[Check], Any]  # can be pickled, for an executor of processes


def as_done(jobs: Sequence[Job], executor: AnyExecutor | None) -> Generator[tuple[int, Any], None, None]:
    """Run jobs in an executor, and yield the index and the result of each as they finish.

    executor: None for one thread per processor; see AnyExecutor. The exception of a job is raised here. If the
    generator is closed early or interrupted, jobs that have not begun are cancelled, and those running on this machine
    end at their next check.

    Where there are no threads, no executor can work: the jobs are run one after the other, each when its result is
    asked for.
    """
    check = Check()
    if not _platform.HAS_THREADS:
        yield from ((index, job(check)) for index, job in enumerate(jobs))
        return
    finished: SimpleQueue[Future[Any]] = SimpleQueue()
    indices: dict[Future[Any], int] = {}
    with _pool(executor) as pool:
        try:
            for index, job in enumerate(jobs):
                future = pool.submit(job, check)
                indices[future] = index
                future.add_done_callback(finished.put)
            while indices:
                future = receive(finished)
                yield indices.pop(future), future.result()
        finally:
            if indices:
                check.cancel()
            for future in indices:
                future.cancel()


def worker_count(executor: Any) -> int:
    """How many jobs an executor runs at once; the number of processors if it does not say."""
    if is_client(executor):
        threads: dict[str, int] = executor.nthreads()  # by worker
        return max(1, sum(threads.values()))
    found = getattr(executor, "_max_workers", None)  # of concurrent.futures and of executors made like them
    return found if isinstance(found, int) and found > 0 else os.cpu_count() or 1


def _pool(executor: Any) -> Any:
    """What runs the jobs of one call: a context manager with `submit`."""
    if executor is None:
        return DaemonThreads(os.cpu_count() or 1)
    return DaskJobs(executor) if is_client(executor) else nullcontext(executor)


def job_count(name: str, value: object) -> int:
    """Check a number of games or searches. TypeError, ValueError."""
    return positive(name, value, MAX_JOBS)


def an_executor(executor: Any) -> Any:
    """Check that the value is None, a Client of Dask, or has the `submit` method of an executor. TypeError."""
    if not (executor is None or is_client(executor) or callable(getattr(executor, "submit", None))):
        wanted = "a concurrent.futures.Executor, a Client of Dask or None"
        raise TypeError(refused("executor", wanted, executor))
    return executor
