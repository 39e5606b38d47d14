"""Work of many jobs, such as the searches of an experiment: each with its seed, with progress and a checkpoint."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from typing import Any, TypedDict, Unpack

import numpy as np

from .._files import StrPath
from .._validation import must_be
from .cancellation import Cancellation
from .dask import LostScheduler
from .executor import AnyExecutor, an_executor, as_done
from .progress import Progress, reporter
from .store import Store

SeededJob = Callable[[np.random.SeedSequence, Cancellation], Any]  # picklable; returns JSON types or bytes


class JobOptions(TypedDict, total=False):
    """How jobs are run: see https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md."""

    seed: int | None
    executor: AnyExecutor | None
    progress: Progress


class WorkOptions(JobOptions, total=False):
    """The arguments that all experiments have in common, which take them as `**options`."""

    checkpoint: StrPath | None


Results = Generator[tuple[int, Any], None, None]  # number and result of each part of the work, as it is finished


# Called with all results by place and the seed, at the beginning and after each result. Once it returns true, the
# other jobs are not done, and their results are None.
Until = Callable[[dict[int, Any], int], bool]


def perform(
    store: Store,
    jobs: Sequence[SeededJob],
    *,
    numbers: Sequence[int] | None = None,
    children: Sequence[int] | None = None,
    sizes: Sequence[int] | None = None,
    until: Until = lambda results, seed: False,
    **options: Unpack[WorkOptions],
) -> list[Any]:
    """Run the jobs whose results an open store lacks; return the results of all in order. Raises what a job raises.

    numbers: of the jobs in the store. children: which child of the SeedSequence of the store's seed each gets, so that
    results don't depend on the executor. Both are by default 0, 1, 2, ... sizes, until: see `completed`.
    """
    executor, progress = an_executor(options.get("executor")), options.get("progress", False)
    numbers, children = numbers or range(len(jobs)), children or range(len(jobs))
    work = dict(zip(numbers, zip(jobs, children, strict=True), strict=True))

    def run(todo: list[int], seed: int) -> Results:
        chosen = [work[number] for number in todo]
        tasks = [partial(job, np.random.SeedSequence(seed, spawn_key=(child,))) for job, child in chosen]
        with closing(as_done(tasks, executor)) as done:
            for index, result in done:
                yield todo[index], result

    return completed(store, run, numbers, progress, sizes, until)


def completed(
    store: Store,
    run: Callable[[list[int], int], Results],
    numbers: Sequence[int],
    progress: Progress,
    sizes: Sequence[int] | None = None,
    until: Until = lambda results, seed: False,
    done: int = 0,
) -> list[Any]:
    """Do the parts of the work that an open store lacks; return the results of all in order.

    run(todo, seed): does the parts of these numbers, and yields the number and the result of each as it is finished.
    sizes: what each counts in the progress; by default 1. until: gets results by the places of their numbers. done:
    what counts as finished before.
    """
    if not (isinstance(progress, bool) or callable(progress)):
        raise TypeError(must_be("progress", "True, False or callable", progress))
    size = dict(zip(numbers, sizes or [1] * len(numbers), strict=True))
    todo = [number for number in numbers if number not in store.results]
    places = {number: place for place, number in enumerate(numbers)}
    results = {places[number]: result for number, result in store.results.items() if number in places}
    total = done + sum(size.values())
    finished = total - sum(size[number] for number in todo)
    with reporter(progress, store.experiment) as report:
        report(finished, total)
        if until(results, store.seed):
            todo = []
        try:
            with closing(run(todo, store.seed)) as new:
                for number, result in new:
                    store.update({number: result})
                    results[places[number]] = result
                    finished += size[number]
                    report(finished, total)
                    if until(results, store.seed):
                        break
        except LostScheduler as error:
            rest = (
                f"the same call continues from the checkpoint {store.path}" if store.path else "there is no checkpoint"
            )
            raise LostScheduler(f"{error}; {rest}") from None
    return [results.get(place) for place in range(len(numbers))]
