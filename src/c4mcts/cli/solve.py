"""Solve positions exactly: given as arguments, or one per line in a file or on standard input."""

import argparse
import csv
import io
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .. import _files
from ..board.board import Board
from ..facts import facts
from ..solver.book import NO_SCORE
from ..solver.bulk import Solutions, solve_many
from ..solver.solution import Solution
from ..solver.solver import solve
from .arguments import (
    UsageError,
    add_backend,
    add_executor,
    add_json,
    backend_of,
    count,
    executor_of,
    print_json,
    require_output,
    resumable,
    usage_errors,
)
from .positions import (
    PositionLine,
    add_rules,
    add_start,
    board_of_file,
    board_of_line,
    lines_of_file,
    report_wrong,
)
from .process import say, stopping

FORMATS = (".csv", ".npz", ".parquet")


class Given(NamedTuple):
    """A position as it was given."""

    source: PositionLine
    board: Board | None  # None if there is an error
    error: str = ""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "positions",
        nargs="*",
        metavar="position",
        help="moves as digits, columns from 1; or with commas, from 0; without any, a line each of standard input",
    )
    files = parser.add_mutually_exclusive_group()
    add_start(files)
    files.add_argument("--file", metavar="FILE", help="positions, a line each, FEN too; - is standard input")
    words = "write a table, .csv, .npz or .parquet, of all positions instead: faster, and continued if interrupted"
    parser.add_argument("--out", metavar="FILE", help=words)
    parser.add_argument("--all", action="store_true", help="the score of every column too, . for a full one")
    parser.add_argument("--no-book", action="store_true", help="search positions that are in the book too")
    words = "time limit for each position; ? is printed for an unknown score"
    parser.add_argument("--seconds", type=float, metavar="S", help=words)
    parser.add_argument("--nodes", type=count, metavar="N", help="limit of searched nodes for each position")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads for each position (default: 1)")
    add_rules(parser)
    add_backend(parser)
    add_json(parser)
    add_executor(parser)


def run(args: argparse.Namespace) -> int:
    """Print a line for each position, or write a table of all. Exit code 2 if one could not be read."""
    backend_of(args)
    if args.out is not None:
        for name in ("seconds", "nodes", "json"):
            if getattr(args, name):
                raise UsageError(f"--{name} can't be combined with --out")
        return write_table(args, list(boards(args)))
    failed = False
    for given in boards(args):
        if given.board is None:
            failed = True
            report_wrong(args, given.source, given.source.fields(), given.error)
            continue
        solve_one(args, given, given.board)
    return 2 if failed else 0


def solve_one(args: argparse.Namespace, given: Given, board: Board) -> None:
    """Solve a position and print its scores; after a signal those that are known by then, and then raise it."""
    with stopping(lambda: None) as interruption, usage_errors("--"):
        solution = solve(
            board,
            columns=args.all,
            book=not args.no_book,
            max_nodes=args.nodes,
            seconds=args.seconds,
            on_progress=lambda nodes: interruption.cause is not None,
            threads=args.threads,
            backend=args.backend,
        )
        if args.json:
            print_json(fields(args, given, solution))
        else:
            print(line(given.source.name, solution), flush=True)
    interruption.raise_it()


def boards(args: argparse.Namespace) -> Iterator[Given]:
    """The positions that are given; blank lines are skipped."""
    if args.positions and (args.start is not None or args.file is not None):
        raise UsageError("--start and --file take the place of a position: give only one of them")
    if args.start is not None:
        yield read(PositionLine(0, 0, args.start), lambda _: board_of_file(args))
    elif args.positions:
        for place, text in enumerate(args.positions):
            yield read(PositionLine(place, 0, text), partial(board_of_line, args))
    else:
        for source in lines_of_file(args.file or "-"):
            yield read(source, partial(board_of_line, args))


def read(source: PositionLine, board_of: Callable[[PositionLine], Board]) -> Given:
    """Read one position."""
    try:
        board = board_of(source)
    except UsageError as error:
        return Given(source, None, f"{error}")
    return Given(source, None, f"{source.name!r}: the game is over") if board.is_over() else Given(source, board)


def line(name: str, solution: Solution) -> str:
    """Position, score and column scores, separated by spaces."""
    scores = [number(solution.score)]
    if solution.columns is not None:
        legal = solution.board.legal_columns
        scores += [number(score) if column in legal else "." for column, score in enumerate(solution.columns)]
    return " ".join([name, *scores]).strip()


def number(score: int | None) -> str:
    """The score as text; ? if it is unknown."""
    return "?" if score is None else str(score)


def fields(args: argparse.Namespace, given: Given, solution: Solution) -> dict[str, object]:
    """The object that --json prints."""
    about = facts(
        backend=backend_of(args),
        rules=solution.board.rules,
        limits={"seconds": args.seconds, "nodes": args.nodes},
        threads=args.threads,
        point_of_view="player_to_move",
    )
    return {
        **given.source.fields(),
        **about,
        "board": solution.board.to_fen(),
        "score": solution.score,
        "distance": solution.distance,
        "columns": solution.columns,
        "best": solution.best,
        "nodes": solution.nodes,
        "seconds": solution.seconds,
    }


def write_table(args: argparse.Namespace, given: list[Given]) -> int:
    """Solve all positions and write the table. Exit code 2 if one could not be read; it has its error in the table."""
    require_output("--out", args.out, FORMATS)
    out = Path(args.out)
    checkpoint = out.with_name(out.name + ".jsonl")
    good = [one for one in given if one.board is not None]
    options: dict[str, Any] = {"columns": args.all, "book": not args.no_book, "backend": args.backend}
    options |= {"progress": sys.stderr.isatty(), "checkpoint": checkpoint}
    with resumable(args, checkpoint), executor_of(args) as executor, usage_errors():
        solutions = solve_many([one.board for one in good], executor=executor, **options)
    _files.write(str(out), content(out.suffix.lower(), columns_of(given, solutions)))
    checkpoint.unlink(missing_ok=True)
    wrong = [one for one in given if one.board is None]
    for one in wrong:
        say(f"c4mcts solve: {one.source.where}{one.error}")
    print(f"written: {out}, {len(good):,} positions solved, {len(wrong):,} with an error")
    return 2 if wrong else 0


def columns_of(given: list[Given], solutions: Solutions) -> dict[str, Any]:
    """The table by column: arrays with a row for each position; NO_SCORE where there is none."""
    rows = np.array([one.board is not None for one in given], bool)
    score, nodes = np.full(len(given), NO_SCORE, np.int8), np.zeros(len(given), np.uint64)
    score[rows], nodes[rows] = solutions.scores, solutions.nodes
    table = {"position": np.array([one.source.name for one in given], np.str_), "score": score}
    if solutions.columns is not None:
        for column in range(solutions.columns.shape[1]):
            table[f"column_{column}"] = np.full(len(given), NO_SCORE, np.int8)
            table[f"column_{column}"][rows] = solutions.columns[:, column]
    return {**table, "nodes": nodes, "error": np.array([one.error for one in given], np.str_)}


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
