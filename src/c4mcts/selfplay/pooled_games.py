"""Games of `generate` with an evaluator: played in pools, here or in the workers of an executor."""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .._backend import load, thread_count
from ..board.board import Board
from ..executors.background import Check, Mailbox, as_done, watch
from ..search.evaluators import Evaluator, arrays_of
from ..search.params import SearchParams
from .batches import Batch, BatchParams
from .play_params import PlayParams, play_settings
from .pool import Pool
from .records import GameRecord

Played = tuple[int, dict[str, Any]]  # number and record of a game, in JSON types


@dataclass(frozen=True)
class PooledGames:
    """How games are played; can be pickled if the evaluator can."""

    params: SearchParams
    start: Board
    play: PlayParams
    simulations: int
    batches: BatchParams
    evaluator: Evaluator

    def check(self) -> SearchParams:
        """The parameters of the searches. TypeError or ValueError naming a wrong argument."""
        play_settings(self.params, self.play, self.simulations)
        thread_count(self.batches.threads, load("auto"))
        return self.params.changed(batch_size=self.batches.leaves_per_tree)

    def pool(self, numbers: Sequence[int], seed: int) -> Pool:
        """A pool that plays the games of these numbers."""
        return Pool(
            self.params,
            games=numbers,
            simulations=self.simulations,
            start=self.start,
            play=self.play,
            batches=self.batches,
            seed=seed,
        )


def play(
    task: PooledGames, executor: Executor | None, numbers: Sequence[int], seed: int
) -> Generator[Played, None, None]:
    """Play games, and yield each as it ends.

    executor: None for one pool of all games, in a thread of its own. Otherwise each job is a pool of as many games as
    are played at the same time, whose games come when all of them have ended.

    What the evaluator raises is raised here, and ValueError for a wrong answer.
    """
    if executor is None:
        with closing(watch(partial(_report, task, numbers, seed))) as games:
            yield from games
        return
    size = task.batches.slots()
    parts = [numbers[i : i + size] for i in range(0, len(numbers), size)]
    with closing(as_done([partial(_play_part, task, part, seed) for part in parts], executor)) as done:
        for _, games_of_part in done:
            yield from games_of_part


def _report(
    task: PooledGames, numbers: Sequence[int], seed: int, box: Mailbox[Played], is_closed: Callable[[], bool]
) -> None:
    for number, record in games_of(task.pool(numbers, seed), task.evaluator, is_closed):
        box.put((number, record.to_json()))


def _play_part(task: PooledGames, numbers: Sequence[int], seed: int, check: Check) -> list[Played]:
    def is_closed() -> bool:
        check()
        return False

    return [(n, record.to_json()) for n, record in games_of(task.pool(numbers, seed), task.evaluator, is_closed)]


def games_of(pool: Pool, evaluator: Evaluator, is_closed: Callable[[], bool]) -> Iterator[tuple[int, GameRecord]]:
    """Play the games of a pool with an evaluator, and yield each as it ends; is_closed: whether to stop.

    With `evaluator.submit` the next batch is gathered while the evaluator works on one.
    """
    submit = getattr(evaluator, "submit", None)
    groups = pool.groups if submit is not None else 1
    waiting: deque[tuple[Batch, Callable[[], Any]]] = deque()
    while not is_closed():
        batch = pool.gather() if len(waiting) < groups else None
        yield from pool.finished()
        if batch is not None:
            result = (
                partial(evaluator, batch.planes, batch.legal)
                if submit is None
                else submit(batch.planes, batch.legal).result
            )
            waiting.append((batch, result))
        if batch is None or len(waiting) == groups:
            if not waiting:
                break
            batch, result = waiting.popleft()
            pool.complete(*single_precision(result(), len(batch.rows)))


def single_precision(answer: Any, rows: int) -> tuple[Any, Any]:
    """The two parts of an evaluator's answer as float32 arrays; values of shape (rows, 1) lose their last axis.

    ValueError if they are no two arrays of numbers.
    """
    priors, values = arrays_of(answer)
    if values.shape == (rows, 1):
        values = values[:, 0]
    with np.errstate(over="ignore"):
        return priors.astype(np.float32, copy=False), values.astype(np.float32, copy=False)
