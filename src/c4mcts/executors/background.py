"""Runs work in other threads while this thread waits or does something else, and may get Ctrl-C at any moment.

Python raises KeyboardInterrupt in the main thread, between any two bytecode instructions. Inside the Python code of
threading or concurrent.futures that can leave a lock locked for ever. So the waiting thread only calls functions
written in C, which an interrupt can't split: those of a lock and of a SimpleQueue, and the start of a thread. All other
code runs in other threads, which get no interrupts.
"""

import atexit
import os
import threading
import time
from _thread import start_new_thread
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, nullcontext, suppress
from functools import cache, partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from .. import _platform
from .._validation import positive, refused
from .daemon_threads import DaemonThreads
from .dask import DaskJobs, is_client

if TYPE_CHECKING:
    from concurrent.futures import Future

MAX_JOBS = 10_000_000  # the seeds and the results of all jobs are in memory at once
POLL_SECONDS = 0.02  # between two checks while waiting; Windows handles Ctrl-C only between two waits
EXIT_SECONDS = 1.0  # how long the exit of the process waits for a Background to end
FORKED = "this process was forked off in the middle of a search and lacks its threads"

Report = TypeVar("Report")
IsClosed = Callable[[], bool]  # asks whether the work must end


class Mailbox(Generic[Report]):
    """Passes reports from a working thread to one reader."""

    def __init__(self) -> None:
        self.reports: SimpleQueue[Report | None] = SimpleQueue()  # None: the last one

    def put(self, report: Report) -> None:
        self.reports.put(report)

    def replace(self, report: Report) -> None:
        """Add a report; it replaces the previous one if that is still unread."""
        with suppress(Empty):
            self.reports.get_nowait()
        self.reports.put(report)

    def end(self) -> None:
        """No more reports will come."""
        self.reports.put(None)

    def unread(self) -> Iterator[Report]:
        """Take the reports out that are unread, without waiting for more."""
        with suppress(Empty):
            while (report := self.reports.get_nowait()) is not None:
                yield report


class Background:
    """Work in its own thread, which runs until it is done or is told to end.

    work: called with a function that says whether it must end, which it polls. at_end: called when the work
    has ended, or can't be started. The thread never keeps the process alive: when the process exits, the work is told
    to end and is waited for at most EXIT_SECONDS.
    """

    def __init__(self, work: Callable[[IsClosed], object], at_end: Callable[[], object] = bool) -> None:
        self.error: BaseException | None = None  # raised by the work, or by the system, which can start no more threads
        self.closed = False  # whether the work must end
        self.exiting = False  # whether the process exits, so that nothing may wait for the thread any more
        self._work = work
        self._at_end = at_end
        self._working = threading.Lock()  # held by the thread while it works
        self._process = os.getpid()
        self._thread: int | None = None  # its identifier while it works

    def start(self) -> None:
        """Start the thread; called once. RuntimeError if the platform has none."""
        _platform.require_threads("work in the background")
        start_new_thread(self._start, ())

    def is_closed(self) -> bool:
        """Whether the work must end."""
        return self.closed

    def is_working(self) -> bool:
        """Whether the thread is at work. One that begins after `closed` is set ends at once."""
        return not self.exiting and self._working.locked() and not self.is_forked()

    def is_forked(self) -> bool:
        """Whether this process was forked off, and so lacks the thread."""
        return os.getpid() != self._process

    def end(self) -> None:
        """Tell the work to end, and wait for that. If Ctrl-C ends the wait, it may be repeated.

        Not to be called by the work itself. Raises RuntimeError in a process that was forked off while the thread was
        at work: what the work was changing may be half done there.
        """
        self.closed = True
        while self.is_working():
            time.sleep(0.001)
        if self._working.locked() and self.is_forked():
            raise RuntimeError(FORKED)

    def raise_error(self) -> None:
        """Raise what has ended the work, if that was an exception; only once."""
        error, self.error = self.error, None
        if error is not None:
            try:
                raise error
            finally:
                del error  # its traceback refers to this frame

    def is_this_thread(self) -> bool:
        """Whether this is called by the work itself."""
        return self._thread == threading.get_ident()

    def _start(self) -> None:
        """Start the working thread through threading, which gives it a name."""
        try:
            threading.Thread(target=self._run, name="c4mcts", daemon=True).start()
        except BaseException as error:
            self.error = error
            self._at_end()

    def _run(self) -> None:
        with self._working:
            self._thread = threading.get_ident()
            atexit.register(self._exit)
            try:
                if not self.closed:
                    self._work(self.is_closed)
            except BaseException as error:
                self.error = error
            finally:
                self._at_end()
                atexit.unregister(self._exit)
                self._thread = None  # the system may give its identifier to another thread

    def _exit(self) -> None:
        """At the exit of the process, which may be a forked one that lacks the thread."""
        self.closed = self.exiting = True
        deadline = time.monotonic() + EXIT_SECONDS
        while self._working.locked() and not self.is_forked() and time.monotonic() < deadline:
            time.sleep(0.001)


Work = Callable[[Mailbox[Report], IsClosed], Generator[None, None, None]]


def watch(work: Work[Report]) -> Generator[Report, None, None]:
    """Run work in a thread, yield its reports, and raise its exception here.

    work: called with a mailbox for the reports, and a function as for Background; does the work in slices, see
    _platform.to_the_end. When the generator is closed or interrupted, it waits for the work. A second Ctrl-C ends that
    wait. A daemon thread that is waiting for a report when the process exits ends: the work is not complete.

    Where there are no threads, the work is done while the next report is asked for.
    """
    return _in_a_thread(work) if _platform.HAS_THREADS else _in_slices(work)


def _in_slices(work: Work[Report]) -> Generator[Report, None, None]:
    box: Mailbox[Report] = Mailbox()
    with closing(work(box, lambda: False)) as slices:
        for _ in slices:
            yield from box.unread()
    yield from box.unread()


def _in_a_thread(work: Work[Report]) -> Generator[Report, None, None]:
    box: Mailbox[Report] = Mailbox()
    background = Background(lambda is_closed: _platform.to_the_end(work, box, is_closed), box.end)
    try:
        background.start()
        while True:
            try:
                report = box.reports.get(timeout=POLL_SECONDS)
            except Empty:
                continue
            if report is None:
                break
            yield report
            if background.is_forked():
                raise RuntimeError(FORKED)
    finally:
        background.closed = True  # set here, since an interrupt could come at the beginning of a method
        while background.is_working():
            time.sleep(0.001)
    if background.exiting:
        raise SystemExit  # a thread ends by it without a message
    background.raise_error()


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
    return watch(partial(_do, jobs, executor)) if _platform.HAS_THREADS else _one_by_one(jobs)


def _one_by_one(jobs: Sequence[Job]) -> Generator[tuple[int, Any], None, None]:
    check = Check()
    for index, job in enumerate(jobs):
        yield index, job(check)


def _do(
    jobs: Sequence[Job], executor: AnyExecutor | None, box: Mailbox[tuple[int, Any]], is_closed: IsClosed
) -> Generator[None, None, None]:
    check = Check()
    finished: SimpleQueue[Future[Any]] = SimpleQueue()
    indices: dict[Future[Any], int] = {}
    with _pool(executor) as pool:
        try:
            for index, job in enumerate(jobs):
                if is_closed():
                    return
                future = pool.submit(job, check)
                indices[future] = index
                future.add_done_callback(finished.put)
            while indices and not is_closed():
                try:
                    future = finished.get(timeout=POLL_SECONDS)
                except Empty:
                    continue
                box.put((indices.pop(future), future.result()))
                yield
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
