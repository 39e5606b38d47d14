"""List puzzles, positions with exactly one right move."""

import argparse
from collections.abc import Sequence

from .._files import json_types
from ..board.notation import write_pons
from ..play.levels import LEVELS
from ..play.puzzles import THEMES, Puzzle, puzzles
from ..provenance import provenance
from ..rules import Rules
from .engines import backend_of
from .failures import OK, UsageError
from .options import add_options
from .output import print_json, show


def add(parser: argparse.ArgumentParser) -> None:
    levels = range(1, len(LEVELS) + 1)
    parser.add_argument("--level", type=int, choices=levels, metavar="N", help=f"only this level, 1 to {len(LEVELS)}")
    parser.add_argument("--theme", choices=THEMES, metavar="THEME", help=f"only this theme: {', '.join(THEMES)}")
    parser.add_argument("--count", type=int, metavar="N", help="only the first N")
    parser.add_argument("--solutions", action="store_true", help="show the line of best play, too")
    add_options(parser, "json")


def run(args: argparse.Namespace) -> int:
    if args.count is not None and args.count < 1:
        raise UsageError(f"--count must be at least 1, not {args.count}")
    chosen = [each for each in puzzles() if args.level in (None, each.level) and args.theme in (None, *each.themes)]
    chosen = chosen[: args.count]
    if args.json:
        about = provenance(backend=backend_of(args), rules=Rules())
        print_json({**about, "puzzles": [{**json_types(each), "rating": each.rating} for each in chosen]})
    else:
        show(text_of(chosen, args.solutions))
    return OK


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
