"""List puzzles, positions with exactly one right move, or make new ones."""

import argparse
import sys
from collections.abc import Sequence

from .._files import json_types
from ..board.notation import write_pons
from ..executors.progress import reporter
from ..play.levels import LEVELS
from ..play.puzzles import GAMES, SEED, THEMES, Puzzle, make_puzzles, puzzles, read_puzzles, write_puzzles
from ..provenance import provenance
from ..rules import Rules
from ..search.typed_values import count
from .engines import backend_of
from .failures import OK, UsageError
from .files import require_output
from .options import add_options
from .output import print_json, show


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--file", metavar="FILE", help="list the puzzles of a file instead of the package's")
    levels = range(1, len(LEVELS) + 1)
    parser.add_argument("--level", type=int, choices=levels, metavar="N", help=f"only this level, 1 to {len(LEVELS)}")
    parser.add_argument("--theme", choices=THEMES, metavar="THEME", help=f"only this theme: {', '.join(THEMES)}")
    parser.add_argument("--count", type=int, metavar="N", help="only the first N")
    parser.add_argument("--solutions", action="store_true", help="show the line of best play, too")
    making = parser.add_argument_group("making puzzles")
    text = "find N positions with one right move in games of the levels, and write them to --out"
    making.add_argument("--make", type=count, metavar="N", help=text)
    making.add_argument("--seed", type=int, metavar="N", help=f"of the games (default {SEED})")
    making.add_argument("--out", metavar="FILE", help="text file with one puzzle per line")
    add_options(parser, "json")


def run(args: argparse.Namespace) -> int:
    if args.make is None and not (args.out is None and args.seed is None):
        raise UsageError("--out and --seed are for --make")
    if args.make is not None and (args.out is None or args.file is not None):
        raise UsageError("--make needs --out, and no --file")
    args.seed = SEED if args.make is not None and args.seed is None else args.seed
    for name in ("make", "count"):
        if (number := getattr(args, name)) is not None and number < 1:
            raise UsageError(f"--{name} must be at least 1, not {number}")
    items: Sequence[Puzzle] = puzzles()
    if args.make is not None:
        items = make(args)
    elif args.file is not None:
        try:
            items = read_puzzles(args.file)
        except (OSError, ValueError) as error:
            raise UsageError(f"--file {args.file}: {getattr(error, 'strerror', None) or error}") from None
    selection = [each for each in items if args.level in (None, each.level) and args.theme in (None, *each.themes)]
    selection = selection[: args.count]
    if args.json:
        about = provenance(backend=backend_of(args), rules=Rules(), seed=args.seed)
        print_json({**about, "puzzles": [{**json_types(each), "rating": each.rating} for each in selection]})
    elif args.make is None:
        show(text_of(selection, args.solutions))
    else:
        show(f"{args.out}: {len(items)} puzzles")
    return OK


def make(args: argparse.Namespace) -> list[Puzzle]:
    require_output(args, "out")
    with reporter(sys.stderr.isatty(), "games") as show:
        new = make_puzzles(args.make, games=GAMES, seed=args.seed, on_progress=show)
    write_puzzles(args.out, new)
    return new


def text_of(items: Sequence[Puzzle], has_solutions: bool) -> str:
    """A table; columns count from 1."""
    if not items:
        return "no such puzzles"
    width = max(len(puzzle.moves) for puzzle in items)
    lines = [f"{'position':<{width}}  {'level':>5}  {'depth':>5}  themes"]
    for puzzle in items:
        position, themes = write_pons(puzzle.moves, Rules()), ", ".join(puzzle.themes)
        solution = f": {write_pons(puzzle.line, Rules())}" if has_solutions else ""
        lines.append(f"{position:<{width}}  {puzzle.level:>5}  {puzzle.depth:>5}  {themes}{solution}")
    return "\n".join(lines)
