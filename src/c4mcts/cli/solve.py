"""Solve positions exactly: given as arguments, or one per line on standard input."""

import argparse
import sys
from collections.abc import Iterator

from ..board.board import Board
from ..solver.solution import Solution, solve
from .arguments import UsageError, add_backend, add_json, backend_of, count, print_json, usage_errors
from .position import add_rules, from_file, read_line, rules_of
from .streams import say


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
    parser.add_argument("--all", action="store_true", help="print the score of every column too, . for a full one")
    words = "time limit for each position; ? is printed for an unknown score"
    parser.add_argument("--seconds", type=float, metavar="S", help=words)
    parser.add_argument("--nodes", type=count, metavar="N", help="limit of searched nodes for each position")
    add_rules(parser)
    add_backend(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print a line for each position: its name, its score, and with --all the score of every column."""
    backend_of(args)
    rules_of(args)  # report wrong rules before the first position is read
    failed = False
    for name, board in boards(args):
        if isinstance(board, str):
            failed = True
            sys.stdout.flush()
            say(f"c4mcts solve: {board}")
            continue
        with usage_errors("--"):
            solution = solve(board, columns=args.all, max_nodes=args.nodes, seconds=args.seconds, backend=args.backend)
        if args.json:
            print_json(fields(name, solution))
        else:
            print(line(name, solution), flush=True)
    return 2 if failed else 0


def boards(args: argparse.Namespace) -> Iterator[tuple[str, Board | str]]:
    """Pairs of a position as it was given and its board, or an error message in place of the board."""
    name = next((given for given in (args.moves, args.fen, args.start) if given is not None), None)
    if name is not None:
        if args.positions:
            raise UsageError("--moves, --fen and --start replace the position: give only one of them")
        yield name, read(args, name)
        return
    for name in args.positions or first_words():
        yield name, read(args, name)


def first_words() -> Iterator[str]:
    """The first word of each line of standard input; an empty line is the empty board."""
    while (line := read_line()) is not None:
        yield (line.split() or [""])[0]


def read(args: argparse.Namespace, name: str) -> Board | str:
    """The board of one position as it was given, or an error message."""
    try:
        if args.start is not None:
            board = from_file(args)
        elif args.fen is not None:
            board = Board.from_fen(name)
        elif args.moves is not None:
            board = Board.from_text(name, rules_of(args))
        else:
            board = Board.from_pons(name, rules_of(args))
    except ValueError as error:
        return f"{name!r}: {error}"
    return f"{name!r}: the game is over" if board.is_over() else board


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


def fields(name: str, solution: Solution) -> dict[str, object]:
    """The object that --json prints."""
    return {
        "position": name,
        "board": solution.board.to_fen(),
        "score": solution.score,
        "distance": solution.distance,
        "columns": solution.columns,
        "best": solution.best,
        "nodes": solution.nodes,
        "seconds": solution.seconds,
    }
