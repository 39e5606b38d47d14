"""Build, describe or verify a book of exact scores."""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from .._backend import load
from ..errors import SaveError
from ..facts import facts
from ..rules import Rules
from ..solver.book import Book, entries_of, shipped_book
from ..solver.book_building import build_book, wrong_entries
from .arguments import (
    CommandError,
    UsageError,
    add_executor,
    add_json,
    add_seed,
    count,
    executor_of,
    print_json,
    reason,
    require_between,
    require_output,
    resumable,
    usage_errors,
)
from .positions import add_rules


def add(parser: argparse.ArgumentParser) -> None:
    """Add the three actions with their options."""
    actions = parser.add_subparsers(dest="action", metavar="action", required=True)
    summary = "Compute the exact scores of all positions with up to N discs."
    build = actions.add_parser("build", help=summary, description=summary, allow_abbrev=False)
    build.add_argument("--plies", type=count, required=True, metavar="N", help="the most discs of a position")
    summary = "also positions of best play from the empty board with up to N discs (default none)"
    build.add_argument("--lines", type=count, metavar="N", help=summary)
    build.add_argument("--out", required=True, metavar="FILE", help="file to write")
    add_rules(build)
    add_executor(build)
    summary = "Print what a book holds."
    info = actions.add_parser("info", help=summary, description=summary, allow_abbrev=False)
    add_json(info)
    summary = "Compare a random sample of a book with the solver, and all else with what follows from it."
    verify = actions.add_parser("verify", help=summary, description=summary, allow_abbrev=False)
    verify.add_argument("--sample", type=count, default=1000, metavar="N", help="positions to solve (default 1000)")
    add_seed(verify)
    add_executor(verify)
    for action in (info, verify):
        action.add_argument("file", nargs="?", help="the book (default: that of the package)")


def run(args: argparse.Namespace) -> int:
    """Run the action."""
    if args.action == "build":
        return build(args)
    book = read(args.file)
    return info(args, book) if args.action == "info" else verify(args, book)


def build(args: argparse.Namespace) -> int:
    """Build a book. If interrupted, the solved positions stay in a file, from which the same command continues."""
    rules, out = args.rules or Rules(), Path(args.out)
    checkpoint = out.with_name(out.name + ".jsonl")
    with usage_errors("--"):
        entries_of(rules, args.plies)
        if args.lines is not None:
            require_between(args, lines=(args.plies, rules.cells))
    require_output("--out", args.out)
    options: dict[str, Any] = {"lines": args.lines, "progress": sys.stderr.isatty(), "checkpoint": checkpoint}
    with resumable(args, checkpoint), executor_of(args) as executor, usage_errors():
        book = build_book(rules, args.plies, executor=executor, **options)
    book.save(out)
    checkpoint.unlink(missing_ok=True)
    print(f"{described(book)}\nwritten: {out}")
    return 0


def read(name: str | None) -> Book:
    """The book of a file, or of the package."""
    if name is None:
        return shipped_book()
    try:
        return Book.load(name)
    except SaveError as error:
        raise CommandError(f"{error}") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{name}: {reason(error)}") from None


def info(args: argparse.Namespace, book: Book) -> int:
    """Print rules, plies and sizes."""
    if args.json:
        about = facts(backend=load().name, rules=book.rules, point_of_view="player_to_move")
        lines = {"plies": book.last_ply, "positions": len(book.lines.scores)}
        print_json({**about, "plies": book.plies, "lines": lines, "positions": len(book), "bytes": book.bytes})
    else:
        print(described(book))
    return 0


def described(book: Book) -> str:
    """Rules, plies and sizes in one line."""
    what = f"positions with up to {book.plies} discs"
    lines = len(book.lines.scores)
    if lines:
        what += f", and {lines:,} of best play with up to {book.last_ply}"
    return f"{book.rules}, {what}: {len(book):,} scores, {book.bytes:,} bytes in memory"


def verify(args: argparse.Namespace, book: Book) -> int:
    """Print the wrong entries; exit code 1 if there are any."""
    require_between(args, sample=(1, 10_000_000))
    start = time.perf_counter()
    with executor_of(args) as executor, usage_errors("--"):
        wrong = wrong_entries(book, args.sample, seed=args.seed, executor=executor, progress=sys.stderr.isatty())
    for line in wrong:
        print(line)
    print(f"{described(book)}: {len(wrong)} wrong; {time.perf_counter() - start:.1f} s")
    return 1 if wrong else 0
