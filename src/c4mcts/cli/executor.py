"""The option --executor: where the jobs of a long command run."""

import argparse
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context

from .._layout import MAX_THREADS
from .arguments import CommandError, UsageError, require_between

CONNECT_SECONDS = 10  # until a cluster that does not answer is an error


def add_executor(parser: argparse.ArgumentParser) -> None:
    """Add --executor and --workers."""
    group = parser.add_argument_group("where it runs")
    words = "threads (default), processes, or the address of a Dask scheduler: tcp://host:8786"
    group.add_argument("--executor", default="threads", metavar="WHERE", help=words)
    words = "number of threads or processes (default: one per processor)"
    group.add_argument("--workers", type=int, metavar="N", help=words)


@contextmanager
def executor_of(args: argparse.Namespace) -> Iterator[Executor | None]:
    """The executor that the options select; None for one thread per processor. UsageError, CommandError."""
    require_between(args, workers=(1, MAX_THREADS))
    if args.executor == "threads":
        if args.workers is None:
            yield None
            return
        with ThreadPoolExecutor(args.workers) as threads:
            yield threads
    elif args.executor == "processes":
        context = get_context("spawn")  # a fork beside the threads of this process may hang
        with ProcessPoolExecutor(args.workers, context, initializer=_ignore_interrupts) as processes:
            with _interrupts_blocked():
                for _ in range(args.workers or os.cpu_count() or 1):
                    processes.submit(int)  # starts one of them
            yield processes
    elif "://" in args.executor:
        if args.workers is not None:
            raise UsageError("--workers is for threads and processes: a Dask cluster has its own")
        with _dask(args.executor) as cluster:
            yield cluster
    else:
        raise UsageError(
            f"--executor must be threads, processes or an address as tcp://host:8786, not {args.executor!r}"
        )


def _ignore_interrupts() -> None:
    """Ctrl-C reaches all processes of a terminal: only the first one handles it, and ends the jobs of the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Processes that are started in the block never get SIGINT, not even before their initializer has run.

    This one gets it at the end of the block. Windows has no such mask.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError:
        raise CommandError("--executor with an address needs Dask: pip install distributed") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        raise CommandError(f"--executor {address}: {str(error) or type(error).__name__}") from None
    with client, client.get_executor(pure=False) as executor:
        yield executor
