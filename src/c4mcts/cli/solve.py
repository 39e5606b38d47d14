"""Solve positions exactly: given as arguments, or one per line in a file or on standard input."""

import argparse
import sys
from collections.abc import Iterator
from typing import NamedTuple

from ..board.board import Board
from ..solver.solution import Solution, solve
from .arguments import UsageError, add_backend, add_json, backend_of, count, print_json, usage_errors
from .executor import add_executor
from .position import add_rules, from_file, read_lines, rules_of
from .solve_table import write_table
from .streams import say


class Given(NamedTuple):
    """A position as it was given."""

    place: int  # among all given positions, from 0
    where: str  # for messages: the text, and the line number if it is from a file
    text: str
    board: Board | None  # None if there is an error
    error: str = ""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "positions",
        nargs="*",
        metavar="position",
        help="moves as digits, columns from 1; without any, the first word of each line of standard input",
    )
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--moves", metavar="C,C,...", help="one position as numbers, columns from 0")
    one.add_argument("--fen", help="one position as a FEN, which has its own rules")
    one.add_argument("--start", metavar="FILE", help="one position in a text file, as for analyze")
    one.add_argument("--file", metavar="FILE", help="positions, the first word of each line; - is standard input")
    words = "write a table, .csv, .npz or .parquet, of all positions instead: faster, and continued if interrupted"
    parser.add_argument("--out", metavar="FILE", help=words)
    parser.add_argument("--all", action="store_true", help="the score of every column too, . for a full one")
    parser.add_argument("--no-book", action="store_true", help="search positions that are in the book too")
    words = "time limit for each position; ? is printed for an unknown score"
    parser.add_argument("--seconds", type=float, metavar="S", help=words)
    parser.add_argument("--nodes", type=count, metavar="N", help="limit of searched nodes for each position")
    add_rules(parser)
    add_backend(parser)
    add_json(parser)
    add_executor(parser)


def run(args: argparse.Namespace) -> int:
    """Print a line for each position, or write a table of all. Exit code 2 if one could not be read."""
    backend_of(args)
    rules_of(args)  # report wrong rules before the first position is read
    if args.out is not None:
        for name in ("seconds", "nodes", "json"):
            if getattr(args, name):
                raise UsageError(f"--{name} can't be combined with --out")
        return write_table(args, list(boards(args)))
    failed = False
    for given in boards(args):
        if given.board is None:
            failed = True
            report(args, given)
            continue
        with usage_errors("--"):
            solution = solve(
                given.board,
                columns=args.all,
                book=not args.no_book,
                max_nodes=args.nodes,
                seconds=args.seconds,
                backend=args.backend,
            )
        if args.json:
            print_json(fields(given, solution))
        else:
            print(line(given.text, solution), flush=True)
    return 2 if failed else 0


def report(args: argparse.Namespace, given: Given) -> None:
    """Report a position that could not be read: with --json also as a record, so that there is one for each."""
    if args.json:
        print_json({"index": given.place, "position": given.text, "error": given.error})
    sys.stdout.flush()
    say(f"c4mcts solve: {given.where}: {given.error}")


def boards(args: argparse.Namespace) -> Iterator[Given]:
    """The positions that are given; blank lines are skipped."""
    name = next((given for given in (args.moves, args.fen, args.start) if given is not None), None)
    if args.positions and (name is not None or args.file is not None):
        raise UsageError("--moves, --fen, --start and --file replace the position: give only one of them")
    if name is not None:
        yield read(args, 0, repr(name), name)
    elif args.positions:
        for place, text in enumerate(args.positions):
            yield read(args, place, repr(text), text)
    else:
        place = 0
        for number, text in enumerate(read_lines(args.file or "-", "--file "), start=1):
            if words := text.split():
                yield read(args, place, f"line {number}: {words[0]!r}", words[0])
                place += 1


def read(args: argparse.Namespace, place: int, where: str, text: str) -> Given:
    """Read one position."""
    try:
        if args.start is not None:
            board = from_file(args)
        elif args.fen is not None:
            board = Board.from_fen(text)
        elif args.moves is not None:
            board = Board.from_text(text, rules_of(args))
        else:
            board = Board.from_pons(text, rules_of(args))
    except ValueError as error:
        return Given(place, where, text, None, f"{error}")
    if board.is_over():
        return Given(place, where, text, None, "the game is over")
    return Given(place, where, text, board)


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


def fields(given: Given, solution: Solution) -> dict[str, object]:
    """The object that --json prints."""
    return {
        "index": given.place,
        "position": given.text,
        "board": solution.board.to_fen(),
        "score": solution.score,
        "distance": solution.distance,
        "columns": solution.columns,
        "best": solution.best,
        "nodes": solution.nodes,
        "seconds": solution.seconds,
    }
