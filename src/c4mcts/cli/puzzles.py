"""Puzzles: list those of the package or of a file, or make new ones from games of the levels."""

import argparse
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.progress import Progress

from .._files import json_types
from ..facts import facts
from ..play.levels import LEVELS
from ..play.puzzles import GAMES, SEED, THEMES, Puzzle, make_puzzles, puzzles, read_puzzles, write_puzzles
from ..rules import Rules
from .arguments import (
    MAX_JOBS,
    UsageError,
    add_options,
    backend_of,
    count,
    print_json,
    require_between,
    require_output,
    usage_errors,
)


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--file", metavar="FILE", help="list the puzzles of a file instead of those of the package")
    parser.add_argument("--level", type=count, metavar="N", help=f"only those of this level, 1 to {len(LEVELS)}")
    parser.add_argument(
        "--theme", choices=THEMES, metavar="THEME", help=f"only those with this theme: {_listed(THEMES)}"
    )
    parser.add_argument("--count", type=count, metavar="N", help="only the first N")
    parser.add_argument("--solutions", action="store_true", help="show the line of best play, too")
    making = parser.add_argument_group("making puzzles")
    words = "find N positions with one right move in games of the levels, and write them to --out"
    making.add_argument("--make", type=count, metavar="N", help=words)
    making.add_argument("--games", type=count, default=GAMES, metavar="N", help=f"games to play (default {GAMES:,})")
    making.add_argument("--seed", type=count, default=SEED, metavar="N", help=f"of the games (default {SEED})")
    making.add_argument("--out", metavar="FILE", help="text file with one puzzle per line")
    add_options(parser, "backend", "json")


def run(args: argparse.Namespace) -> int:
    if (args.make is None) != (args.out is None):
        raise UsageError("--make and --out are given together")
    if args.make is not None and args.file is not None:
        raise UsageError("give either --make or --file")
    require_between(args, level=(1, len(LEVELS)), count=(1, MAX_JOBS))
    found = chosen(args, made(args) if args.make is not None else puzzles_of(args.file))
    if args.json:
        about = facts(backend=backend_of(args), rules=Rules(), seed=None if args.make is None else args.seed)
        print_json({**about, "puzzles": [json_of(puzzle) for puzzle in found]})
    elif args.make is None:
        print(text_of(found, args.solutions))
    else:
        print(f"{args.out}: {len(found)} puzzles")
    return 0


def chosen(args: argparse.Namespace, found: Sequence[Puzzle]) -> list[Puzzle]:
    """Those of the level and with the theme that are asked for."""
    wanted = [each for each in found if args.level in (None, each.level) and args.theme in (None, *each.themes)]
    return wanted[: args.count]


def puzzles_of(file: str | None) -> Sequence[Puzzle]:
    if file is None:
        return puzzles()
    with usage_errors(f"--file {file}: "):
        return read_puzzles(file)


def made(args: argparse.Namespace) -> list[Puzzle]:
    """New puzzles, written to the file."""
    require_between(args, make=(1, MAX_JOBS), games=(1, MAX_JOBS), seed=(0, 2**64 - 1))
    require_output("--out", args.out)
    terminal = Console(stderr=True)
    with Progress(console=terminal, transient=True, disable=not terminal.is_terminal) as progress:
        task = progress.add_task("games", total=args.games)
        found = make_puzzles(
            args.make,
            games=args.games,
            seed=args.seed,
            on_progress=lambda games, _: progress.update(task, completed=games),
            backend=args.backend,
        )
    write_puzzles(args.out, found)
    return found


def json_of(puzzle: Puzzle) -> dict[str, Any]:
    return {**json_types(puzzle), "rating": puzzle.rating}


def text_of(found: Sequence[Puzzle], has_solutions: bool) -> str:
    """A table; columns count from 1."""
    if not found:
        return "no such puzzles"
    width = max(len(puzzle.moves) for puzzle in found)
    lines = [f"{'position':<{width}}  {'level':>5}  {'depth':>5}  themes"]
    for puzzle in found:
        position = digits(puzzle.moves)
        solution = f": {digits(puzzle.line)}" if has_solutions else ""
        lines.append(f"{position:<{width}}  {puzzle.level:>5}  {puzzle.depth:>5}  {_listed(puzzle.themes)}{solution}")
    return "\n".join(lines)


def digits(columns: Sequence[int]) -> str:
    return "".join(str(column + 1) for column in columns)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)
