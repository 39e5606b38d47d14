"""Plays the games of self-play, continues those of a folder, and writes them."""

import os
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from .._files import StrPath, path_of
from .._validation import not_negative, positive, refused, whole_number
from ..board.board import Board
from ..board.validation import unfinished
from ..errors import CheckpointError
from ..executors.background import an_executor, job_count
from ..executors.checkpoint import Checkpoint, Facts, facts_of, require_equal
from ..executors.jobs import collect, perform
from ..executors.locked_file import LockedFile
from ..executors.progress import Progress
from ..search.evaluators import Evaluator, fitting, weights_of
from ..search.limits import Limits
from ..search.params import SearchParams, search_params
from . import folder, pooled_games
from .dataset import SelfPlay, load
from .engine_games import EngineGames
from .folder import KIND
from .openings import check_openings
from .play_params import PlayParams, play_params
from .pooled_games import PooledGames
from .records import Ending, GameRecord
from .rows import Rows, rows_of

CONCURRENT = 512  # games that are played at the same time, by default
CONCURRENT_IN_A_JOB = 64  # the same in a job of an executor


def generate(
    games: int,
    params: SearchParams | None = None,
    *,
    start: Board | None = None,
    play: PlayParams | None = None,
    temperature: float = 1.0,
    temperature_plies: int = 10,
    evaluator: Evaluator | None = None,
    concurrent: int | None = None,
    leaves_per_tree: int = 1,
    cache: int = 0,
    seed: int | None = None,
    executor: Executor | None = None,
    progress: Progress = False,
    out: StrPath | None = None,
    **limits: Any,
) -> SelfPlay:
    """Let an engine play games against itself, and record every position that it searches.

    params: by default the preset "strong". limits: of the search for each move, as for Engine.search (simulations=,
    nodes=; or seconds=, which makes games irreproducible); with an evaluator simulations= alone. start: by default the
    empty 7 x 6 board. play: openings, fast searches, resignation, and what a proof ends; by default none of these. Fast
    searches and openings from the policy need an evaluator.

    temperature, temperature_plies: the first `temperature_plies` moves of a game, after its opening, are drawn at
    random from the policy at this temperature (SearchResult.policy), so that games differ; later moves are the engine's
    own choice. The recorded policy is always that of temperature 1.

    evaluator: as for Engine, but for the games of a Pool, which has the other arguments and says which parameters it
    takes. Its arrays are used again for the next batch: copy what you keep. One with a method `submit` works while the
    next batch is gathered. concurrent: how many games are played at the same time, and so how many positions the
    evaluator gets at once: by default 512, in an executor 64, or all games if there are fewer. leaves_per_tree: how
    many of them one game may have, in place of the `batch_size` of the parameters. cache: how many answers of the
    evaluator are kept in memory (in an executor: in each job), as for a Pool; the games are the same.

    seed: game i gets the i-th child of its SeedSequence, so that games don't depend on the executor; drawn at random if
    None. executor, progress: as for experiments (docs/guide/study.md). With an evaluator the default is one thread,
    which plays all games; in an executor each job plays `concurrent` games, and processes get a pickled copy of the
    evaluator.

    out: a folder for `load`. Until all games are complete, finished ones are kept in the file `out` + ".jsonl": after
    Ctrl-C, a crash or kill -9 the same call continues from there. A folder that has some of the games already, made by
    the same arguments, gets the others; one that has them all is read instead of playing again. Games of other
    arguments are refused, and those of a network with other weights, if the evaluator has a `fingerprint`.

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, SaveError, OSError.
    """
    games, plies = job_count("games", games), whole_number("temperature_plies", temperature_plies)
    params = SearchParams() if params is None else search_params(params)
    board = Board() if start is None else unfinished(start, "start")
    temperature = not_negative("temperature", temperature)
    if plies < 0:
        raise ValueError(refused("temperature_plies", "at least 0", plies))
    fitting(evaluator, params.selection == "puct", threads=1)
    bounds, play = Limits(**limits), play_params(play)
    check_openings(play, board)
    an_executor(executor)
    task: EngineGames | PooledGames
    if evaluator is None:
        _refuse(concurrent=concurrent is not None, leaves_per_tree=leaves_per_tree != 1, cache=cache != 0)
        task = EngineGames(params, board, play, limits, temperature, plies)
    else:
        simulations = _simulations_alone(bounds.on(board.rules))
        usual = CONCURRENT if executor is None else CONCURRENT_IN_A_JOB
        size = min(games, usual if concurrent is None else positive("concurrent", concurrent))
        task = PooledGames(
            params, board, play, simulations, temperature, plies, leaves_per_tree, size, cache, evaluator
        )
    arguments = {
        "board": board.to_fen(),
        "params": asdict(task.check()),
        "play": asdict(play),
        "limits": asdict(bounds),
        "temperature": temperature,
        "temperature_plies": plies,
        "evaluator": None if evaluator is None else _name(evaluator),
        "weights": None if evaluator is None else weights_of(evaluator),
    }
    return _continued(board, games, arguments, seed, out, partial(_played, task, executor, progress))


def _continued(
    start: Board,
    games: int,
    arguments: Facts,
    seed: int | None,
    out: StrPath | None,
    play: Callable[..., tuple[list[Any], int]],
) -> SelfPlay:
    """The games of a folder and those that it still lacks, which are added to it; without a folder all games.

    play: plays the games of these numbers with a seed and a checkpoint, and returns their records and the seed.
    """
    facts = facts_of(KIND, arguments)
    if out is None:
        played, seed = play(range(games), arguments, seed, None)
        return SelfPlay(({**facts, "seed": seed, "games": games},), (_shard(played, start, 0),))
    target = Path(path_of("out", out))
    data: SelfPlay | None
    if folder.games_in(target) >= games and not os.path.lexists(folder.checkpoint_of(target)):
        data = _begun(target, facts, games, seed)  # only read: the folder may be where nothing can be written
    else:
        with folder.alone(target) as checkpoint:
            data = _begun(target, facts, games, seed)  # under the lock: another call may have added games
            done, seed = (0, seed) if data is None else (data.games, data.seed)
            if done < games:
                played, seed = play(range(done, games), arguments, seed, checkpoint)
                shard, source = _shard(played, start, done), {**facts, "seed": seed, "games": games}
                folder.append(target, source, shard, done)
                data = SelfPlay((source,), (shard,) if data is None else (*data.shards, shard))
            else:
                with Checkpoint(checkpoint, KIND, arguments, seed):
                    pass  # CheckpointError for a file of something else, which is not removed
            checkpoint.remove()
    assert data is not None
    return data


def _played(
    task: EngineGames | PooledGames,
    executor: Executor | None,
    progress: Progress,
    numbers: range,
    arguments: Facts,
    seed: int | None,
    checkpoint: LockedFile | None,
) -> tuple[list[Any], int]:
    """The records of the games of these numbers, in JSON types, and the seed."""
    kept: dict[str, Any] = {"seed": seed, "progress": progress, "checkpoint": checkpoint}
    kept["check_result"] = partial(_check_game, task.start)
    if isinstance(task, PooledGames):
        return collect(partial(pooled_games.play, task, executor), numbers, KIND, arguments, **kept)
    jobs = [partial(task.play_game, number) for number in numbers]
    return perform(jobs, KIND, arguments, executor=executor, first=numbers.start, **kept)


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


def _check_game(start: Board, number: int, found: Any) -> None:
    """ValueError if a game in JSON types can't have been played."""
    record = GameRecord.from_json(found, start.rules.width)
    rows_of([record], start, number)
    board = start.copy()
    for column in record.columns:
        board.push(column)
    end = board.outcome()
    if record.ending == Ending.PLAYED_OUT and (end is None or end.winner != record.winner):
        raise ValueError(f"winner must be that of the board, not {record.winner}")


def _shard(played: list[Any], start: Board, first_game: int) -> Rows:
    """The rows of games in JSON types."""
    return rows_of([GameRecord.from_json(game, start.rules.width) for game in played], start, first_game)


def _refuse(**given: bool) -> None:
    """ValueError for an argument that needs an evaluator."""
    for name, is_given in given.items():
        if is_given:
            raise ValueError(f"{name} needs an evaluator: without one each game has an engine of its own")


def _simulations_alone(limits: Limits) -> int:
    """The only limit of games with an evaluator. ValueError if there are others."""
    for name, value in (("seconds", limits.seconds), ("nodes", limits.nodes)):
        if value is not None:
            raise ValueError(
                f"{name} does not go with an evaluator, which needs simulations= alone, not {name}={value}"
            )
    assert isinstance(limits.simulations, int)
    return limits.simulations


def _name(evaluator: Evaluator) -> str:
    """The full name of a function, or of the class of an object."""
    named = evaluator if hasattr(evaluator, "__qualname__") else type(evaluator)
    return f"{named.__module__}.{named.__qualname__}"
