"""Grade the bots of a class, each in a process of its own, against the same opponents."""

import argparse

from ..play.grading import AGAINST, grade
from .arguments import add_options, continued, count, executor_of, require_output, save_all
from .match import PLAYERS
from .messages import OK, UsageError, reason
from .output import show
from .positions import add_rules

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def add(parser: argparse.ArgumentParser) -> None:
    words = "a Python file for each bot, or a folder with one; each defines choose(board), which returns a column"
    parser.add_argument("folder", help=f"folder with submissions: {words}")
    words = f"opponents (default {' '.join(AGAINST)}): {PLAYERS}"
    parser.add_argument("--against", nargs="+", default=list(AGAINST), metavar="PLAYER", help=words)
    words = "games of each bot against each opponent, an even number (default 20)"
    parser.add_argument("--games", type=count, default=20, metavar="N", help=words)
    words = "time limit per move; a slower bot forfeits the game (default 1)"
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help=words)
    words = "memory limit of a bot's process, such as 512M (default 1G)"
    parser.add_argument("--memory", type=size, default=1 << 30, metavar="BYTES", help=words)
    parser.add_argument("--files", type=count, default=64, metavar="N", help="limit of open files (default 64)")
    add_rules(parser)
    add_options(parser, "seed", "executor", "checkpoint")
    words = "write a .csv file with the ranking, or the .html page for the class; may be repeated"
    parser.add_argument("--out", action="append", default=[], metavar="FILE", help=words)


def size(text: str) -> int:
    """Parse a number of bytes, such as 512M. ValueError."""
    number, unit = (text[:-1], UNITS[text[-1:].upper()]) if text[-1:].upper() in UNITS else (text, 1)
    return count(number) * unit


def run(args: argparse.Namespace) -> int:
    require_output(args, "out", ".csv", ".html")
    require_output(args, "checkpoint")
    with continued(args, args.checkpoint), executor_of(args) as executor:
        names = ("folder", "against", "games", "seconds", "memory", "files", "rules", "seed", "checkpoint")
        try:
            found = grade(**{name: getattr(args, name) for name in names}, executor=executor)
        except OSError as error:
            raise UsageError(reason(error)) from None
    show(found)
    save_all(args, found)
    return OK
