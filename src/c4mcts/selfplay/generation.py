"""Plays the games of self-play, continues those of a folder, and writes them."""

import os
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from .._backend import backend
from .._files import StrPath, path_of
from .._validation import check_keywords, refused
from ..board.board import Board
from ..board.positions import AnyBoard, unfinished
from ..errors import CheckpointError
from ..executors.background import AnyExecutor, an_executor, job_count
from ..executors.jobs import JobOptions, JobSet, Progress, Run, completed, seeded
from ..executors.store import Facts, Store, facts_of, require_equal
from ..search.evaluation import Evaluator, suitable_evaluator, weights_of
from ..search.limits import LimitOptions, Limits
from ..search.params import SearchParams, UctParams, search_params
from . import folder
from .batches import CONCURRENT, BatchParams, batch_params
from .dataset import SelfPlay, load
from .folder import KIND
from .game_tasks import EngineGames, PooledGames, pooled
from .play_params import PlayParams, check_openings, play_params
from .records import GameRecord
from .rows import Rows, rows_of

CONCURRENT_IN_A_JOB = 64  # games that a job of an executor plays at the same time, by default


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

    out: a folder for `load`. Until all games are complete, finished ones are kept in the file `out` + ".checkpoint":
    after Ctrl-C, a crash or kill -9 the same call continues from there. A folder that has some of the games already,
    made by the same arguments, gets the others; one that has them all is read instead of playing again. Games of other
    arguments are refused, and those of a network with other weights, if the evaluator has a `fingerprint`.

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, SaveError, OSError.
    """
    check_keywords(generate, options, GenerateOptions)
    games, executor = job_count("games", games), an_executor(options.get("executor"))
    params = UctParams() if params is None else search_params(params)
    board = Board() if start is None else unfinished(start, "start")
    suitable_evaluator(evaluator, params, threads=1)
    limits = {name: value for name, value in options.items() if name in LimitOptions.__annotations__}
    bounds, play = Limits(**limits), play_params(play)  # type: ignore[arg-type]
    check_openings(play, board)
    task: EngineGames | PooledGames
    if evaluator is None:
        if batches is not None:
            raise ValueError("batches needs an evaluator: without one each game has its own engine")
        task = EngineGames(params, board, play, limits)
    else:
        for name, value in (("seconds", bounds.seconds), ("nodes", bounds.nodes)):
            if value is not None:
                raise ValueError(f"{name} does not go with an evaluator, which needs simulations= alone")
        if not isinstance(bounds.simulations, int):
            raise ValueError(refused("simulations", "a number with an evaluator", bounds.simulations))
        usual = CONCURRENT if executor is None else CONCURRENT_IN_A_JOB
        fitted = _fitted(batch_params(batches), usual, games, hasattr(evaluator, "submit"))
        task = PooledGames(params, board, play, bounds.simulations, fitted, evaluator)
        if backend() == "pure":
            task = task.with_engines()
    arguments = {
        "board": board.to_fen(),
        "params": task.check().to_dict(),
        "play": asdict(play),
        "limits": asdict(bounds),
        "evaluator": None if evaluator is None else _name(evaluator),
        "weights": None if evaluator is None else weights_of(evaluator),
    }
    play_games = partial(_played, task, executor, options.get("progress", False))
    return _continued(board, games, arguments, options.get("seed"), out, play_games)


def _continued(
    start: Board,
    games: int,
    arguments: Facts,
    seed: int | None,
    out: StrPath | None,
    play: Callable[[range, Store], list[Any]],
) -> SelfPlay:
    """The games of a folder and those that it still lacks, which are added to it; without a folder all games.

    play: plays the games of these numbers, except for those in the store, and returns the records of all.
    """
    facts = facts_of(KIND, arguments)
    if out is None:
        with Store(None, KIND, arguments, seed) as store:
            played = play(range(games), store)
        return SelfPlay(({**facts, "seed": store.seed, "games": games},), (_shard(played, start, 0),))
    target = Path(path_of("out", out))
    data = _begun(target, facts, games, seed)
    if data is not None:
        seed = data.seed
        if data.games >= games and not os.path.lexists(folder.checkpoint_of(target)):
            return data  # only read: the folder may be where nothing can be written
    with Store(folder.checkpoint_of(target), KIND, arguments, seed) as store:
        data = _begun(target, facts, games, store.seed)  # again: another call may have added games
        done = 0 if data is None else data.games
        if done < games:
            shard = _shard(play(range(done, games), store), start, done)
            source = {**facts, "seed": store.seed, "games": games}
            folder.append(target, source, shard, done)
            data = SelfPlay((source,), (shard,) if data is None else (*data.shards, shard))
        store.remove()
    assert data is not None
    return data


def _played(
    task: EngineGames | PooledGames, executor: AnyExecutor | None, progress: Progress, numbers: range, store: Store
) -> list[Any]:
    """The records of the games of these numbers, in JSON types."""
    run: Run
    if isinstance(task, PooledGames):
        run = partial(pooled, task, executor)
    else:
        run = seeded([partial(task.play_game, number) for number in numbers], numbers.start, executor)
    return completed(store, JobSet(KIND, {}), run, numbers, progress)


def _begun(path: Path, facts: Facts, games: int, seed: int | None) -> SelfPlay | None:
    """The games in a folder, if there are any. CheckpointError if other arguments made them, or there are too many."""
    if not folder.games_in(path):
        return None
    data = load(path)
    if len(data.sources) > 1:
        raise CheckpointError(f"{path} holds games joined from {len(data.sources)} calls, which can't be continued")
    wanted = {**facts, "seed": data.seed if seed is None else seed, "games": min(games, data.games)}
    require_equal(data.about, wanted, f"{path} holds other games")
    return data


def _shard(played: list[Any], start: Board, first_game: int) -> Rows:
    return rows_of([GameRecord.from_json(game, start.rules.width) for game in played], start, first_game)


def _fitted(batches: BatchParams, usual: int, games: int, is_asynchronous: bool) -> BatchParams:
    """The batches of each pool, for this number of games; two groups for an asynchronous evaluator. ValueError."""
    if batches.buffers is not None:
        raise ValueError("buffers are for your own Pool: generate makes its pools itself")
    slots, groups = batches.slots(), batches.groups
    if batches.concurrent is None:
        slots = max(min(slots, usual) // groups, 1) * groups
    if groups == 1 and is_asynchronous and min(slots, games) % 2 == 0:
        groups = 2
    needed = -(-games // groups) * groups  # no more slots than games, in equal groups
    return replace(batches, concurrent=min(slots, needed), groups=groups)


def _name(evaluator: Evaluator) -> str:
    """The full name of a function, or of the class of an object."""
    named = evaluator if hasattr(evaluator, "__qualname__") else type(evaluator)
    return f"{named.__module__}.{named.__qualname__}"
