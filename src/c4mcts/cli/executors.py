"""The executor of the option --executor: threads, processes that end with this one, or a cluster."""

import argparse
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from multiprocessing import active_children
from time import sleep

from .._layout import MAX_THREADS
from .._named import installed_by
from .._platform import processors
from .._timer import Timer
from ..executors.executor import AnyExecutor
from .failures import CommandError, UsageError

CONNECT_SECONDS = 10  # timeout for connecting to a cluster
MAX_WORKERS = {"threads": MAX_THREADS, "processes": 61 if sys.platform == "win32" else MAX_THREADS}


def executor_of(args: argparse.Namespace) -> AbstractContextManager[AnyExecutor | None]:
    """The executor that --executor selects; None for one thread per processor. UsageError, CommandError."""
    if "://" in args.executor:
        with installed_by("dask"):
            from distributed import Client
        try:
            client: AbstractContextManager[AnyExecutor] = Client(args.executor, timeout=CONNECT_SECONDS)
            return client
        except (OSError, TimeoutError, ValueError) as error:
            raise CommandError(f"--executor {args.executor}: {str(error) or type(error).__name__}") from None
    match = re.fullmatch("(threads|processes)(?::([0-9]{1,9}))?", args.executor)
    if match is None:
        requirement = "threads, processes, either with a number as threads:4, or an address as tcp://host:8786"
        raise UsageError(f"--executor must be {requirement}, not {args.executor!r}")
    workers = None if match[2] is None else int(match[2])
    most = MAX_WORKERS[match[1]]
    if workers is not None and not 1 <= workers <= most:
        raise UsageError(f"--executor {args.executor}: the number must be 1 to {most}, not {workers}")
    if match[1] == "processes":
        return _processes(workers or min(processors(), most))
    return nullcontext() if workers is None else ThreadPoolExecutor(workers)


@contextmanager
def _processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes, which end with this one, however it ends, and at once after an exception such as Ctrl-C."""
    from ..play.player_process import Followers, follow_parent

    processes = ProcessPoolExecutor(workers, Followers(), initializer=follow_parent)
    try:
        yield processes
    except BaseException:
        # Without its queue, or the end of a worker would be an error in the thread of a pool of CPython 3.11 for each
        # cancelled job. The end of a `with` block would bring the queue back.
        processes.shutdown(wait=False, cancel_futures=True)
        children, timer = active_children(), Timer(1)
        while children and getattr(processes, "_cancel_pending_futures", False) and not timer.is_over():
            sleep(0.001)  # until that thread has emptied it
        for child in children:
            child.terminate()
        raise
    processes.shutdown()
