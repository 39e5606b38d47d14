"""Plays the games of self-play: each move is searched, and every position searched is recorded."""

from concurrent.futures import Executor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from .._backend import load as load_backend
from .._files import StrPath, path_of
from .._validation import not_negative, positive, refused, whole_number
from ..board.board import Board
from ..board.validation import unfinished
from ..errors import CheckpointError
from ..executors.background import Check, an_executor, job_count
from ..executors.checkpoint import Facts, facts_of, require_equal
from ..executors.jobs import collect, perform
from ..executors.progress import Progress
from ..search.engine import Engine
from ..search.evaluators import Evaluator, fitting, weights_of
from ..search.limits import Limits
from ..search.params import SearchParams, search_params
from ..search.results import SearchResult
from ..seeds import generator_state
from . import folder
from .dataset import SelfPlay, load
from .folder import KIND
from .pooled_games import Task, play
from .records import GameRecord
from .rows import Rows, rows_of

CONCURRENT = 512  # games that are played at the same time, by default
CONCURRENT_IN_A_JOB = 64  # the same in a job of an executor


def generate(
    games: int,
    params: SearchParams | None = None,
    *,
    start: Board | None = None,
    temperature: float = 1.0,
    temperature_plies: int = 10,
    evaluator: Evaluator | None = None,
    concurrent: int | None = None,
    leaves_per_tree: int = 1,
    seed: int | None = None,
    executor: Executor | None = None,
    progress: Progress = False,
    out: StrPath | None = None,
    **limits: Any,
) -> SelfPlay:
    """Let an engine play games against itself, and record every position that it searches.

    params: by default the preset "strong". limits: of the search for each move, as for Engine.search (simulations=,
    nodes=; or seconds=, which makes games irreproducible); with an evaluator simulations= alone. start: by default the
    empty 7 x 6 board.

    temperature, temperature_plies: the first `temperature_plies` moves of a game are drawn at random from the policy at
    this temperature (SearchResult.policy), so that games differ; later moves are the engine's own choice. The recorded
    policy is always that of temperature 1.

    evaluator: as for Engine, but for the games of a Pool, which has the other arguments and says which parameters it
    takes. Its arrays are used again for the next batch: copy what you keep. One with a method `submit` works while the
    next batch is gathered. concurrent: how many games are played at the same time, and so how many positions the
    evaluator gets at once: by default 512, in an executor 64, or all games if there are fewer. leaves_per_tree: how
    many of them one game may have, in place of the `batch_size` of the parameters.

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
    bounds = Limits(**limits)
    an_executor(executor)
    task = None
    if evaluator is not None:
        simulations = _simulations_alone(bounds.on(board.rules))
        usual = CONCURRENT if executor is None else CONCURRENT_IN_A_JOB
        size = min(games, usual if concurrent is None else positive("concurrent", concurrent))
        task = Task(params, board, simulations, temperature, plies, leaves_per_tree, size, evaluator)
        params = task.check()
    elif concurrent is not None or leaves_per_tree != 1:
        name = "leaves_per_tree" if concurrent is None else "concurrent"
        raise ValueError(f"{name} needs an evaluator: without one each game has an engine of its own")
    arguments = {
        "board": board.to_fen(),
        "params": asdict(params),
        "limits": asdict(bounds),
        "temperature": temperature,
        "temperature_plies": plies,
        "evaluator": None if evaluator is None else _name(evaluator),
        "weights": None if evaluator is None else weights_of(evaluator),
    }
    target = None if out is None else Path(path_of("out", out))
    checkpoint = None if target is None else checkpoint_of(target)
    data = None if target is None else _begun(target, facts_of(KIND, arguments), games, seed)
    done = 0 if data is None else data.games
    if done < games:
        seed = seed if data is None else data.seed
        kept: dict[str, Any] = {"seed": seed, "progress": progress, "checkpoint": checkpoint}
        if task is None:
            jobs = [partial(_play, board, params, limits, temperature, plies)] * (games - done)
            played, seed = perform(jobs, KIND, arguments, executor=executor, first=done, **kept)
        else:
            work = partial(play, task, executor)
            played, seed = collect(work, range(done, games), KIND, arguments, **kept)
        source = {**facts_of(KIND, arguments), "seed": seed, "games": games}
        shard = _shard(played, board, done, checkpoint)
        if target is not None:
            folder.append(target, source, shard)
        data = SelfPlay((source,), (shard,) if data is None else (*data.shards, shard))
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    assert data is not None
    return data


def checkpoint_of(out: Path) -> Path:
    """The file that keeps the finished games until all are finished."""
    return out.with_name(out.name + ".jsonl")


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


def _shard(played: list[Any], start: Board, first_game: int, checkpoint: Path | None) -> Rows:
    """The rows of games in JSON types. CheckpointError if a game can't have been played: the file has been forged."""
    try:
        return rows_of([GameRecord.from_json(game, start.rules.width) for game in played], start, first_game)
    except ValueError as error:
        raise CheckpointError(f"checkpoint {checkpoint} is damaged: a game in it can't be: {error}") from None


def _play(
    start: Board,
    params: SearchParams,
    limits: dict[str, Any],
    temperature: float,
    plies: int,
    seed: np.random.SeedSequence,
    check: Check,
) -> dict[str, Any]:
    """Play one game with an engine, and return its record in JSON types.

    The moves of its first `plies` plies are drawn at the temperature, as in a Pool.
    """
    pure = load_backend("pure")
    engine, draws = Engine(params, seed=seed), pure.rng.substream(*generator_state(seed), 0)
    board = start.copy()
    results: list[SearchResult] = []
    while not board.is_over():
        check()
        result = engine.search(board, **limits, on_progress=check)
        results.append(result)
        if len(results) <= plies:
            weights = result.policy(temperature).tolist()
            board.push(pure.moves.draw(weights, len(weights), pure.rng.next64(draws)))
        else:
            board.push(result.column)
    end = board.outcome()
    assert end is not None
    return GameRecord.of_results(board.moves[len(start.moves) :], end.winner, results).to_json()


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
