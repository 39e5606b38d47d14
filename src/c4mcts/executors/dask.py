"""Runs jobs on a Dask cluster through its Client, which survives the loss of a worker at any moment.

The executor that Dask itself makes of a client does not: it asks for a result and then for the state of its task, which
is another one if a worker is lost in between.
"""

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Self

RETRIES = 2  # of a job that fails, on another worker if there is one: its machine may be about to go down


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
    """An executor for the jobs of one call. The block raises LostScheduler if there is no scheduler any more.

    client: a synchronous distributed.Client, which stays open.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        # a client that has lost its scheduler does not know it any more
        self._address = "of this client" if client.scheduler is None else client.scheduler.address

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if self._client.status != "running":
            raise self._lost()
        return self._client.submit(function, *arguments, pure=False, retries=RETRIES)  # pure: equal calls are merged

    def results(self, futures: list[Any]) -> list[Any]:
        """The results of calls that are finished, fetched all at once."""
        return list(self._client.gather(futures))

    def cancel(self, futures: Iterable[Any]) -> None:
        if self._client.status == "running":
            with suppress(Exception):  # the scheduler is lost at this moment
                self._client.cancel(list(futures))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        from asyncio import CancelledError  # both are loaded: there is a client

        from distributed.client import FutureCancelledError
        from distributed.comm import CommClosedError

        if isinstance(error, CancelledError | FutureCancelledError | CommClosedError):
            raise self._lost() from None

    def _lost(self) -> LostScheduler:
        return LostScheduler(f"the Dask scheduler {self._address} is lost, or has cancelled the jobs")
