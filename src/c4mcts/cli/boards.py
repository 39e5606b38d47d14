"""Positions and rules as options, and the boards of these and of lines."""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .._validation import brief, naming
from ..board.board import Board
from ..board.notation import read_rules
from ..rules import Rules
from .failures import UsageError, usage_errors
from .lines import PositionLine, opened
from .options import add_options

RULES = "columns x rows x winning length: 8x7, 9x7x5, 9x7x5-no-diagonals (default 7x6x4)"
MOVES = "moves as digits, columns from 1: 4453; or separated by commas, columns from 0: 3,3,4,2"


def add_position(parser: argparse.ArgumentParser, *, lines: bool = False, **rules: Any) -> None:
    """Add the position, --start and --rules. lines: whether the command also reads standard input.

    rules: changes to the option --rules.
    """
    group = parser.add_argument_group("position (default: the empty board)")
    text = f"{MOVES}; or another text, such as a link or a FEN: '7/7/7/7/7/2xo3 x 7x6x4'"
    if lines:
        text += "; - reads one position per line from standard input (the default if that is a pipe or a file)"
    position = group.add_mutually_exclusive_group()
    position.add_argument("position", nargs="?", help=text)
    parser.set_defaults(file_option="--start")
    text = "text file with a position in any form, such as a drawn board, the top row first; - is standard input"
    position.add_argument("--start", metavar="FILE", help=text)
    add_rules(group, **rules)
    add_options(group, "first", "from")


def add_rules(parser: argparse._ActionsContainer, **changes: Any) -> None:
    """Add --rules. changes: to its arguments."""
    options: dict[str, Any] = {"type": rules_of, "metavar": "WxHxK", "help": RULES}
    parser.add_argument("--rules", **{**options, **changes})


def rules_of(text: str) -> Rules:
    """Parse the argument of --rules: 8x7, 8x7x4 or 8x7x4-no-diagonals. ArgumentTypeError."""
    with naming("", argparse.ArgumentTypeError):
        return read_rules(text)


def start_board(args: argparse.Namespace) -> Board:
    """The board that the options give, by default the empty one. UsageError, also if the game is over."""
    if args.start is not None:
        return board_of_file(args, "--start", args.start)
    return unfinished(parsed(args, args.position or "", f"position {args.position!r}: ")[0])


def unfinished(board: Board, prefix: str = "") -> Board:
    """The board. UsageError, which begins with the prefix, if the game is over."""
    outcome = board.outcome()
    if outcome is None:
        return board
    ends = {None: "it is a draw", 0: "the first player (x) has won", 1: "the second player (o) has won"}
    raise UsageError(f"{prefix}the game is over: {ends[outcome.winner]}")


def parsed(args: argparse.Namespace, text: str, prefix: str) -> tuple[Board, int | None]:
    """The board of a text as Board.parse reads it, and the score of a test line. UsageError."""
    with text_errors(args, text, prefix):
        return Board._read(text, args.rules, args.first, args.digits_from)


@contextmanager
def text_errors(args: argparse.Namespace, text: str, prefix: str) -> Iterator[None]:
    """Turn a ValueError of what reads a text into a UsageError, which says so if the text is the name of a file."""
    with usage_errors(prefix):
        try:
            yield
        except ValueError:
            if os.path.isfile(text):
                raise UsageError(f"{brief(text)} is a file: give it with {args.file_option}") from None
            raise


def board_of_file(args: argparse.Namespace, option: str, name: str) -> Board:
    """The board of a file with one position. option: what gave the name. UsageError, also if the game is over."""
    prefix = f"{option} {name}: "
    with opened(name, prefix) as file:
        text = file.read()
    if not text.strip():
        raise UsageError(f"{prefix}the file is empty")
    return unfinished(parsed(args, text, prefix)[0])


def board_of_line(args: argparse.Namespace, line: PositionLine) -> tuple[Board, int | None]:
    """The board of a line, and the score if it is of a test file. UsageError, also if the game is over."""
    prefix = f"{brief(line.text)}: "
    board, score = parsed(args, line.text, prefix)
    return unfinished(board, prefix), score
