"""Let the engine play against itself, and write the games as arrays for training a network."""

import argparse
import sys
from dataclasses import fields
from math import inf
from pathlib import Path
from typing import Any

from .._layout import AFTER_PROOF, MAX_ANSWERS, MAX_ROWS
from ..errors import CheckpointError, SaveError
from ..search.presets import PRESETS
from ..selfplay import PlayParams, SelfPlay, generate
from ..selfplay.folder import checkpoint_of, games_in
from .arguments import (
    MAX_JOBS,
    UsageError,
    add_evaluator,
    add_executor,
    add_limits,
    add_params,
    add_seed,
    count,
    evaluator_errors,
    evaluator_of,
    executor_of,
    limits_of,
    params_of,
    require_between,
    usage_errors,
)
from .positions import add_position, lines_of_file, unfinished_board_of
from .process import say

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
    words = "with --evaluator: how many of its answers are kept, so that no position is evaluated again (default 0)"
    games.add_argument("--cache", type=count, default=0, metavar="N", help=words)
    add_seed(games)
    add_play(parser)
    add_executor(parser)
    words = "folder to write, or to continue with more games (default: games)"
    games.add_argument("--out", default="games", metavar="FOLDER", help=words)


def add_play(parser: argparse.ArgumentParser) -> None:
    """Add the options that are named like the fields of PlayParams."""
    play = parser.add_argument_group("how games begin and end")
    words = "a file with an opening per line, digits or a list with commas; games take them in turn; - is stdin"
    play.add_argument("--openings", metavar="FILE", help=words)
    words = "plies that are drawn before the first search, or a range: 4, 2-8 (default 0)"
    play.add_argument("--opening-plies", type=plies, metavar="N", help=words)
    words = "how: at random (default), or from the policy of the evaluator"
    play.add_argument("--opening-moves", choices=("random", "policy"), help=words)
    words = "with --evaluator: probability of a full search; others are fast and get no weight in training (default 1)"
    play.add_argument("--full-share", type=float, metavar="P", help=words)
    play.add_argument("--fast-simulations", type=count, metavar="N", help="number of simulations of a fast search")
    words = "a player resigns whose value is below this, from -1 to 1 (default: nobody does)"
    play.add_argument("--resign-value", type=float, metavar="V", help=words)
    words = "at so many of the player's positions in a row (default 3)"
    play.add_argument("--resign-moves", type=count, metavar="N", help=words)
    words = "share of games that are played on all the same (default 0.1)"
    play.add_argument("--never-resign", type=float, metavar="P", help=words)
    words = "how a game goes on once its outcome is proven: with full searches (default), with fast ones, or not at all"
    play.add_argument("--after-proof", choices=tuple(AFTER_PROOF), help=words)


def plies(text: str) -> int | tuple[int, int]:
    """Parse a number of plies, or a range such as 2-8. ValueError."""
    fewest, dash, most = text.partition("-")
    return (count(fewest), count(most)) if dash else count(text)


def play_of(args: argparse.Namespace) -> PlayParams:
    """How games begin and end. UsageError."""
    given = {field.name: getattr(args, field.name, None) for field in fields(PlayParams)}
    if args.openings is not None:
        given["openings"] = [line.name for line in lines_of_file(args.openings, "--openings")]
    try:
        return PlayParams(**{name: value for name, value in given.items() if value is not None})
    except (TypeError, ValueError) as error:
        raise UsageError(f"--{error}".replace("_", "-")) from None


def run(args: argparse.Namespace) -> int:
    """Play the games. If interrupted, the finished games stay in a file, from which the same command goes on."""
    board, params, limits = unfinished_board_of(args), params_of(args), limits_of(args, simulations=SIMULATIONS)
    evaluator = evaluator_of(args, params)
    bounds = {"games": (1, MAX_JOBS), "temperature_plies": (0, inf)}
    require_between(args, **bounds, concurrent=(1, MAX_ROWS), cache=(0, MAX_ANSWERS))
    out = Path(args.out)
    names = ("games", "temperature", "temperature_plies", "concurrent", "cache", "seed")
    options = {name: getattr(args, name) for name in names}
    options |= {"params": params, "evaluator": evaluator, "start": board, "play": play_of(args), "out": out, **limits}
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
