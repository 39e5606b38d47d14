"""Let the engine play against itself, and write the games as arrays for training a network."""

import argparse
import sys
from math import inf
from pathlib import Path
from typing import Any

from .._layout import MAX_ROWS
from ..errors import CheckpointError, SaveError
from ..search.presets import PRESETS
from ..selfplay import SelfPlay, generate
from ..selfplay.folder import games_in
from ..selfplay.generation import checkpoint_of
from .arguments import (
    MAX_JOBS,
    UsageError,
    add_limits,
    add_params,
    add_seed,
    count,
    limits_of,
    params_of,
    require_between,
    usage_errors,
)
from .evaluator import add_evaluator, evaluator_errors, evaluator_of
from .executor import add_executor, executor_of
from .position import add_position, unfinished_board_of
from .streams import say

SIMULATIONS = 400  # default, per move


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    add_limits(parser)
    add_evaluator(add_params(parser, presets=tuple(PRESETS)))
    games = parser.add_argument_group("games")
    games.add_argument("--games", type=count, default=100, metavar="N", help="number of games (default 100)")
    words = "randomness of the first moves: 0 plays the most visited column, inf any column (default 1)"
    games.add_argument("--temperature", type=float, default=1.0, metavar="T", help=words)
    words = "plies of each game that are drawn at random by --temperature (default 10)"
    games.add_argument("--temperature-plies", type=count, default=10, metavar="N", help=words)
    words = "with --evaluator: games at the same time, of each of which it gets a position at once (default 512)"
    games.add_argument("--concurrent", type=count, metavar="N", help=words)
    add_seed(games)
    add_executor(parser)
    words = "folder to write, or to continue with more games (default: games)"
    games.add_argument("--out", default="games", metavar="FOLDER", help=words)


def run(args: argparse.Namespace) -> int:
    """Play the games. If interrupted, the finished games stay in a file, from which the same command goes on."""
    board, params, limits = unfinished_board_of(args), params_of(args), limits_of(args, simulations=SIMULATIONS)
    evaluator = evaluator_of(args, params)
    require_between(args, games=(1, MAX_JOBS), temperature_plies=(0, inf), concurrent=(1, MAX_ROWS))
    out = Path(args.out)
    options = {
        name: getattr(args, name) for name in ("games", "temperature", "temperature_plies", "concurrent", "seed")
    }
    options |= {"params": params, "evaluator": evaluator, "start": board, "out": out, **limits}
    options["progress"] = sys.stderr.isatty()
    try:
        with evaluator_errors(args), executor_of(args) as executor:
            data, done = generated(executor=executor, **options)
    except KeyboardInterrupt:
        say(f"c4mcts selfplay: stopped; the same command continues from {checkpoint_of(out)}")
        raise
    print(f"{data}\n{done}: {out}")
    return 0


def generated(**options: Any) -> tuple[SelfPlay, str]:
    """The games, played or read from a finished folder, and which of the two; errors become UsageErrors."""
    with usage_errors("--"):
        try:
            done = "already complete" if games_in(options["out"]) == options["games"] else "written"
            return generate(**options), done
        except (CheckpointError, SaveError) as error:
            raise UsageError(f"{error}") from None
