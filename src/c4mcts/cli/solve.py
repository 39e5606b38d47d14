"""Solve positions exactly, given as arguments, in a file or on standard input."""

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from .._tables import write_table as write_rows
from .._timer import Timer
from .._validation import brief, counted
from ..board.board import Board
from ..board.move_texts import is_test_line, with_sign
from ..provenance import provenance
from ..solver.book import NO_SCORE
from ..solver.bulk import solve_many
from ..solver.solution import Solution
from ..solver.solver import SAVE_EVERY, Solver
from .boards import MOVES, add_rules, board_of_line
from .engines import backend_of
from .executors import executor_of
from .failures import FAILED, OK, USAGE, UsageError, say
from .files import continued, progress_of, require_output
from .lines import PositionLine, for_each, lines_of_file
from .options import add_options
from .output import print_json, show


def add(parser: argparse.ArgumentParser) -> None:
    text = f"{MOVES}; or a FEN; -, or none: one position per line of standard input"
    parser.add_argument("positions", nargs="*", metavar="position", help=text)
    parser.add_argument("--file", metavar="FILE", help="file with one position per line; - is standard input")
    text = "write a table to a .csv or .parquet file instead: faster for many positions, and resumable"
    parser.add_argument("--out", metavar="FILE", help=text)
    text = (
        "compare the scores of a test file, with lines as 45461667 11, with the exact ones; exit code 1 if any differs"
    )
    parser.add_argument("--check", action="store_true", help=text)
    parser.add_argument("--all", action="store_true", help="also print the score of every column, . for a full one")
    text = "for one position that takes hours: a file from which the same command continues, even after kill -9"
    add_options(parser, "checkpoint", help=text)
    add_options(parser, "seconds", help="limit of wall-clock time per position; unknown scores are printed as ?")
    add_options(parser, "nodes", help="limit of searched nodes per position")
    add_rules(parser)
    add_options(parser, "first", "from")
    parser.set_defaults(file_option="--file")
    add_options(parser, "threads", default=None)
    add_options(parser, "json", "executor")


def run(args: argparse.Namespace) -> int:
    """Print one line per position, or write a table. Exit code 2 if a position is invalid."""
    if args.positions and args.file is not None:
        raise UsageError("give either positions or --file")
    if args.positions == ["-"]:
        args.positions = []
    name = "-" if args.file is None else args.file
    lines: Iterable[PositionLine] = lines_of_file(name, digits_from=args.digits_from)
    if args.positions:
        lines = [PositionLine(place, 0, text) for place, text in enumerate(args.positions)]
    elif name != "-":
        lines = [*lines]
    for option, work, others in (("out", write_table, ()), ("check", check_scores, ("all", "out"))):
        if getattr(args, option):
            for name in ("seconds", "nodes", "json", "checkpoint", "threads", *others):
                if getattr(args, name):
                    raise UsageError(f"--{name} can't be combined with --{option}")
            return work(args, list(lines))
    if args.checkpoint is not None and len(args.positions) != 1:
        raise UsageError("--checkpoint is for one position")
    if args.executor != "threads":
        raise UsageError("--executor is for --out and --check")
    args.threads = 1 if args.threads is None else args.threads
    require_output(args, "checkpoint")
    return for_each(args, lines, _reader(args, lines), partial(_solve_one, args)) or OK


def _reader(
    args: argparse.Namespace, lines: Iterable[PositionLine]
) -> Callable[[PositionLine], tuple[Board, int | None]]:
    """Reads a line as `board_of_line` does; in a test file even 4 2 is a position and its score."""
    if args.check or (isinstance(lines, list) and any(is_test_line(line.text) for line in lines)):
        return lambda line: board_of_line(args, replace(line, text=with_sign(line.text)))
    return partial(board_of_line, args)


def _solve_one(args: argparse.Namespace, source: PositionLine, read: tuple[Board, int | None]) -> None:
    board, claim = read
    source = source if claim is None else replace(source, text=source.text.rsplit(maxsplit=1)[0])
    solver = Solver(board.rules, threads=args.threads)
    with continued(args, args.checkpoint):
        solution = solver.solve(
            board,
            columns=args.all,
            max_nodes=args.nodes,
            seconds=args.seconds,
            on_progress=None if args.checkpoint is None else _reports(),
            checkpoint=args.checkpoint,
        )
    if args.json:
        print_json(_fields(args, source, solution))
        return
    scores = [solution.score, *(solution.columns or ())]
    texts = ["?" if score is None else str(score) for score in scores]
    for column in {*range(len(scores) - 1)} - {*board.legal_columns}:
        texts[1 + column] = "."
    show(" ".join([source.text, *texts]).strip())


def _reports() -> Callable[[int], None]:
    """Says on standard error once a minute how much a solve with a checkpoint has searched."""
    timer = Timer(None, SAVE_EVERY)

    def report(nodes: int) -> None:
        rate = nodes / max(timer.elapsed, 1e-9) / 1e6
        timer.poll(lambda: say(f"{nodes:,} nodes, {rate:.2f} million a second"))

    return report


def _fields(args: argparse.Namespace, source: PositionLine, solution: Solution) -> dict[str, object]:
    about = provenance(
        backend=backend_of(args),
        rules=solution.board.rules,
        limits={"seconds": args.seconds, "nodes": args.nodes},
        threads=args.threads,
        point_of_view="player_to_move",
    )
    fields = {name: getattr(solution, name) for name in ("score", "distance", "columns", "best", "nodes", "seconds")}
    return {**about, **source.fields(), "board": solution.board.to_fen(), **fields}


def _read_all(args: argparse.Namespace, lines: list[PositionLine]) -> list[tuple[Board, int | None] | UsageError]:
    """The board of each line, of the same rules, and its score; or why there is none, which is reported."""
    read, rules = _reader(args, lines), args.rules
    readings: list[tuple[Board, int | None] | UsageError] = []
    for source in lines:
        try:
            board, score = read(source)
            rules = rules or board.rules
            if board.rules != rules:
                raise UsageError(f"{brief(source.text)}: rules {board.rules} in a table for {rules}")
            if args.check and score is None:
                raise UsageError(f"{brief(source.text)}: there is no score after the moves")
            readings.append((board, score))
        except UsageError as error:
            readings.append(error)
            say(f"c4mcts solve: {source.where}{error}")
    return readings


def check_scores(args: argparse.Namespace, items: list[PositionLine]) -> int:
    """Compare the scores in the lines of a test file with the exact ones, and print those that differ.

    Exit code 1 if there are any, 2 if a line could not be read or has no score.
    """
    lines = [(line, *read) for line, read in zip(items, _read_all(args, items), strict=True) if isinstance(read, tuple)]
    with executor_of(args) as executor:
        boards = [board for _, board, _ in lines]
        exact = solve_many(boards, executor=executor, progress=sys.stderr.isatty()).scores.tolist()
    wrong = [(line, right) for (line, _, score), right in zip(lines, exact, strict=True) if score != right]
    for line, right in wrong:
        show(f"{line.where}{line.text}: the exact score is {right}")
    show(f"{len(lines) - len(wrong):,} of {counted(len(lines), 'score agrees', 'scores agree')}")
    if len(lines) < len(items):
        return USAGE
    return FAILED if wrong else OK


def write_table(args: argparse.Namespace, lines: list[PositionLine]) -> int:
    """Solve all positions and write the table. Exit code 2 if one could not be read; it has its error in the table."""
    require_output(args, "out", ".csv", ".parquet")
    read = _read_all(args, lines)
    boards = [each[0] for each in read if isinstance(each, tuple)]
    checkpoint = Path(args.out + ".checkpoint")
    with continued(args, checkpoint), executor_of(args) as executor:
        solutions = solve_many(
            boards,
            columns=bool(args.all),
            executor=executor,
            progress=progress_of(args),
            checkpoint=checkpoint,
        )
    scores = np.column_stack([solutions.scores, solutions.columns])
    names = ["score", *(f"column_{i}" for i in range(scores.shape[1] - 1))]
    solved = zip(scores.tolist(), solutions.nodes.tolist(), strict=True)
    rows = []
    for source, each in zip(lines, read, strict=True):
        wrong = "" if isinstance(each, tuple) else str(each)
        numbers, nodes = ([NO_SCORE] * len(names), 0) if wrong else next(solved)
        row = [None if number == NO_SCORE else number for number in numbers]
        rows.append({"position": source.text, **dict(zip(names, row, strict=True)), "nodes": nodes, "error": wrong})
    write_rows(args.out, rows)
    checkpoint.unlink(missing_ok=True)
    refused = len(lines) - len(boards)
    show(f"written: {args.out}, {counted(len(boards), 'position')} solved, {refused:,} with an error")
    return USAGE if refused else OK
