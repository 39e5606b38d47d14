"""Runs many jobs in an executor, each with its own seed, with progress reports and a checkpoint.

The jobs are the searches of an experiment or the games of self-play.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .._files import StrPath
from .._validation import refused
from .background import Check, an_executor, as_done
from .checkpoint import Checkpoint, Facts, ResultCheck
from .locked_file import LockedFile
from .progress import Progress, reporter

if TYPE_CHECKING:
    from concurrent.futures import Executor

Job = Callable[[np.random.SeedSequence, Check], Any]  # picklable; returns JSON types
Results = Generator[tuple[int, Any], None, None]  # number and result of each part of the work, as it is finished


def perform(
    jobs: Sequence[Job],
    experiment: str,
    arguments: Facts,
    *,
    seed: int | None,
    executor: "Executor | None",
    progress: Progress,
    checkpoint: StrPath | LockedFile | None,
    check_result: ResultCheck,
    sizes: Sequence[int] | None = None,
    until: Callable[[dict[int, Any], int], bool] | None = None,
    first: int = 0,
) -> tuple[list[Any], int]:
    """Run all jobs; return their results in order, and the seed.

    Job i gets the i-th child of the seed's SeedSequence, so that results don't depend on the executor. first: the
    number of the first job, if other jobs have been done before: jobs[0] then gets that child of the seed. The others:
    see `collect`. The exception of a job is raised here.
    """
    an_executor(executor)

    def work(todo: list[int], seed: int) -> Results:
        seeds = np.random.SeedSequence(seed, n_children_spawned=first).spawn(len(jobs))
        tasks = [partial(jobs[number - first], seeds[number - first]) for number in todo]
        with closing(as_done(tasks, executor)) as done:
            for index, result in done:
                yield todo[index], result

    numbers = range(first, first + len(jobs))
    return collect(
        work,
        numbers,
        experiment,
        arguments,
        seed=seed,
        progress=progress,
        checkpoint=checkpoint,
        check_result=check_result,
        sizes=sizes,
        until=until,
    )


def collect(
    work: Callable[[list[int], int], Results],
    numbers: Sequence[int],
    experiment: str,
    arguments: Facts,
    *,
    seed: int | None,
    progress: Progress,
    checkpoint: StrPath | LockedFile | None,
    check_result: ResultCheck,
    sizes: Sequence[int] | None = None,
    until: Callable[[dict[int, Any], int], bool] | None = None,
) -> tuple[list[Any], int]:
    """Do work in numbered parts, except for what the checkpoint has; return the results in order, and the seed.

    work(todo, seed): does the parts of these numbers, and yields number and result of each as it is finished.
    experiment, arguments: identify the work in the checkpoint, in JSON types. check_result: called with the number and
    the result of each of these parts that the checkpoint has, see ResultCheck. sizes: what each part counts in the
    progress, by default 1. until: called with all results by number and the seed, at the beginning and after each
    result; once it returns true, the other parts are not done, and their results are None.
    """
    if not (isinstance(progress, bool) or callable(progress)):
        raise TypeError(refused("progress", "True, False or callable", progress))

    def check(number: int, result: Any) -> None:
        if number in numbers:
            check_result(number, result)

    with Checkpoint(checkpoint, experiment, arguments, seed, check) as kept, reporter(progress, experiment) as report:
        size = dict(zip(numbers, [1] * len(numbers) if sizes is None else sizes, strict=True))
        todo = [number for number in numbers if number not in kept.results]
        total = sum(size.values())
        finished = total - sum(size[number] for number in todo)
        report(finished, total)
        if until is not None and until(kept.results, kept.seed):
            todo = []
        with closing(work(todo, kept.seed)) as done:
            for number, result in done:
                kept.add(number, result)
                finished += size[number]
                report(finished, total)
                if until is not None and until(kept.results, kept.seed):
                    break
    return [kept.results.get(number) for number in numbers], kept.seed
