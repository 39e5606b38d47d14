"""Grade the bots of a class, each in a process of its own, against the same opponents and each other."""

import argparse
from itertools import chain
from math import comb

from ..play.grading import AGAINST, grade, submissions
from ..rules import Rules
from ..search.typed_values import count
from .boards import add_rules
from .executors import executor_of
from .failures import OK, UsageError, reason
from .files import continued, require_output, save_all
from .growing_table import growing_table
from .lines import lines_of_file
from .match import PLAYERS, entrant
from .options import add_options, size
from .output import show

LINE_SECONDS = 10.0  # between two lines about the work, where there is no terminal


def add(parser: argparse.ArgumentParser) -> None:
    text = "a Python file for each bot, or a folder with one; each defines choose(board), which returns a column"
    parser.add_argument("folder", help=f"folder with submissions: {text}")
    text = f"opponents (default {' '.join(AGAINST)}): {PLAYERS}"
    parser.add_argument("--against", nargs="+", default=list(AGAINST), metavar="PLAYER", help=text)
    text = "games of each bot against each opponent, an even number (default 20)"
    parser.add_argument("--games", type=count, default=20, metavar="N", help=text)
    text = "time limit per move; a slower bot forfeits the game (default 1)"
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help=text)
    text = "memory limit of a bot's process, such as 512M (default 1G)"
    parser.add_argument("--memory", type=size, default=1 << 30, metavar="BYTES", help=text)
    parser.add_argument("--files", type=count, default=64, metavar="N", help="limit of open files (default 64)")
    text = "the bots also play against each other, as many games"
    parser.add_argument("--round-robin", action="store_true", help=text)
    text = "points for a bot: legal=2 if it forfeits no game, level:1=3 for more than half of the points against that "
    text += (
        'opponent, level:3=4@80%% for so much, "the class=2" against the other bots; or files with one such rule a line'
    )
    parser.add_argument("--points", nargs="+", default=[], metavar="RULE", help=text)
    add_rules(parser)
    add_options(parser, "seed", "executor", "checkpoint")
    text = "write a .csv file with the ranking, or the .html page for the class; may be repeated"
    parser.add_argument("--out", action="append", default=[], metavar="FILE", help=text)


def run(args: argparse.Namespace) -> int:
    """Print the ranking and write the files; if interrupted, the ranking so far."""
    if args.points and not args.out:
        raise UsageError("--points is for --out")
    require_output(args, "out", ".csv", ".html")
    require_output(args, "checkpoint")
    texts = ([text] if "=" in text else [line.text for line in lines_of_file(text, "--points")] for text in args.points)
    args.points = [*chain(*texts)]
    names = ("folder", "against", "games", "seconds", "memory", "files", "rules", "round_robin", "points", "seed")
    with continued(args, args.checkpoint), executor_of(args) as executor:
        try:
            bots = len(submissions(args.folder))
        except OSError as error:
            raise UsageError(reason(error)) from None
        args.against = [entrant(text, args.rules or Rules()) for text in args.against]
        pairs = bots * len(args.against) + (comb(bots, 2) if args.round_robin else 0)
        with growing_table(args, args.games * pairs, show, LINE_SECONDS) as draw:
            options = {name: getattr(args, name) for name in names}
            grades = grade(**options, checkpoint=args.checkpoint, executor=executor, on_game=draw)
    try:
        show(grades)
    finally:
        save_all(args, grades)  # also if nobody reads on, as with `| head`
    return OK
