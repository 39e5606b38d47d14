"""Plays the games of self-play: each move is searched, and every position searched is recorded."""

import base64
from concurrent.futures import Executor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt

from .._files import StrPath, path_of
from .._validation import not_negative, refused, whole_number
from ..board.board import Board
from ..board.planes import planes_of
from ..board.validation import unfinished
from ..executors.background import Check, job_count
from ..executors.checkpoint import Facts, facts_of, require_equal
from ..executors.jobs import perform
from ..executors.progress import Progress
from ..search.engine import Engine
from ..search.evaluators import Evaluator, fitting
from ..search.limits import Limits
from ..search.params import SearchParams, search_params
from .dataset import KIND, SelfPlay, load


class Game(TypedDict):
    """A finished game, in JSON types."""

    columns: list[int]  # played since the start position
    policy: str  # base64 of float32, little-endian: (positions, width)
    value: str  # likewise: (positions,)


def generate(
    games: int,
    params: SearchParams | None = None,
    *,
    start: Board | None = None,
    temperature: float = 1.0,
    temperature_plies: int = 10,
    evaluator: Evaluator | None = None,
    seed: int | None = None,
    executor: Executor | None = None,
    progress: Progress = False,
    out: StrPath | None = None,
    **limits: Any,
) -> SelfPlay:
    """Let an engine play games against itself, and record every position that it searches.

    params: by default the preset "strong". limits: of the search for each move, as for Engine.search (simulations=,
    nodes=; or seconds=, which makes games irreproducible). start: by default the empty 7 x 6 board.

    temperature, temperature_plies: the first `temperature_plies` moves of a game are drawn at random from the policy at
    this temperature (SearchResult.policy), so that games differ; later moves are the engine's own choice. The recorded
    policy is always that of temperature 1.

    evaluator: for Engine; processes get a pickled copy, threads share the object. seed: game i gets the i-th child of
    its SeedSequence, so that games don't depend on the executor; drawn at random if None. executor, progress: as for
    experiments (docs/guide/study.md).

    out: an .npz file for `load`. Until it is complete, finished games are kept in `out` + ".jsonl": after Ctrl-C, a
    crash or kill -9 the same call continues from there. A complete file is read instead of playing again, and refused
    if it was made by other arguments. (An evaluator is compared by its name, not by its weights.)

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, SaveError, OSError.
    """
    games, plies = job_count("games", games), whole_number("temperature_plies", temperature_plies)
    params = SearchParams() if params is None else search_params(params)
    board = Board() if start is None else unfinished(start, "start")
    temperature = not_negative("temperature", temperature)
    if plies < 0:
        raise ValueError(refused("temperature_plies", "at least 0", plies))
    fitting(evaluator, params.selection == "puct", threads=1)
    arguments = {
        "board": board.to_fen(),
        "params": asdict(params),
        "limits": asdict(Limits(**limits)),
        "games": games,
        "temperature": temperature,
        "temperature_plies": plies,
        "evaluator": None if evaluator is None else _name(evaluator),
    }
    target = None if out is None else Path(path_of("out", out))
    checkpoint = None if target is None else checkpoint_of(target)
    if target is not None and target.exists():
        if not target.is_file():  # reading a device or a pipe may block for ever
            raise ValueError(f"out must be a file, or the name of a new one, not {str(target)!r}")
        data = _complete(target, facts_of(KIND, arguments), seed)
    else:
        job = partial(_play, board, params, limits, temperature, plies, evaluator)
        played, seed = perform(
            [job] * games, KIND, arguments, seed=seed, executor=executor, progress=progress, checkpoint=checkpoint
        )
        data = _assembled(played, {**facts_of(KIND, arguments), "seed": seed})
        if target is not None:
            data.save(target)
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    return data


def checkpoint_of(out: Path) -> Path:
    """The file that keeps the finished games until all are finished."""
    return out.with_name(out.name + ".jsonl")


def _complete(path: Path, facts: Facts, seed: int | None) -> SelfPlay:
    """Load a complete file. CheckpointError if it was made by other arguments."""
    data = load(path)
    require_equal(data.about, {**facts, "seed": data.seed if seed is None else seed}, f"{path} holds other games")
    return data


def _play(
    start: Board,
    params: SearchParams,
    limits: dict[str, Any],
    temperature: float,
    plies: int,
    evaluator: Evaluator | None,
    seed: np.random.SeedSequence,
    check: Check,
) -> Game:
    """Play one game; the moves of its first `plies` plies are drawn at the temperature."""
    search_seed, draw_seed = seed.spawn(2)
    engine = Engine(params, seed=search_seed, evaluator=evaluator)
    generator = np.random.default_rng(draw_seed)
    board, policies, values = start.copy(), [], []
    while not board.is_over():
        check()
        result = engine.search(board, **limits, on_progress=check)
        policies.append(result.policy())
        values.append(0.0 if result.root_value is None else 2 * result.root_value - 1)
        if len(policies) <= plies:
            board.push(generator.choice(board.rules.width, p=result.policy(temperature)))
        else:
            board.push(result.column)
    return {"columns": list(board.moves[len(start.moves) :]), "policy": _encoded(policies), "value": _encoded(values)}


def _encoded(values: Any) -> str:
    """Numbers as base64 of float32, little-endian."""
    return base64.b64encode(np.array(values, dtype="<f4").tobytes()).decode()


def _decoded(text: str) -> npt.NDArray[np.float32]:
    """What `_encoded` has encoded, as a flat array."""
    return np.frombuffer(base64.b64decode(text), "<f4").astype(np.float32)


def _assembled(played: list[Game], about: Facts) -> SelfPlay:
    """The arrays of all games, made by replaying them."""
    start = Board.from_fen(about["board"])
    planes, outcome, ply = [], [], []
    for game in played:
        board, boards = start.copy(), []
        for column in game["columns"]:
            boards.append(board.copy())
            board.push(column)
        end = board.outcome()
        assert end is not None
        planes.append(planes_of(boards).astype(np.uint8))
        outcome += [0 if end.winner is None else 1 if end.winner == board.turn else -1 for board in boards]
        ply += [board.ply for board in boards]
    lengths = [len(game["columns"]) for game in played]
    return SelfPlay(
        planes=np.concatenate(planes),
        policy=np.concatenate([_decoded(game["policy"]) for game in played]).reshape(-1, start.rules.width),
        value=np.concatenate([_decoded(game["value"]) for game in played]),
        outcome=np.array(outcome, dtype=np.int8),
        column=np.array([column for game in played for column in game["columns"]], dtype=np.int8),
        game=np.repeat(np.arange(len(played), dtype=np.int32), lengths),
        ply=np.array(ply, dtype=np.int32),
        about=about,
    )


def _name(evaluator: Evaluator) -> str:
    """The full name of a function, or of the class of an object."""
    named = evaluator if hasattr(evaluator, "__qualname__") else type(evaluator)
    return f"{named.__module__}.{named.__qualname__}"
