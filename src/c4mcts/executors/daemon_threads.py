"""DaemonThreads: an executor for one call, which ends with the process."""

from _thread import start_new_thread
from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from concurrent.futures import Future

Call = tuple[Callable[..., Any], tuple[Any, ...], "Future[Any]"]


class DaemonThreads:
    """At most `count` daemon threads, which run calls in the order of `submit`.

    Leaving the block waits for all calls, but not after Ctrl-C: a player of others may think for hours.

    A ThreadPoolExecutor runs everything that is queued when the main thread ends, and takes nothing from then on,
    not even from threads that the process waits for. Threads are started by a function in C, because Ctrl-C in the
    middle of Thread.start could leave one locked.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._started = 0
        self._calls: SimpleQueue[Call | None] = SimpleQueue()  # None: the thread that gets it ends
        self._ended: SimpleQueue[None] = SimpleQueue()  # one None for each thread

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Queue a call. RuntimeError if the system can start no more threads."""
        if self._started < self._count:
            start_new_thread(self._work, ())
            self._started += 1
        from concurrent.futures import Future  # imported here, because it slows down the import of the package

        future: Future[Any] = Future()
        self._calls.put((function, arguments, future))
        return future

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for _ in range(self._started):
            self._calls.put(None)
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            return
        for _ in range(self._started):
            self._ended.get()

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            run_call(*call)
            del call  # the result may be large
        self._ended.put(None)


def run_call(function: Callable[..., Any], arguments: tuple[Any, ...], future: "Future[Any]") -> None:
    """Run a call, unless its future is cancelled, and keep its result or its exception there."""
    if future.set_running_or_notify_cancel():
        try:
            result = function(*arguments)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)
