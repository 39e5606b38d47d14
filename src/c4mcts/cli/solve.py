"""Exact scores: of positions, and in books."""

import argparse
import csv
import io
import sys
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _files
from .._backend import load
from .._timer import Timer
from ..board.board import Board
from ..errors import SaveError
from ..facts import facts
from ..rules import Rules
from ..solver.book import NO_SCORE, Book, shipped_book
from ..solver.book_building import build_book, outcome_counts, require_size, wrong_entries
from ..solver.bulk import Solutions, solve_many
from ..solver.checkpoint import Windows
from ..solver.limits import SAVE_EVERY
from ..solver.solution import Solution
from ..solver.solver import Solver
from .arguments import (
    CommandError,
    UsageError,
    add_options,
    backend_of,
    count,
    executor_of,
    print_json,
    reason,
    require_between,
    require_output,
    resumable,
    usage_errors,
)
from .positions import (
    MOVES,
    PositionLine,
    add_rules,
    add_start,
    board_of_file,
    board_of_line,
    for_each,
    lines_of_file,
)
from .process import OK, USAGE, say, stopping

FORMATS = (".csv", ".npz", ".parquet")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "positions",
        nargs="*",
        metavar="position",
        help=f"{MOVES}; or a FEN (default: one position per line of standard input)",
    )
    files = parser.add_mutually_exclusive_group()
    add_start(files)
    files.add_argument("--file", metavar="FILE", help="file with one position per line; - is standard input")
    words = "write a table to a .csv, .npz or .parquet file instead: faster for many positions, and resumable"
    parser.add_argument("--out", metavar="FILE", help=words)
    parser.add_argument("--all", action="store_true", help="also print the score of every column, . for a full one")
    parser.add_argument("--no-book", action="store_true", help="don't use the book")
    words = "for one position that takes hours: a file from which the same command continues, even after kill -9"
    parser.add_argument("--checkpoint", metavar="FILE", help=words)
    words = "time limit per position; unknown scores are printed as ?"
    parser.add_argument("--seconds", type=float, metavar="S", help=words)
    parser.add_argument("--nodes", type=count, metavar="N", help="limit of searched nodes per position")
    add_rules(parser)
    add_options(parser, "threads", "backend", "json", "executor")


def run(args: argparse.Namespace) -> int:
    """Print one line per position, or write a table. Exit code 2 if a position is invalid."""
    backend_of(args)
    if args.out is not None:
        for name in ("seconds", "nodes", "json", "checkpoint"):
            if getattr(args, name):
                raise UsageError(f"--{name} can't be combined with --out")
        return write_table(args)
    if args.checkpoint is not None and len(args.positions) + (args.start is not None) != 1:
        raise UsageError("--checkpoint is for one position")
    return for_each(args, sources(args), partial(board_of_source, args), partial(solve_one, args)) or OK


def solve_one(args: argparse.Namespace, source: PositionLine, board: Board) -> None:
    """Solve a position and print its scores; after a signal those that are known by then, and then raise it."""
    with stopping(lambda: None) as interruption, usage_errors("--"):
        solver = Solver(board.rules, book=not args.no_book, threads=args.threads, backend=args.backend)
        report = Report(solver)

        def look(_: int) -> bool:
            report.say_if_due()
            return interruption.cause is not None

        solution = solver.solve(
            board,
            columns=args.all,
            max_nodes=args.nodes,
            seconds=args.seconds,
            on_progress=look,
            checkpoint=args.checkpoint,
        )
        if args.json:
            print_json(fields(args, source, solution))
        else:
            print(line(source.name, solution), flush=True)
    if args.checkpoint is not None and interruption.cause is not None:
        say(f"c4mcts solve: stopped; the same command continues from {args.checkpoint}")
    interruption.raise_it()


class Report:
    """Says on standard error how far a solve with a checkpoint has come, when a window is done and once a minute."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._timer = Timer(None, SAVE_EVERY)
        self._done: int | None = None
        self._start = 0, 0.0  # nodes and seconds of the calls before this one

    def say_if_due(self) -> None:
        windows = self._solver.windows()
        if windows is None:
            return
        if self._done is None:
            self._start = windows.nodes, windows.seconds
        if windows.done != self._done:
            self._done = windows.done
            self._say(windows)
        else:
            self._timer.poll(lambda: self._say(windows))

    def _say(self, windows: Windows) -> None:
        nodes, seconds = (now - before for now, before in zip(windows[-2:], self._start, strict=True))
        rate = f", {nodes / seconds / 1e6:.2f} million a second" if nodes else ""
        bounds = "" if windows.lower > windows.upper else f", score {windows.lower} to {windows.upper}"
        say(f"{windows.nodes:,} nodes{rate}, {windows.done} windows done{bounds}")


def sources(args: argparse.Namespace) -> Iterable[PositionLine]:
    """The positions that are given; blank lines are skipped."""
    if args.positions and (args.start is not None or args.file is not None):
        raise UsageError("give only one of: positions, --start, --file")
    texts = args.positions if args.start is None else [args.start]
    if texts:
        return [PositionLine(place, 0, text) for place, text in enumerate(texts)]
    return lines_of_file(args.file or "-")


def board_of_source(args: argparse.Namespace, source: PositionLine) -> Board:
    """The board of a position that is given. UsageError, also if the game is over."""
    board = board_of_line(args, source) if args.start is None else board_of_file(args)
    if board.is_over():
        raise UsageError(f"{source.name!r}: the game is over")
    return board


def line(name: str, solution: Solution) -> str:
    scores = [number(solution.score)]
    if solution.columns is not None:
        legal = solution.board.legal_columns
        scores += [number(score) if column in legal else "." for column, score in enumerate(solution.columns)]
    return " ".join([name, *scores]).strip()


def number(score: int | None) -> str:
    return "?" if score is None else str(score)


def fields(args: argparse.Namespace, source: PositionLine, solution: Solution) -> dict[str, object]:
    about = facts(
        backend=backend_of(args),
        rules=solution.board.rules,
        limits={"seconds": args.seconds, "nodes": args.nodes},
        threads=args.threads,
        point_of_view="player_to_move",
    )
    return {
        **source.fields(),
        **about,
        "board": solution.board.to_fen(),
        **{name: getattr(solution, name) for name in ("score", "distance", "columns", "best", "nodes", "seconds")},
    }


def write_table(args: argparse.Namespace) -> int:
    """Solve all positions and write the table. Exit code 2 if one could not be read; it has its error in the table."""
    require_output("--out", args.out, FORMATS)
    given, boards, errors = list(sources(args)), list[Board](), list[str]()
    for source in given:
        try:
            boards.append(board_of_source(args, source))
            errors.append("")
        except UsageError as error:
            errors.append(str(error))
    columns: bool = args.all
    options: dict[str, Any] = {"book": not args.no_book, "backend": args.backend}
    with resumable(args, Path(args.out)) as (executor, checkpoint), usage_errors():
        found = solve_many(
            boards,
            columns=columns,
            executor=executor,
            checkpoint=checkpoint,
            progress=sys.stderr.isatty(),
            **options,
        )
    table = columns_of([source.name for source in given], errors, found)
    _files.write(args.out, content(Path(args.out).suffix.lower(), table))
    checkpoint.unlink(missing_ok=True)
    for source, reason_given in zip(given, errors, strict=True):
        if reason_given:
            say(f"c4mcts solve: {source.where}{reason_given}")
    wrong = len(given) - len(boards)
    print(f"written: {args.out}, {len(boards):,} positions solved, {wrong:,} with an error")
    return USAGE if wrong else OK


def columns_of(
    names: list[str], errors: list[str], solutions: Solutions[npt.NDArray[np.int8] | None]
) -> dict[str, Any]:
    """The table by column: arrays with a row for each position; NO_SCORE where there is none."""
    rows = np.array([not error for error in errors], bool)

    def spread(values: npt.NDArray[Any], missing: int) -> npt.NDArray[Any]:
        found = np.full(len(rows), missing, values.dtype)
        found[rows] = values
        return found

    columns = () if solutions.columns is None else solutions.columns.T
    return {
        "position": np.array(names, np.str_),
        "score": spread(solutions.scores, NO_SCORE),
        **{f"column_{i}": spread(scores, NO_SCORE) for i, scores in enumerate(columns)},
        "nodes": spread(solutions.nodes, 0),
        "error": np.array(errors, np.str_),
    }


def content(suffix: str, table: dict[str, Any]) -> bytes:
    """The bytes of the file. In CSV and Parquet a missing score is empty."""
    if suffix == ".npz":
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **table)
        return buffer.getvalue()
    values = {name: [None if value == NO_SCORE else value for value in array.tolist()] for name, array in table.items()}
    if suffix == ".csv":
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(values)
        writer.writerows(zip(*values.values(), strict=True))
        return text.getvalue().encode()
    import pyarrow
    import pyarrow.parquet

    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(values), buffer)
    return buffer.getvalue()


def add_book(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="action", required=True)
    summary = "Compute the exact scores of all positions with up to N discs."
    build = actions.add_parser("build", help=summary, description=summary, allow_abbrev=False)
    build.add_argument("--plies", type=count, required=True, metavar="N", help="maximum number of discs")
    summary = "also positions of best play from the empty board, with up to N discs (default: none)"
    build.add_argument("--lines", type=count, metavar="N", help=summary)
    build.add_argument("--out", required=True, metavar="FILE", help="the file to write")
    add_rules(build)
    add_options(build, "executor")
    summary = "Describe a book."
    info = actions.add_parser("info", help=summary, description=summary, allow_abbrev=False)
    add_options(info, "json")
    summary = "Compare a random sample of a book with the solver, and check all other entries for consistency."
    verify = actions.add_parser("verify", help=summary, description=summary, allow_abbrev=False)
    verify.add_argument("--sample", type=count, default=1000, metavar="N", help="positions to solve (default 1000)")
    add_options(verify, "seed", "executor")
    for action in (info, verify):
        action.add_argument("file", nargs="?", help="the book (default: the one of the package)")


def run_book(args: argparse.Namespace) -> int:
    if args.action == "build":
        return build(args)
    book = book_of(args.file)
    return info(args, book) if args.action == "info" else verify(args, book)


def build(args: argparse.Namespace) -> int:
    """Build a book. If interrupted, the solved positions stay in a file, from which the same command continues."""
    rules = args.rules or Rules()
    with usage_errors("--"):
        require_size(rules, args.plies)
        if args.lines is not None:
            require_between(args, lines=(args.plies, rules.cells))
    require_output("--out", args.out)
    options: dict[str, Any] = {"lines": args.lines, "progress": sys.stderr.isatty()}
    with resumable(args, Path(args.out)) as (executor, checkpoint), usage_errors():
        book = build_book(rules, args.plies, executor=executor, checkpoint=checkpoint, **options)
    book.save(args.out)
    checkpoint.unlink(missing_ok=True)
    print(f"{described(book)}\nwritten: {args.out}")
    return OK


def book_of(name: str | None) -> Book:
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
    if args.json:
        about = facts(backend=load().name, rules=book.rules, point_of_view="player_to_move")
        lines = {"plies": book.last_ply, "positions": len(book.lines.scores)}
        print_json({**about, "plies": book.plies, "lines": lines, "positions": len(book), "bytes": book.bytes})
    else:
        print(described(book))
    return 0


def described(book: Book) -> str:
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
    print(f"{'discs':>5}  {'won':>10}  {'drawn':>10}  {'lost':>10}   positions, by outcome for the player to move")
    for discs, counts in enumerate(outcome_counts(book, book.plies)):
        print(f"{discs:>5}  {counts.won:>10,}  {counts.drawn:>10,}  {counts.lost:>10,}")
    print(f"{described(book)}: {len(wrong)} wrong; {time.perf_counter() - start:.1f} s")
    return 1 if wrong else 0
