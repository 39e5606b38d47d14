"""DaemonThreads: an executor for one call, which ends with the process."""

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from concurrent.futures import Future

Call = tuple[Callable[..., Any], tuple[Any, ...], "Future[Any]"]


class DaemonThreads:
    """At most `count` daemon threads, which run calls in the order of `submit`; leaving the block waits for all calls.

    A ThreadPoolExecutor runs everything that is queued when the main thread ends, and takes nothing from then on,
    not even from threads that the process waits for.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._calls: SimpleQueue[Call | None] = SimpleQueue()  # None: the thread that gets it ends
        self._threads: list[threading.Thread] = []

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Queue a call. RuntimeError if the system can start no more threads."""
        if len(self._threads) < self._count:
            thread = threading.Thread(target=self._work, name="c4mcts", daemon=True)
            thread.start()
            self._threads.append(thread)
        from concurrent.futures import Future  # imported here, because it slows down the import of the package

        future: Future[Any] = Future()
        self._calls.put((function, arguments, future))
        return future

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for _ in self._threads:
            self._calls.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            run_call(*call)
            del call  # the result may be large


def run_call(function: Callable[..., Any], arguments: tuple[Any, ...], future: "Future[Any]") -> None:
    """Run a call, unless its future is cancelled, and keep its result or its exception there."""
    if future.set_running_or_notify_cancel():
        try:
            result = function(*arguments)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)
