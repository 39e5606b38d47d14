"""The games of `generate`: in pools with an evaluator, otherwise each with its own engine; here or in an executor."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from .._backend import load
from .._layout import CHANCES, DRAWN_MOVES
from ..board.board import Board
from ..executors.background import AnyExecutor, Cancellation, as_done, worker_count
from ..executors.jobs import Results
from ..search.engine import Engine
from ..search.evaluation import Evaluator
from ..search.limits import Limits
from ..search.params import SearchParams
from ..search.results import SearchResult
from ..search.root_moves import Proof
from ..seeds import generator_state
from .batches import BatchParams
from .play_params import PlayParams, opening_of
from .pool import Pool, games_of
from .records import Ending, GameRecord, value_of

GAMES_PER_SLOT = 8  # of a job in an executor, at most


@dataclass(frozen=True)
class Games:
    """How games are played; can be pickled if the evaluator can. Records are bytes, see GameRecord.to_bytes."""

    params: SearchParams
    start: Board
    play: PlayParams
    limits: Limits
    evaluator: Evaluator | None = None
    batches: BatchParams | None = None  # of the pools; None: each game has an engine

    def run(self, executor: AnyExecutor | None, numbers: Sequence[int], seed: int) -> Results:
        """Play games, and yield number and record of each as it ends; those of a pool in an executor all at once.

        executor: None for one pool of all games, in this thread, or for a thread per processor with engines.

        What the evaluator raises is raised here, and ValueError for a wrong answer.
        """
        if self.batches is None:
            jobs = [partial(self._engine_job, number, seed) for number in numbers]
        elif executor is None:
            yield from self._in_pool(numbers, seed, Cancellation())
            return
        else:
            parts = parts_of(numbers, self.batches.slots(), worker_count(executor))
            jobs = [partial(self._pool_job, part, seed) for part in parts]
        with closing(as_done(jobs, executor)) as done:
            for _, games in done:
                yield from games

    def by_engine(self, number: int, seed: int, check: Callable[[], None]) -> GameRecord:
        """Play a game with an engine: the game of a pool, for which it is the reference; only `raw_value` is missing.

        check: called regularly, ends the game by an exception.
        """
        numbers, moves = load("pure").numbers, load("pure").moves
        child = np.random.SeedSequence(seed, spawn_key=(number,))
        state = generator_state(child)
        engine = Engine(self.params, seed=child, evaluator=self.evaluator)
        draws = numbers.substream(*state, DRAWN_MOVES)
        may_resign = not numbers.chance(numbers.substream(*state, CHANCES), self.play.never_resign)
        board = opening_of(self.play, self.start, number, state)[0].copy()
        results: list[SearchResult] = []
        low = [0, 0]  # for each player, how many of its last positions were valued below the limit
        while True:
            check()
            result = engine.search(board, **asdict(self.limits), on_progress=lambda _: check(), columns=False)
            results.append(result)
            column, turn = result.column, board.turn
            if len(results) <= self.play.temperature_plies:
                weights = result.policy(self.play.temperature).tolist()
                column = moves.draw(weights, len(weights), numbers.next64(draws))
            board.push(column)
            low[turn] = low[turn] + 1 if self._is_low(result) else 0
            resigns = may_resign and low[turn] >= self.play.resign_moves
            found = (1 - turn, Ending.RESIGNED) if resigns else self._end(board, turn, result.proof)
            if found is not None:
                return GameRecord.of_results(list(board.moves[len(self.start.moves) :]), *found, results)

    def _is_low(self, result: SearchResult) -> bool:
        """Whether a player resigns at such positions."""
        value = self.play.resign_value
        return value is not None and float(np.float32(value_of(result))) < value

    def _end(self, board: Board, turn: int, proof: Proof | None) -> tuple[int | None, Ending] | None:
        """Winner and ending, if the game is over after a move of the player `turn`. proof: of the position before."""
        end = board.outcome()
        if end is not None:
            return end.winner, Ending.PLAYED_OUT
        if proof is not None and self.play.after_proof == "stop":
            return None if proof == "draw" else turn if proof == "win" else 1 - turn, Ending.PROVEN
        return None

    def _engine_job(self, number: int, seed: int, check: Cancellation) -> list[tuple[int, bytes]]:
        return [(number, self.by_engine(number, seed, check).to_bytes())]

    def _pool_job(self, numbers: Sequence[int], seed: int, check: Cancellation) -> list[tuple[int, bytes]]:
        return list(self._in_pool(numbers, seed, check))

    def _in_pool(self, numbers: Sequence[int], seed: int, check: Cancellation) -> Iterator[tuple[int, bytes]]:
        options: dict[str, Any] = {"start": self.start, "play": self.play, "batches": self.batches, "seed": seed}
        pool = Pool(self.params, games=numbers, simulations=self.limits.simulations, **options)  # type: ignore[arg-type]
        for number, record in games_of(pool, self.evaluator, check):  # type: ignore[arg-type]
            yield number, record.to_bytes()


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
