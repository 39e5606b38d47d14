"""Runs jobs on a Dask cluster through its Client, which survives the loss of a worker at any moment.

The executor that Dask itself makes of a client does not: it asks for a result and then for the state of its task, which
is another one if a worker is lost in between.
"""

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from .daemon_threads import DaemonThreads, run_call

if TYPE_CHECKING:
    from concurrent.futures import Future

RETRIES = 2  # of a job that fails, on another worker if there is one: its machine may be about to go down
TAKERS = 8  # threads that fetch results; the client fetches what several of them wait for at once


class LostScheduler(ConnectionError):
    """The connection to the scheduler of a cluster is lost, and with it all jobs that are not finished."""


def is_client(executor: object) -> bool:
    """Whether this is a Client of Dask. TypeError for the executor that Dask makes of one."""
    distributed: Any = sys.modules.get("distributed")  # if it is not loaded, nothing is of its types
    if distributed is None:
        return False
    if isinstance(executor, distributed.cfexecutor.ClientExecutor):
        raise TypeError("executor must be the Client of Dask itself: its get_executor() fails if a worker is lost")
    return isinstance(executor, distributed.Client)


class DaskJobs:
    """An executor for the jobs of one call. Leaving the block cancels those that are not finished.

    client: a synchronous distributed.Client, which stays open.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        # a client that has lost its scheduler does not know it any more
        self._address = "of this client" if client.scheduler is None else client.scheduler.address
        self._tasks: dict[Future[Any], Any] = {}  # those that are not finished
        self._takers = DaemonThreads(TAKERS)
        self._is_over = False
        self._lock = threading.Lock()  # of is_over: no thread starts after the end

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Send a call to the cluster. LostScheduler."""
        from concurrent.futures import Future  # imported here, because it slows down the import of the package

        future: Future[Any] = Future()
        if self._client.status != "running":
            raise self._lost()
        # impure, so that equal calls are not merged
        task = self._tasks[future] = self._client.submit(function, *arguments, pure=False, retries=RETRIES)
        task.add_done_callback(lambda task: self._fetch(task, future))
        return future

    def _fetch(self, task: Any, future: "Future[Any]") -> None:
        """Let a thread fetch the result of a task that is finished; called in a thread of Dask, at any time."""
        with self._lock:
            if not self._is_over:
                self._takers.submit(run_call, self._take, (task, future), future)

    def _take(self, task: Any, future: "Future[Any]") -> Any:
        """The result of a task that is finished, or was: it waits if the result has to be made again."""
        from distributed.comm import CommClosedError  # loaded: there is a client

        try:
            return task.result()
        except BaseException as error:  # Dask's CancelledError is not an Exception
            if task.cancelled() or isinstance(error, CommClosedError):
                raise self._lost() from None
            raise
        finally:
            self._tasks.pop(future, None)  # the cluster forgets it

    def _lost(self) -> LostScheduler:
        return LostScheduler(f"the Dask scheduler {self._address} is lost, or has cancelled the jobs")

    def __enter__(self) -> Self:
        self._takers.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._is_over = True
        unfinished = list(self._tasks.values())
        if unfinished and self._client.status == "running":
            with suppress(Exception):  # the scheduler is lost at this moment
                self._client.cancel(unfinished)
        self._takers.__exit__(*error)
