"""Work in other threads, watched from this one, in which Ctrl-C may come at any moment.

Python answers signals in the main thread, between any two steps of Python code: also amid those with which threading
and concurrent.futures take and release their locks, which then stay locked for ever. So the thread that watches only
calls functions of C, which are done or not done: of a lock, of a SimpleQueue, and the start of a thread. Everything
else is for other threads, where no signal is answered.
"""

import os
import threading
from _thread import start_new_thread
from collections.abc import Callable, Generator, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

PATIENCE = 0.02  # seconds between two looks at something else; also for Ctrl-C, which Windows doesn't hear in a wait

Report = TypeVar("Report")


class Mailbox(Generic[Report]):
    """What a thread reports to one reader, who may leave."""

    def __init__(self) -> None:
        self.reports: SimpleQueue[Report | None] = SimpleQueue()  # None: there will be no more
        self.working = threading.Lock()  # held by the thread while it works, and by a reader who has left
        self.left = False  # the reader has
        self.error: BaseException | None = None  # what ended the work

    def is_left(self) -> bool:
        """Whether nobody reads any more, so that the work is to end."""
        return self.left

    def put(self, report: Report) -> None:
        """Leave a report."""
        self.reports.put(report)

    def replace(self, report: Report) -> None:
        """Leave a report in place of the last, if that has not been read."""
        with suppress(Empty):
            self.reports.get_nowait()
        self.reports.put(report)


def watch(work: Callable[[Mailbox[Report]], None]) -> Generator[Report, None, None]:
    """Run work in a thread and yield what it puts into its mailbox; what it raises is raised here.

    work: ends soon after the mailbox was left, for which this waits; a second Ctrl-C cuts the wait short.
    """
    box: Mailbox[Report] = Mailbox()
    process = os.getpid()
    try:
        start_new_thread(_start, (work, box))
        while True:
            try:
                report = box.reports.get(timeout=PATIENCE)
            except Empty:
                continue
            if report is None:
                break
            yield report
            if os.getpid() != process:
                raise RuntimeError("this process was forked off in the middle of a search, whose threads it has not")
    finally:
        box.left = True
        # The thread has ended, or will find the lock taken and not begin; a process forked off has no such thread.
        while os.getpid() == process and not box.working.acquire(timeout=PATIENCE):
            pass
    if box.error is not None:
        raise box.error


def _start(work: Callable[[Mailbox[Report]], None], box: Mailbox[Report]) -> None:
    """Start the thread that works: one that has a name and that threading knows of."""
    try:
        threading.Thread(target=_work, args=(work, box), name="c4mcts", daemon=True).start()
    except BaseException as error:  # the system has no more threads
        box.error = error
        box.reports.put(None)


def _work(work: Callable[[Mailbox[Report]], None], box: Mailbox[Report]) -> None:
    if not box.working.acquire(blocking=False):
        return
    try:
        work(box)
    except BaseException as error:
        box.error = error
    finally:
        box.reports.put(None)
        box.working.release()


class Abandoned(Exception):
    """Raised inside a job, to end it."""


class Check:
    """What a job calls every now and then: raises when the job is not wanted any more.

    Nothing reaches a job in another process: a check that was pickled never raises.
    """

    def __init__(self) -> None:
        self.unwanted = False

    def __call__(self, *_: object) -> None:
        if self.unwanted:
            raise Abandoned

    def __reduce__(self) -> "tuple[type[Check], tuple[()]]":
        return Check, ()


Job = Callable[[Check], Any]  # can be pickled, for an executor of processes


def as_done(jobs: Sequence[Job], executor: "Executor | None") -> Generator[tuple[int, Any], None, None]:
    """Do jobs in an executor, and yield the index and the result of each as they come.

    executor: None for a thread for every processor. What a job raises is raised here. Closed early, or interrupted, it
    ends the jobs too: those that have not begun, and those that call their check in this process.
    """
    return watch(partial(_do, jobs, executor))


def _do(jobs: Sequence[Job], executor: "Executor | None", box: Mailbox[tuple[int, Any]]) -> None:
    from concurrent.futures import ThreadPoolExecutor  # here, and not at the import of the package, which it slows down

    check = Check()
    finished: SimpleQueue[Future[Any]] = SimpleQueue()
    indices: dict[Future[Any], int] = {}
    with ThreadPoolExecutor(os.cpu_count()) if executor is None else nullcontext(executor) as pool:
        try:
            for index, job in enumerate(jobs):
                if box.left:
                    return
                future = pool.submit(job, check)
                indices[future] = index
                future.add_done_callback(finished.put)
            while indices and not box.left:
                try:
                    future = finished.get(timeout=PATIENCE)
                except Empty:
                    continue
                box.put((indices.pop(future), future.result()))
        finally:
            check.unwanted = True
            for future in indices:
                future.cancel()
