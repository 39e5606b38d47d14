"""Self-play: an engine's games against itself, as arrays to train a network on.

>>> from c4mcts.play import selfplay
>>> data = selfplay.generate(2, simulations=50, seed=1)
>>> data.planes.shape[1:], len(data.planes) == len(data.policy) == len(data.outcome)
((2, 6, 7), True)
"""

import base64
import os
from concurrent.futures import Executor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from .._files import path_of
from .._validation import not_negative, refused, whole_number
from ..board.board import Board
from ..board.planes import planes_of
from ..board.validation import job_count, unfinished
from ..executors.background import Check
from ..executors.checkpoint import Facts, facts_of, require_equal
from ..executors.jobs import Progress, perform
from ..search.engine import Engine
from ..search.evaluators import Evaluator, fitting
from ..search.limits import Limits
from ..search.params import SearchParams, search_params
from .records import KIND, SelfPlay, load

__all__ = ["SelfPlay", "generate", "load"]


class Game(TypedDict):
    """What a finished game leaves, as JSON holds it."""

    columns: list[int]  # played, from the start on
    policy: str  # base64 of float32, little-endian: (positions, width)


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
    out: str | os.PathLike[str] | None = None,
    **limits: Any,
) -> SelfPlay:
    """Let an engine play against itself, and record every position it searches.

    params: by default the preset "strong". limits: of the search for each move, as for Engine.search (simulations=,
    nodes=, or seconds=, with which no two games are the same). start: by default the empty 7 x 6 board.

    temperature, temperature_plies: as many plies of a game from its start on are drawn by chance from the policy at
    this temperature (SearchResult.policy), so that games differ; from then on the engine's own choice is played. The
    recorded policy is always that of temperature 1.

    evaluator: for Engine; other processes get it pickled, threads share it. seed: game i gets the i-th child of its
    SeedSequence, so that no game depends on who plays it; drawn by chance if None. executor, progress: as for
    experiments (docs/guide/study.md).

    out: an .npz file for `load`. Finished games are kept beside it, in `out` + ".jsonl", until it is complete: after
    Ctrl-C, a crash or kill -9 the same call goes on from there. A file that is complete is read, not played again; one
    with other games is refused. (Of an evaluator its name is compared, not what it has learned.)

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
        if not target.is_file():  # a device or a pipe may wait for ever; a folder is no file
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
    """Where finished games are kept until all are."""
    return out.with_name(out.name + ".jsonl")


def _complete(path: Path, facts: Facts, seed: int | None) -> SelfPlay:
    """The games of a finished file, if they are those that are asked for."""
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
    """One game; its first plies are drawn at the temperature."""
    search_seed, draw_seed = seed.spawn(2)
    engine = Engine(params, seed=search_seed, evaluator=evaluator)
    generator = np.random.default_rng(draw_seed)
    board, policies = start.copy(), []
    while not board.is_over():
        check()
        result = engine.search(board, **limits, on_progress=check)
        policies.append(result.policy())
        if len(policies) <= plies:
            board.push(generator.choice(board.rules.width, p=result.policy(temperature)))
        else:
            board.push(result.column)
    data = np.array(policies, dtype="<f4").tobytes()
    return {"columns": list(board.moves[len(start.moves) :]), "policy": base64.b64encode(data).decode()}


def _assembled(played: list[Game], about: Facts) -> SelfPlay:
    """The arrays of all games, made by playing them over again."""
    start = Board.from_fen(about["board"])
    planes, policy, outcome, ply = [], [], [], []
    for game in played:
        board, boards = start.copy(), []
        for column in game["columns"]:
            boards.append(board.copy())
            board.push(column)
        end = board.outcome()
        assert end is not None
        planes.append(planes_of(boards).astype(np.uint8))
        policy.append(np.frombuffer(base64.b64decode(game["policy"]), "<f4").reshape(-1, start.rules.width))
        outcome += [0 if end.winner is None else 1 if end.winner == board.turn else -1 for board in boards]
        ply += [board.ply for board in boards]
    lengths = [len(game["columns"]) for game in played]
    return SelfPlay(
        planes=np.concatenate(planes),
        policy=np.concatenate(policy).astype(np.float32),
        outcome=np.array(outcome, dtype=np.int8),
        column=np.array([column for game in played for column in game["columns"]], dtype=np.int8),
        game=np.repeat(np.arange(len(played), dtype=np.int32), lengths),
        ply=np.array(ply, dtype=np.int32),
        about=about,
    )


def _name(evaluator: Evaluator) -> str:
    """Where a function, or the class of an object, is written."""
    named = evaluator if hasattr(evaluator, "__qualname__") else type(evaluator)
    return f"{named.__module__}.{named.__qualname__}"
