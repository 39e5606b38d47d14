"""Positions and rules as options and as lines of a file or of standard input, and the boards built from them."""

import argparse
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TextIO, TypeVar

from ..board.board import Board
from ..board.notation import read_rules
from ..rules import Rules
from .arguments import UsageError, print_json, reason, usage_errors
from .process import OK, USAGE, say

MAX_CHARACTERS = 100_000  # of a --start file or an input line; a 64 x 64 board with separators has a tenth
FEN = re.compile(r"\S+\s+[xo]\s+[0-9]+x[0-9]+x[0-9]+(\s+no-diagonals)?")
FEN_END = r"\s[0-9]+x[0-9]+x[0-9]+"  # in none of the rows of a drawing
T = TypeVar("T")
MOVES = "moves as digits, columns from 1: 4453; or separated by commas, columns from 0: 3,3,4,2"


def add_position(parser: argparse.ArgumentParser, lines: bool = False) -> None:
    """Add the two ways to give a position, and --rules. lines: whether the command also reads standard input."""
    group = parser.add_argument_group("position (default: the empty board)")
    position = group.add_mutually_exclusive_group()
    words = f"{MOVES}; or a FEN: '7/7/7/7/7/2xo3 x 7x6x4'"
    if lines:
        words += "; - reads one position per line from standard input (the default if that is a pipe or a file)"
    position.add_argument("position", nargs="?", help=words)
    add_start(position)
    add_rules(group)


def add_start(parser: argparse._ActionsContainer) -> None:
    words = "text file with a FEN, or with rows of . x o or 0 1 2, the top row first; - is standard input"
    parser.add_argument("--start", metavar="FILE", help=words)


def add_rules(parser: argparse._ActionsContainer) -> None:
    words = "columns x rows x winning length: 8x7, 9x7x5, 9x7x5-no-diagonals (default 7x6x4)"
    parser.add_argument("--rules", type=rules_of, metavar="WxHxK", help=words)


def rules_of(text: str) -> Rules:
    """Parse the argument of --rules: 8x7, 8x7x4 or 8x7x4-no-diagonals. ArgumentTypeError."""
    found = re.fullmatch("([0-9]+x[0-9]+)(x[0-9]+)?(?:[ -](no-diagonals))?", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"must look like 7x6, 7x6x4 or 7x6x4-no-diagonals, not {text!r}")
    size, connect, flag = found.groups()
    try:
        return read_rules(" ".join([size + (connect or f"x{Rules().connect}"), *filter(None, [flag])]))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}") from None


def board_of(args: argparse.Namespace) -> Board:
    if args.start is not None:
        return board_of_file(args)
    return parsed(args, args.position or "", f"position {args.position!r}: ")


def unfinished(board: Board) -> Board:
    """The board. UsageError if the game is over."""
    outcome = board.outcome()
    if outcome is None:
        return board
    ends = {None: "it is a draw", 0: "the first player (x) has won", 1: "the second player (o) has won"}
    raise UsageError(f"the game is over: {ends[outcome.winner]}")


def parsed(args: argparse.Namespace, text: str, prefix: str) -> Board:
    """The board of a text as Board.parse reads it. UsageError, also if --rules contradicts the text."""
    with usage_errors(prefix):
        return Board.parse(text, args.rules)


def board_of_file(args: argparse.Namespace, option: str = "--start", name: str | None = None) -> Board:
    """The board of a file, by default that of --start, which holds a FEN or the rows of the board. UsageError.

    option: which named the file.
    """
    name = args.start if name is None else name
    prefix = f"{option} {name}: "
    text = read_text(name, prefix).strip()
    if not text:
        raise UsageError(f"{prefix}the file is empty")
    with usage_errors(prefix):
        return Board.parse(text, args.rules, "fen" if re.search(FEN_END, text) else "drawing")


@contextmanager
def opened(name: str, prefix: str) -> Iterator[TextIO]:
    """Open a file to read its text; "-" is standard input. UsageError if the file can't be read."""
    if name == "-":
        yield sys.stdin
        return
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            yield file
    except (OSError, ValueError) as error:  # ValueError: not a possible file name
        raise UsageError(f"{prefix}{reason(error)}") from None


def read_text(name: str, prefix: str) -> str:
    """The text of a file, or of standard input if the name is "-". UsageError."""
    with opened(name, prefix) as file:
        text = file.read(MAX_CHARACTERS + 1)
    if "\N{REPLACEMENT CHARACTER}" in text:
        raise UsageError(f"{prefix}it is not UTF-8 text")
    if len(text) > MAX_CHARACTERS:
        raise UsageError(f"{prefix}it has more than {MAX_CHARACTERS:,} characters")
    return text


def read_line() -> str | None:
    """The next line of standard input; None at its end. UsageError if the line is too long."""
    line = sys.stdin.readline(MAX_CHARACTERS + 1)
    if len(line) > MAX_CHARACTERS:
        raise UsageError(f"a line of standard input has more than {MAX_CHARACTERS:,} characters")
    return line or None


@dataclass(frozen=True, slots=True)
class PositionLine:
    """A line that is not blank. Of a line that is too long, `text` is the beginning."""

    index: int  # among the lines that are not blank, from 0
    number: int  # among all lines, from 1
    text: str
    is_too_long: bool = False

    @property
    def name(self) -> str:
        """The position alone: a FEN, or else the first word."""
        fen = FEN.match(self.text)
        return fen[0] if fen is not None else (self.text.split() or [""])[0]

    @property
    def where(self) -> str:
        """The line number, for a message; nothing for an argument, whose number is 0."""
        return f"line {self.number}: " if self.number else ""

    def fields(self) -> dict[str, Any]:
        """The JSON keys that say which line a record belongs to."""
        return {"index": self.index, "line": self.number, "position": self.text}


def wants_lines(args: argparse.Namespace) -> bool:
    """Whether to read positions from standard input: for "-", or without a position if input is a pipe or a file.

    Terminals, and devices such as /dev/null, are read only for "-".
    """
    if args.position is not None:
        return bool(args.position == "-")
    return args.start is None and input_is_data()


def input_is_data() -> bool:
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError):  # closed, or no real file
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)


def lines_of_file(name: str, option: str = "--file") -> Iterator[PositionLine]:
    """The lines of a file that are not blank; "-" is standard input. UsageError if it can't be read.

    option: what gave the name, for the error.
    """
    with opened(name, f"{option} {name}: ".lstrip()) as file:
        yield from position_lines(file)


def position_lines(file: TextIO) -> Iterator[PositionLine]:
    """The lines of an open file that are not blank."""
    index, number = 0, 0
    while line := file.readline(MAX_CHARACTERS + 1):
        number += 1
        too_long = len(line) > MAX_CHARACTERS
        text = line[:100] if too_long else line.strip()
        while len(line) > MAX_CHARACTERS and not line.endswith("\n"):
            line = file.readline(MAX_CHARACTERS + 1)
        if text:
            yield PositionLine(index, number, text, too_long)
            index += 1


def board_of_line(args: argparse.Namespace, line: PositionLine) -> Board:
    """The board of a line: a FEN, or else its first word, as Board.parse reads it. UsageError."""
    if line.is_too_long:
        raise UsageError(f"the line has more than {MAX_CHARACTERS:,} characters")
    return parsed(args, line.name, f"{line.name!r}: ")


def for_each(
    args: argparse.Namespace,
    lines: Iterable[PositionLine],
    read: Callable[[PositionLine], T],
    work: Callable[[PositionLine, T], object],
    fields: Callable[[PositionLine], dict[str, Any]] = PositionLine.fields,
) -> int | None:
    """Read and work on each line; returns the exit code, None if there are no lines.

    A line for which `read` raises ValueError or UsageError is reported; with --json it gets a record with its fields.
    """
    status = None
    for line in lines:
        status = OK if status is None else status
        try:
            found = read(line)
        except (UsageError, ValueError) as error:
            status = USAGE
            if args.json:
                print_json({**fields(line), "error": str(error)})
            sys.stdout.flush()
            say(f"c4mcts {args.command}: {line.where}{error}")
            continue
        work(line, found)
    return status
