"""Solve positions exactly, given as arguments, in a file or on standard input."""

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from .. import _files
from .._timer import Timer
from .._validation import shown
from ..board.board import Board
from ..facts import facts
from ..solver.book import NO_SCORE
from ..solver.bulk import solve_many
from ..solver.solution import Solution
from ..solver.solver import SAVE_EVERY, Solver
from .arguments import add_options, backend_of, continued, executor_of, print_json, require_output
from .messages import OK, USAGE, UsageError, say
from .output import show
from .positions import MOVES, PositionLine, add_rules, board_of_line, for_each, lines_of_file


def add(parser: argparse.ArgumentParser) -> None:
    words = f"{MOVES}; or a FEN; -, or none: one position per line of standard input"
    parser.add_argument("positions", nargs="*", metavar="position", help=words)
    parser.add_argument("--file", metavar="FILE", help="file with one position per line; - is standard input")
    words = "write a table to a .csv file instead: faster for many positions, and resumable"
    parser.add_argument("--out", metavar="FILE", help=words)
    parser.add_argument("--all", action="store_true", help="also print the score of every column, . for a full one")
    words = "for one position that takes hours: a file from which the same command continues, even after kill -9"
    add_options(parser, "checkpoint", help=words)
    add_options(parser, "seconds", help="limit of wall-clock time per position; unknown scores are printed as ?")
    add_options(parser, "nodes", help="limit of searched nodes per position")
    add_rules(parser)
    add_options(parser, "first", "from")
    parser.set_defaults(file_option="--file")
    add_options(parser, "threads", "json", "executor")


def run(args: argparse.Namespace) -> int:
    """Print one line per position, or write a table. Exit code 2 if a position is invalid."""
    if args.positions and args.file is not None:
        raise UsageError("give either positions or --file")
    if args.positions == ["-"]:
        args.positions = []
    name = "-" if args.file is None else args.file
    given: Iterable[PositionLine] = lines_of_file(name, digits_from=args.digits_from)
    if args.positions:
        given = [PositionLine(place, 0, text) for place, text in enumerate(args.positions)]
    if args.out is not None:
        for name in ("seconds", "nodes", "json", "checkpoint"):
            if getattr(args, name):
                raise UsageError(f"--{name} can't be combined with --out")
        return write_table(args, list(given))
    if args.checkpoint is not None and len(args.positions) != 1:
        raise UsageError("--checkpoint is for one position")
    require_output(args, "checkpoint")
    return for_each(args, given, partial(board_of_line, args), partial(_solve_one, args)) or OK


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
            on_progress=None if args.checkpoint is None else _reports(solver),
            checkpoint=args.checkpoint,
        )
    if args.json:
        print_json(_fields(args, source, solution))
        return
    scores = [solution.score, *(solution.columns or ())]
    words = ["?" if score is None else str(score) for score in scores]
    for column in {*range(len(scores) - 1)} - {*board.legal_columns}:
        words[1 + column] = "."
    show(" ".join([source.text, *words]).strip())


def _reports(solver: Solver) -> Callable[[int], None]:
    """Says on standard error how far a solve with a checkpoint has come, when a window is done and once a minute."""
    timer, done = Timer(None, SAVE_EVERY), None

    def report(_: int) -> None:
        nonlocal done
        windows = solver.windows()
        assert windows is not None

        def tell() -> None:
            bounds = "" if windows.lower > windows.upper else f", score {windows.lower} to {windows.upper}"
            rate = windows.nodes / max(windows.seconds, 1e-9) / 1e6
            say(f"{windows.nodes:,} nodes, {rate:.2f} million a second, {windows.done} windows done{bounds}")

        if windows.done == done:
            timer.poll(tell)
        else:
            done = windows.done
            tell()

    return report


def _fields(args: argparse.Namespace, source: PositionLine, solution: Solution) -> dict[str, object]:
    about = facts(
        backend=backend_of(args),
        rules=solution.board.rules,
        limits={"seconds": args.seconds, "nodes": args.nodes},
        threads=args.threads,
        point_of_view="player_to_move",
    )
    found = {name: getattr(solution, name) for name in ("score", "distance", "columns", "best", "nodes", "seconds")}
    return {**about, **source.fields(), "board": solution.board.to_fen(), **found}


def write_table(args: argparse.Namespace, given: list[PositionLine]) -> int:
    """Solve all positions and write the table. Exit code 2 if one could not be read; it has its error in the table."""
    require_output(args, "out", ".csv")
    boards, errors = list[Board](), list[str]()
    for source in given:
        try:
            board, _ = board_of_line(args, source)
            if boards and board.rules != boards[0].rules:
                raise UsageError(f"{shown(source.text)}: rules {board.rules} in a table for {boards[0].rules}")
            boards.append(board)
            errors.append("")
        except UsageError as error:
            errors.append(str(error))
            say(f"c4mcts solve: {source.where}{error}")
    checkpoint = Path(args.out + ".checkpoint")
    with continued(args, checkpoint), executor_of(args) as executor:
        found = solve_many(
            boards,
            columns=bool(args.all),
            executor=executor,
            progress=sys.stderr.isatty(),
            checkpoint=checkpoint,
        )
    scores = np.column_stack([found.scores, found.columns])
    names = ["score", *(f"column_{i}" for i in range(scores.shape[1] - 1))]
    solved = zip(scores.tolist(), found.nodes.tolist(), strict=True)
    rows = []
    for source, wrong in zip(given, errors, strict=True):
        numbers, nodes = ([NO_SCORE] * len(names), 0) if wrong else next(solved)
        known = ["" if number == NO_SCORE else number for number in numbers]
        rows.append({"position": source.text, **dict(zip(names, known, strict=True)), "nodes": nodes, "error": wrong})
    _files.write(args.out, _files.csv_text(rows).encode())
    checkpoint.unlink(missing_ok=True)
    refused = len(given) - len(boards)
    show(f"written: {args.out}, {len(boards):,} positions solved, {refused:,} with an error")
    return USAGE if refused else OK
