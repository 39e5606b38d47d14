"""Plays the games of self-play, in pools or with engines, here or in an executor; continues the games of a folder."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain, repeat
from math import inf
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from .._backend import backend, thread_count
from .._backend import load as load_backend
from .._files import StrPath, folder_path
from .._hints import check_keywords
from .._layout import CHANCES, DRAWN_MOVES
from .._validation import an_instance, positive
from ..board.arguments import AnyBoard, unfinished
from ..board.board import Board
from ..board.positions import planes_of
from ..errors import CheckpointError
from ..executors.cancellation import Cancellation
from ..executors.executor import MAX_JOBS, AnyExecutor, an_executor, as_done, worker_count
from ..executors.progress import Progress, reporter
from ..executors.store import Identity, Store, require_equal, work_identity
from ..executors.work import JobOptions, Results, completed
from ..search.engine import Engine
from ..search.evaluation import Evaluator, suitable_evaluator
from ..search.fixed_batches import ROWS, FixedBatches
from ..search.limits import LimitOptions, Limits
from ..search.params import SearchParams, UctParams, search_params
from ..search.results import SearchResult
from ..seeds import generator_state
from ..solver.verdict import Proof
from . import folder
from .batches import CONCURRENT, BatchParams, fitted, fixed, with_memory_of
from .dataset import SelfPlay, load
from .folder import KIND
from .play_params import PlayParams, check_openings, opening_of, play_settings
from .pool import Pool, games_of
from .records import Ending, GameRecord, value_of
from .rows import Rows, joined, rows_of

GAMES_PER_SLOT = 8  # of a job in an executor, at most


class GenerateOptions(LimitOptions, JobOptions, total=False):
    """The limits of each search, and how the games are distributed."""


def generate(
    games: int,
    params: SearchParams | None = None,
    *,
    start: AnyBoard | None = None,
    play: PlayParams | None = None,
    evaluator: Evaluator | None = None,
    batches: BatchParams | None = None,
    out: StrPath | None = None,
    **options: Unpack[GenerateOptions],
) -> SelfPlay:
    """Let an engine play games against itself, and record every position that it searches.

    params: by default the preset "strong". start: by default the empty 7 x 6 board. play: openings, moves that are
    drawn, fast searches, resignation, and what a proof ends; see PlayParams. Fast searches and openings from the policy
    need an evaluator.

    simulations, nodes, seconds: the limits of the search for each move, as for Engine.search; seconds make games
    irreproducible. With an evaluator simulations alone.

    evaluator: as for Engine, but for the games of a Pool, which says which parameters it takes. Its arrays are reused
    for the next batch: copy what you keep. One with a method `submit` works while the next batch is gathered. batches:
    how many games are played at the same time, and so how many positions the evaluator gets at once; see BatchParams.

    seed: game i gets the i-th child of its SeedSequence, so that games don't depend on the executor; drawn at random if
    None. executor, progress: as for experiments (https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md). With
    an evaluator the default is one thread, which plays all games; in an executor each job is a separate pool with up to
    eight games per slot, and processes get a pickled copy of the evaluator. The pure backend has no pools: each game
    then has an Engine, without fast searches and openings from the policy.

    out: a folder for `load`. It keeps each game as soon as it has ended: after Ctrl-C, a crash or kill -9 the same call
    continues from there. A folder that has some of the games already, made by the same arguments, gets the others; one
    that has them all is read instead of playing again. Games of other arguments are refused, and games of a network
    with other weights, if the evaluator has a `fingerprint`.

    Raises CheckpointError, GameOverError, SaveError, OSError.
    """
    check_keywords(generate, options, GenerateOptions)
    games, executor = positive("games", games, MAX_JOBS), an_executor(options.get("executor"))
    params = UctParams() if params is None else search_params(params)
    board = Board() if start is None else unfinished(start, "start")
    suitable_evaluator(evaluator, params, threads=1, rules=board.rules)
    limits = Limits(**{name: options.get(name) for name in LimitOptions.__annotations__})  # type: ignore[arg-type]
    play = PlayParams() if play is None else an_instance("play", play, PlayParams, "a PlayParams")
    check_openings(play, board)
    if evaluator is not None:
        batches = BatchParams() if batches is None else an_instance("batches", batches, BatchParams, "a BatchParams")
        _check_for_pools(params, play, limits, batches)
        evaluator, params = fixed(evaluator, batches), params.changed(batch_size=batches.leaves_per_tree)
    elif batches is not None:
        raise ValueError("batches needs an evaluator: without one each game has its own engine")
    if evaluator is None or backend() == "pure":
        _check_without_pools(play, "an evaluator" if evaluator is None else "the native backend")
        batches = None
    arguments = {
        "board": board.to_fen(),
        "params": params.to_dict(),
        "play": asdict(play),
        "limits": asdict(limits),
        "evaluator": None if evaluator is None else _name(evaluator),
        "weights": getattr(evaluator, "fingerprint", None),
        "rows": evaluator.rows if isinstance(evaluator, FixedBatches) else None,
        "reproducible": limits.seconds is None if evaluator is None else _is_reproducible(evaluator, params, board),
    }
    task = Games(params, board, play, limits, evaluator, batches)
    run, progress = partial(task.run, executor), options.get("progress", False)

    def played(numbers: range, store: Store) -> Rows:
        records = completed(store, run, numbers, progress, done=numbers.start)
        return rows_of([GameRecord.from_bytes(each, board.rules.width) for each in records], board, numbers.start)

    target = None if out is None else Path(folder_path("out", out))
    return _continued(games, arguments, options.get("seed"), target, played, progress)


def _continued(
    games: int,
    arguments: Identity,
    seed: int | None,
    out: Path | None,
    play: Callable[[range, Store], Rows],
    progress: Progress,
) -> SelfPlay:
    """The games of a folder and those that it still lacks, which are added to it; without a folder all games.

    play: plays the games of these numbers, except for those in the store, and reports the progress.
    """
    identity = work_identity(KIND, arguments)
    if out is None:
        with Store(None, KIND, arguments, seed) as store:
            return SelfPlay(({**identity, "seed": store.seed, "games": games},), play(range(games), store))
    sources = folder.sources_in(out)
    data = _begun(out, identity, games, seed) if sources else None
    if data is not None and data.games == games:
        with reporter(progress, KIND) as report:
            report(games, games)
        if not os.path.lexists(out / folder.UNFINISHED):
            return data  # only read: the folder may be where nothing can be written
    store = Store(out / folder.UNFINISHED, KIND, arguments, seed if data is None else data.seed)
    folder.begin(out)
    with store:
        if folder.sources_in(out) != sources:
            raise CheckpointError(f"the folder {out} is in use, by another process or call")
        if data is None or data.games < games:
            rows = play(range(0 if data is None else data.games, games), store)
            rows = rows if data is None else joined(data.arrays, rows)
            data = SelfPlay(({**identity, "seed": store.seed, "games": games},), rows)
            folder.write(out, data.sources, rows)
        if max(store.results, default=0) < games:  # or it has more, for another call
            store.remove()
    return data


def _begun(path: Path, identity: Identity, games: int, seed: int | None) -> SelfPlay:
    """The games in a folder. CheckpointError if other arguments made them, or there are too many."""
    data = load(path)
    if len(data.sources) > 1:
        raise CheckpointError(
            f"the folder {path} holds games joined from {len(data.sources)} calls, which can't be continued"
        )
    expected = {**identity, "seed": data.seed if seed is None else seed, "games": min(games, data.games)}
    require_equal(data.about, expected, f"the folder {path} holds other games")
    return data


def _check_for_pools(params: SearchParams, play: PlayParams, limits: Limits, batches: BatchParams) -> None:
    for name in ("seconds", "nodes"):
        if getattr(limits, name) is not None:
            raise ValueError(f"{name} does not go with an evaluator, which needs simulations= alone")
    if batches.buffers is not None:
        raise ValueError("buffers are for your own Pool: generate makes its pools itself")
    play_settings(params, play, limits.simulations)
    batches.slots()
    thread_count(batches.threads or 1, load_backend("auto"))


def _check_without_pools(play: PlayParams, needed: str) -> None:
    if play.fast_simulations is not None:
        raise ValueError(f"fast_simulations needs {needed}: without a pool all searches have the same limits")
    if play.opening_moves == "policy":
        raise ValueError(f"opening_moves='policy' needs {needed}: only a pool draws moves from a raw policy")


def _is_reproducible(evaluator: Evaluator, params: SearchParams, start: Board) -> bool:
    """Whether an evaluator answers without regard to anything but the position: tried with those around the start."""
    if not isinstance(evaluator, FixedBatches):
        return False
    boards = [start, *(start.after(column) for column in start.legal_columns)]
    boards = [board for board in boards if not board.is_over()]
    boards = boards[: len(boards) - 1 | 1]  # an odd number, so that each is in rows of all remainders
    planes = planes_of(boards, "signed" if params.settings.signed_planes else "binary")
    legal = [[board.is_legal(column) for column in range(board.rules.width)] for board in boards]
    return evaluator.has_equal_rows(planes, np.array(legal))


def _name(evaluator: Evaluator) -> str:
    evaluator = evaluator.evaluator if isinstance(evaluator, FixedBatches) else evaluator
    named = evaluator if hasattr(evaluator, "__qualname__") else type(evaluator)
    return f"{named.__module__}.{named.__qualname__}"


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
        """Play games, and yield number and record of each as it ends; the games of a pool in an executor end together.

        executor: None for one pool of all games, in this thread, or for a thread per processor with engines.

        What the evaluator raises is raised here, and ValueError for a wrong answer.
        """
        parts: Sequence[Sequence[int]] = [[number] for number in numbers]
        if self.batches is not None:
            if executor is None:
                yield from self._in_pool(numbers, seed, Cancellation(), CONCURRENT)
                return
            parts = parts_of(numbers, self._slots_of_a_job(), worker_count(executor))
        with closing(as_done([partial(self._job, part, seed) for part in parts], executor)) as done:
            for _, games in done:
                yield from games

    def by_engine(self, number: int, seed: int, check: Callable[[], None]) -> GameRecord:
        """Play a game with an engine: the game of a pool, for which it is the reference; only `raw_value` is missing.

        check: called regularly, ends the game by an exception.
        """
        numbers, moves = load_backend("pure").numbers, load_backend("pure").moves
        child = np.random.SeedSequence(seed, spawn_key=(number,))
        state = generator_state(child)
        engine = Engine(self.params, seed=child, evaluator=self.evaluator)
        draws = numbers.substream(*state, DRAWN_MOVES)
        may_resign = not numbers.chance(numbers.substream(*state, CHANCES), self.play.never_resign)
        board = opening_of(self.play, self.start, number, state)[0].copy()
        results: list[SearchResult] = []
        temperatures = chain(self.play.temperatures(), repeat(self.play.last_temperature))
        limit = -inf if self.play.resign_value is None else self.play.resign_value
        low = [0, 0]  # for each player, how many of its last positions were valued below the limit
        while True:
            check()
            result = engine.search(board, **asdict(self.limits), on_progress=lambda _: check(), columns=False)
            results.append(result)
            column, turn = result.column, board.turn
            if temperature := next(temperatures):
                weights = result.policy(temperature).tolist()
                column = moves.draw(weights, len(weights), numbers.next64(draws))
            board.push(column)
            low[turn] = low[turn] + 1 if float(np.float32(value_of(result))) < limit else 0
            resigns = may_resign and low[turn] >= self.play.resign_moves
            outcome = (1 - turn, Ending.RESIGNED) if resigns else self._end(board, turn, result.proof)
            if outcome is not None:
                return GameRecord.of_results(list(board.moves[len(self.start.moves) :]), *outcome, results)

    def _end(self, board: Board, turn: int, proof: Proof | None) -> tuple[int | None, Ending] | None:
        """Winner and ending, if the game is over after a move of the player `turn`. proof: of the position before."""
        end = board.outcome()
        if end is not None:
            return end.winner, Ending.PLAYED_OUT
        if proof is not None and self.play.after_proof == "stop":
            return None if proof == "draw" else turn if proof == "win" else 1 - turn, Ending.PROVEN
        return None

    def _job(self, numbers: Sequence[int], seed: int, check: Cancellation) -> list[tuple[int, bytes]]:
        if self.batches is not None:
            return list(self._in_pool(numbers, seed, check, self._slots_of_a_job()))
        return [(number, self.by_engine(number, seed, check).to_bytes()) for number in numbers]

    def _slots_of_a_job(self) -> int:
        """How many games a job of an executor plays at the same time: by default those that fill a batch."""
        assert self.batches is not None
        rows = self.evaluator.rows if isinstance(self.evaluator, FixedBatches) else ROWS
        return self.batches.slots(max(1, rows // self.batches.leaves_per_tree))

    def _in_pool(
        self, numbers: Sequence[int], seed: int, check: Cancellation, usual: int
    ) -> Iterator[tuple[int, bytes]]:
        """Play games in a pool. usual: how many at the same time, if nothing else says so."""
        assert self.batches is not None
        assert self.evaluator is not None
        simulations: Any = self.limits.simulations  # a number: pools take no other limit
        batches = fitted(self.batches, self.evaluator, len(numbers), 1 + self.start.rules.width * simulations, usual)
        batches = with_memory_of(self.evaluator, batches, self.params, self.start.rules)
        options: dict[str, Any] = {"start": self.start, "play": self.play, "batches": batches, "seed": seed}
        pool = Pool(self.params, games=numbers, simulations=simulations, **options)
        return games_of(pool, self.evaluator, check)


def parts_of(numbers: Sequence[int], slots: int, workers: int) -> list[Sequence[int]]:
    """The games of each job, which is a pool with these slots.

    A pool has empty slots once it has no games left to begin, so the fewer jobs, the fewer rows are empty: as many as
    workers, if each then has at least one game for each slot and at most GAMES_PER_SLOT. The games of a job come
    together when all have ended, and killing the process loses the games of running jobs.
    """
    games = len(numbers)
    rounds = -(-games // (workers * slots * GAMES_PER_SLOT))
    jobs = max(1, min(workers * rounds, games // slots))
    return [numbers[games * i // jobs : games * (i + 1) // jobs] for i in range(jobs)]
