"""Many jobs, done by an executor: with a seed for each, progress, and what Ctrl-C must not lose.

The searches of an experiment, the games of self-play.
"""

import os
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from .checkpoint import Checkpoint, Facts

Check = Callable[..., None]  # called every now and then, with anything; raises when the job is not wanted any more
Job = Callable[[np.random.SeedSequence, Check], Any]  # can be pickled; returns what JSON can hold
Progress = bool | Callable[[int, int], object]
Path = str | os.PathLike[str]


class Abandoned(Exception):
    """Raised inside a job, to end it."""


def perform(
    jobs: Sequence[Job],
    experiment: str,
    arguments: Facts,
    *,
    seed: int | None,
    executor: Executor | None,
    progress: Progress,
    checkpoint: Path | None,
) -> tuple[list[Any], int]:
    """Do all jobs, and return their results in order, and the seed.

    Job i gets the i-th child of the seed's SeedSequence, so that no result depends on who does it. experiment,
    arguments: for the checkpoint, in types of JSON. What a job raises is raised here.
    """
    if not (executor is None or callable(getattr(executor, "submit", None))):
        raise TypeError(f"executor must be a concurrent.futures.Executor or None, not {executor!r}")
    if not (isinstance(progress, bool) or callable(progress)):
        raise TypeError(f"progress must be True, False or callable, not {progress!r}")
    kept = Checkpoint(checkpoint, experiment, arguments, seed)
    seeds = np.random.SeedSequence(kept.seed).spawn(len(jobs))
    todo = [i for i in range(len(jobs)) if i not in kept.results]
    workers = ThreadPoolExecutor(os.cpu_count()) if executor is None else nullcontext(executor)
    with kept, _reporter(progress, experiment) as report, workers as pool:
        report(len(jobs) - len(todo), len(jobs))
        with closing(_done([(i, jobs[i], seeds[i]) for i in todo], pool)) as results:
            for index, result in results:
                kept.add(index, result)
                report(len(kept.results), len(jobs))
    return [kept.results[i] for i in range(len(jobs))], kept.seed


def _done(
    tasks: list[tuple[int, Job, np.random.SeedSequence]], pool: Executor
) -> Generator[tuple[int, Any], None, None]:
    """Indices and results, as they come. Closed early, it ends the jobs too: by their check, if threads are at them."""
    unwanted = threading.Event()
    check = partial(_raise_if, unwanted) if isinstance(pool, ThreadPoolExecutor) else _go_on
    finished: SimpleQueue[Future[Any]] = SimpleQueue()
    indices: dict[Future[Any], int] = {}
    try:
        for index, job, seed in tasks:
            future = pool.submit(job, seed, check)
            indices[future] = index
            future.add_done_callback(finished.put)
        for _ in tasks:
            future = _next(finished)
            yield indices[future], future.result()
    finally:
        unwanted.set()
        for future in indices:
            future.cancel()


def _next(finished: "SimpleQueue[Future[Any]]") -> "Future[Any]":
    while True:
        try:
            return finished.get(timeout=1.0)  # on Windows, Ctrl-C is not heard during an endless wait
        except Empty:
            continue


def _raise_if(unwanted: threading.Event, *_: object) -> None:
    if unwanted.is_set():
        raise Abandoned


def _go_on(*_: object) -> None:
    """The check of a job in another process, which nothing reaches."""


@contextmanager
def _reporter(progress: Progress, experiment: str) -> Iterator[Callable[[int, int], object]]:
    """What to call with the number of finished jobs and of all."""
    if callable(progress):
        yield progress
        return
    if not progress:
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*parts, TextColumn("left"), TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task(experiment, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
