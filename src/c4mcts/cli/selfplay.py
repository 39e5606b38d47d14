"""Let the engine play against itself, and write the games as arrays for training a network."""

import argparse
import sys
from pathlib import Path

from ..search.params import PRESETS
from ..selfplay import BatchParams, PlayParams, generate
from ..selfplay.folder import games_in
from .arguments import (
    MAX_JOBS,
    UsageError,
    add_limits,
    add_options,
    add_params,
    add_settings,
    count,
    evaluator_errors,
    evaluator_of,
    limits_of,
    params_of,
    require_between,
    resumable,
    settings_of,
    usage_errors,
)
from .positions import add_position, board_of, lines_of_file, unfinished

SIMULATIONS = 400  # default, per move


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    add_limits(parser)
    add_options(add_params(parser, presets=tuple(PRESETS)), "evaluator")
    games = parser.add_argument_group("games")
    games.add_argument("--games", type=count, default=100, metavar="N", help="number of games (default 100)")
    words = "with --evaluator, number of games played at once, whose positions form one batch (default 512)"
    games.add_argument("--concurrent", type=count, metavar="N", help=words)
    words = "with --evaluator, number of evaluations kept for positions that recur (default 0)"
    games.add_argument("--cache", type=count, default=0, metavar="N", help=words)
    add_options(games, "seed", "executor")
    words = "how games begin and end, a field of PlayParams: temperature=0.5, opening_plies=2,8"
    add_settings(games, "--play", words)
    words = "file with one opening per line, used in turn; - is standard input"
    games.add_argument("--openings", metavar="FILE", help=words)
    words = "folder for the games; more games can be added to it (default: games)"
    games.add_argument("--out", default="games", metavar="FOLDER", help=words)


def play_of(args: argparse.Namespace) -> PlayParams:
    """How games begin and end. UsageError."""
    given = settings_of(args.play, "--play")
    if args.openings is not None:
        given["openings"] = [line.name for line in lines_of_file(args.openings, "--openings")]
    with usage_errors("--play: "):
        return PlayParams(**given)


def batches_of(args: argparse.Namespace) -> BatchParams | None:
    """How positions become batches; None without an evaluator. UsageError."""
    given = {"concurrent": args.concurrent, "cache": args.cache or None}
    given = {name: value for name, value in given.items() if value is not None}
    if args.evaluator is not None:
        with usage_errors("--"):
            return BatchParams(**given)
    if given:
        raise UsageError(f"--{next(iter(given))} needs --evaluator: without one each game has its own engine")
    return None


def run(args: argparse.Namespace) -> int:
    """Play the games. If interrupted, finished games are kept in a file, from which the same command continues."""
    board, params, limits = unfinished(board_of(args)), params_of(args), limits_of(args, simulations=SIMULATIONS)
    require_between(args, games=(1, MAX_JOBS))
    out = Path(args.out)
    options = {"games": args.games, "params": params, "start": board, "play": play_of(args), "out": out, **limits}
    options |= {"batches": batches_of(args), "seed": args.seed}
    options["progress"] = sys.stderr.isatty()
    with resumable(args, out) as (executor, _), evaluator_errors(args):
        evaluator = evaluator_of(args, params)
        with usage_errors("--"):
            done = "already complete" if games_in(out) == args.games else "written"
            data = generate(evaluator=evaluator, executor=executor, **options)
    print(f"{data}\n{done}: {out}")
    return 0
