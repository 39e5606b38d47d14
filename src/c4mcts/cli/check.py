"""Check a player before a competition: legal moves in time, on all sizes, from both seats; one verdict."""

import argparse
import os

from .._validation import counted
from ..play.player_check import check_player
from ..play.player_files import TEXT
from ..rules import Rules
from ..search.typed_values import count
from .boards import rules_of
from .failures import FAILED, OK
from .match import PLAYERS, entrant
from .options import add_options, size
from .output import show


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("player", help=PLAYERS)
    text = "the boards that it claims to play, such as 7x6 6x5x4 8x7x5 (default 7x6)"
    parser.add_argument("--sizes", nargs="+", type=rules_of, default=[Rules()], metavar="RULES", help=text)
    text = "games of each trial: moving first, moving second, and against itself (default 2)"
    parser.add_argument("--games", type=count, default=2, metavar="N", help=text)
    parser.add_argument("--seconds", type=float, default=2.0, metavar="S", help="time limit per turn (default 2)")
    text = "seconds beyond the limit that a player has for a game (default 60, as on Kaggle)"
    parser.add_argument("--overage", type=float, default=60.0, metavar="S", help=text)
    text = "limit of the file's size (default 100M)"
    parser.add_argument("--max-size", type=size, default=100_000_000, metavar="BYTES", help=text)
    add_options(parser, "seed")


def run(args: argparse.Namespace) -> int:
    """Print a line for each trial, and the verdict."""
    entrant(args.player, args.sizes[0])
    failures = 0
    file = TEXT.fullmatch(args.player)
    if file is not None and os.path.isfile(file[2]):
        length = os.path.getsize(file[2])
        failures += length > args.max_size
        show(f"{'FAILS' if failures else 'ok'}  size: {counted(length, 'byte')} of at most {args.max_size:,}")
    limits = {"games": args.games, "seconds": args.seconds, "overage": args.overage, "seed": args.seed}
    for trial in check_player(args.player, args.sizes, **limits):
        failures += bool(trial.failure)
        show(trial)
    show(f"{args.player} {f'fails {failures} of these checks' if failures else 'passes'}")
    return FAILED if failures else OK
