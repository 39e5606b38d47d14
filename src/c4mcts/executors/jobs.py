"""Runs many jobs in an executor, each with its own seed, with progress reports and a checkpoint.

The jobs are the searches of an experiment or the games of self-play.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .._files import StrPath
from .._validation import refused
from .background import Check, an_executor, as_done
from .checkpoint import Checkpoint, Facts
from .progress import Progress, reporter

if TYPE_CHECKING:
    from concurrent.futures import Executor

Job = Callable[[np.random.SeedSequence, Check], Any]  # picklable; returns JSON types


def perform(
    jobs: Sequence[Job],
    experiment: str,
    arguments: Facts,
    *,
    seed: int | None,
    executor: "Executor | None",
    progress: Progress,
    checkpoint: StrPath | None,
    sizes: Sequence[int] | None = None,
    until: Callable[[dict[int, Any], int], bool] | None = None,
) -> tuple[list[Any], int]:
    """Run all jobs; return their results in order, and the seed.

    Job i gets the i-th child of the seed's SeedSequence, so that results don't depend on the executor. experiment,
    arguments: identify the work in the checkpoint, in JSON types. sizes: what each job counts in the progress, by
    default 1. until: called with all results by index and the seed, at the beginning and after each result; once it
    returns true, the other jobs are not done, and their results are None. The exception of a job is raised here.
    """
    an_executor(executor)
    if not (isinstance(progress, bool) or callable(progress)):
        raise TypeError(refused("progress", "True, False or callable", progress))
    with Checkpoint(checkpoint, experiment, arguments, seed) as kept, reporter(progress, experiment) as report:
        seeds = np.random.SeedSequence(kept.seed).spawn(len(jobs))
        sizes = [1] * len(jobs) if sizes is None else sizes
        todo = [i for i in range(len(jobs)) if i not in kept.results]
        finished, total = sum(sizes) - sum(sizes[i] for i in todo), sum(sizes)
        report(finished, total)
        if until is not None and until(kept.results, kept.seed):
            todo = []
        done = as_done([partial(jobs[i], seeds[i]) for i in todo], executor)
        try:
            for number, result in done:
                kept.add(todo[number], result)
                finished += sizes[todo[number]]
                report(finished, total)
                if until is not None and until(kept.results, kept.seed):
                    break
        finally:
            done.close()
    return [kept.results.get(i) for i in range(len(jobs))], kept.seed
