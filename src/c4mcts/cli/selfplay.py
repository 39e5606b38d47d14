"""Play games of the engine against itself, and write them as arrays for training a network."""

import argparse
from dataclasses import replace
from typing import Any

from ..search.typed_values import count
from ..selfplay import PlayParams, generate
from .boards import add_position, start_board
from .engines import evaluator_of, limits_of, params_of
from .executors import executor_of
from .failures import OK, errors_of_others, usage_errors
from .files import continued, folder_of, progress_of
from .lines import lines_of_file
from .options import add_options, setting
from .output import show

SIMULATIONS = 400  # default, per move


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    search = parser.add_argument_group(f"search of each move (default {SIMULATIONS} simulations)")
    add_options(search, "seconds", "simulations", "preset", "set", "evaluator")
    games = parser.add_argument_group("games")
    games.add_argument("--games", type=count, default=100, metavar="N", help="number of games (default 100)")
    add_options(games, "seed", "executor")
    text = "how games begin and end, a field of PlayParams: temperature=0.5, opening_plies=2,8; may be repeated"
    games.add_argument("--play", type=setting, action="append", default=[], metavar="NAME=VALUE", help=text)
    games.add_argument("--openings", metavar="FILE", help="one opening per line, used in turn; - is standard input")
    text = "folder for the games; more games can be added to it (default: games)"
    games.add_argument("--out", default="games", metavar="FOLDER", help=text)


def run(args: argparse.Namespace) -> int:
    """Play the games. If interrupted, finished games are kept in the folder, from which the same command continues."""
    with usage_errors("--play: "):
        play = PlayParams(**dict(args.play))
    if args.openings is not None:
        with usage_errors(f"--openings {args.openings}: "):
            play = replace(play, openings=[line.text for line in lines_of_file(args.openings, "--openings")])
    options: dict[str, Any] = {
        "games": args.games,
        "params": params_of(args),
        "start": start_board(args),
        "play": play,
        "out": folder_of(args),
        "seed": args.seed,
        "progress": progress_of(args),
        **limits_of(args, simulations=SIMULATIONS),
    }
    what = None if args.evaluator is None else f"--evaluator {args.evaluator}"
    with continued(args, args.out), executor_of(args) as executor, errors_of_others(what):
        evaluator = evaluator_of(args)
        data = generate(evaluator=evaluator, executor=executor, **options)
    show(f"{data}\nin the folder {args.out}")
    return OK
