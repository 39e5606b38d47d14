"""The games of `generate`: in pools with an evaluator, otherwise each with its own engine; here or in an executor."""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .._backend import load, thread_count
from .._layout import CHANCES, DRAWN_MOVES
from ..board.board import Board
from ..executors.background import AnyExecutor, Check, as_done, worker_count
from ..search.engine import Engine
from ..search.evaluation import Evaluator
from ..search.params import SearchParams
from ..search.results import SearchResult
from ..seeds import generator_state
from .batches import Batch, BatchParams, single_precision
from .play_params import PlayParams, opening_of, play_settings
from .pool import Pool
from .records import Ending, GameRecord, value_of

GAMES_PER_SLOT = 8  # of a job in an executor, at most


@dataclass(frozen=True)
class EngineGames:
    """How games are played without pools; can be pickled if the evaluator can.

    With an evaluator the games are those of a pool, for which they are the reference: only `raw_value` is missing.
    """

    params: SearchParams
    start: Board
    play: PlayParams
    limits: dict[str, Any]
    evaluator: Evaluator | None = None

    def check(self) -> SearchParams:
        """The parameters of the searches. ValueError for what needs a pool."""
        needed = "an evaluator" if self.evaluator is None else "the native backend"
        if self.play.fast_simulations is not None:
            raise ValueError(f"fast_simulations needs {needed}: without a pool all searches have the same limits")
        if self.play.opening_moves == "policy":
            raise ValueError(f"opening_moves='policy' needs {needed}: only a pool draws moves from a raw policy")
        return self.params

    def play_game(self, number: int, seed: np.random.SeedSequence, check: Check) -> dict[str, Any]:
        """Play a game, and return its record in JSON types."""
        numbers, moves = load("pure").numbers, load("pure").moves
        state = generator_state(seed)
        engine = Engine(self.params, seed=seed, evaluator=self.evaluator)
        draws = numbers.substream(*state, DRAWN_MOVES)
        may_resign = not numbers.chance(numbers.substream(*state, CHANCES), self.play.never_resign)
        board = opening_of(self.play, self.start, number, state)[0].copy()
        results: list[SearchResult] = []
        while True:
            check()
            result = engine.search(board, **self.limits, on_progress=check, columns=False)
            results.append(result)
            column, turn = result.column, board.turn
            if len(results) <= self.play.temperature_plies:
                weights = result.policy(self.play.temperature).tolist()
                column = moves.draw(weights, len(weights), numbers.next64(draws))
            board.push(column)
            found = self._end(board, turn, results, may_resign)
            if found is not None:
                columns = board.moves[len(self.start.moves) :]
                return GameRecord.of_results(columns, *found, results).to_json()

    def _end(
        self, board: Board, turn: int, results: list[SearchResult], may_resign: bool
    ) -> tuple[int | None, Ending] | None:
        """Winner and ending, if the game is over after the move of the player `turn`."""
        if may_resign and resigns([value_of(result) for result in results], self.play):
            return 1 - turn, Ending.RESIGNED
        end, proof = board.outcome(), results[-1].proof
        if end is not None:
            return end.winner, Ending.PLAYED_OUT
        if proof is not None and self.play.after_proof == "stop":
            return None if proof == "draw" else turn if proof == "win" else 1 - turn, Ending.PROVEN
        return None


def resigns(values: Sequence[float], play: PlayParams) -> bool:
    """Whether the player to move at the last of these positions of a game resigns. values: by position, its own."""
    if play.resign_value is None or len(values) < 2 * play.resign_moves - 1:
        return False
    last = values[len(values) - 2 * play.resign_moves + 1 :: 2]
    return all(value < play.resign_value for value in np.array(last, np.float32).astype(float))


Played = tuple[int, dict[str, Any]]  # number and record of a game, in JSON types


@dataclass(frozen=True)
class PooledGames:
    """How games are played in pools; can be pickled if the evaluator can."""

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

    def with_engines(self) -> EngineGames:
        """The same games without pools, one position at a time. ValueError for what only a pool can do."""
        games = EngineGames(self.check(), self.start, self.play, {"simulations": self.simulations}, self.evaluator)
        games.check()
        return games

    def pool(self, numbers: Sequence[int], seed: int) -> Pool:
        return Pool(
            self.params,
            games=numbers,
            simulations=self.simulations,
            start=self.start,
            play=self.play,
            batches=self.batches,
            seed=seed,
        )


def pooled(
    task: PooledGames, executor: AnyExecutor | None, numbers: Sequence[int], seed: int
) -> Generator[Played, None, None]:
    """Play games, and yield each as it ends.

    executor: None for one pool of all games, in this thread. Otherwise each job is a pool of some of the games,
    which come when all of them have ended.

    What the evaluator raises is raised here, and ValueError for a wrong answer.
    """
    if executor is None:
        for number, record in games_of(task.pool(numbers, seed), task.evaluator, bool):
            yield number, record.to_json()
        return
    parts = parts_of(numbers, task.batches.slots(), worker_count(executor))
    with closing(as_done([partial(_play_part, task, part, seed) for part in parts], executor)) as done:
        for _, games_of_part in done:
            yield from games_of_part


def parts_of(numbers: Sequence[int], slots: int, workers: int) -> list[Sequence[int]]:
    """The games of each job, which is a pool with these slots.

    A pool has empty slots once it has no games left to begin, so the fewer jobs, the fewer rows are empty: as many as
    workers, if each then has at least one game for each slot and at most GAMES_PER_SLOT. The games of a job come
    together when all have ended, and killing the process loses those of the jobs that are running.
    """
    games = len(numbers)
    rounds = -(-games // (workers * slots * GAMES_PER_SLOT))
    jobs = max(1, min(workers * rounds, games // slots))
    return [numbers[games * i // jobs : games * (i + 1) // jobs] for i in range(jobs)]


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
