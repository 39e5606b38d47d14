"""Positions and rules as options and as lines of a file or of standard input, and the boards built from them."""

import argparse
import os
import re
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TextIO

from ..board.board import Board
from ..board.notation import read_drawing
from ..rules import Rules
from .arguments import UsageError, usage_errors

MAX_CHARACTERS = 100_000  # of a --start file or an input line; a 64 x 64 board with separators has a tenth
FEN = re.compile(r"\S+\s+[xo]\s+[0-9]+x[0-9]+x[0-9]+(\s+no-diagonals)?")


def add_position(parser: argparse.ArgumentParser, lines: bool = False) -> None:
    """Add the four ways to give a position, and the rules. lines: whether the command also reads standard input."""
    position = parser.add_argument_group("position (default: the empty board)").add_mutually_exclusive_group()
    words = "moves as digits, columns from 1: 4453; or with commas, from 0: 3,3,4,2; or a FEN"
    if lines:
        words += "; - for lines of standard input, each with a position; a pipe or a file there needs no -"
    position.add_argument("position", nargs="?", help=words)
    position.add_argument("--moves", metavar="C,C,...", help="moves as Python has them, columns from 0: 3,3,4")
    position.add_argument("--fen", help="one line, as `analyze --json` prints it: '7/7/7/7/7/2xo3 x 7x6x4'")
    position.add_argument(
        "--start",
        metavar="FILE",
        help="a text file with a FEN or a board, top row first, of . x o or 0 1 2; - is stdin",
    )
    add_rules(parser)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the options for the size of the board and what wins."""
    rules = parser.add_argument_group("rules")
    rules.add_argument("--width", type=int, metavar="N", help="columns (default 7)")
    rules.add_argument("--height", type=int, metavar="N", help="rows (default 6)")
    rules.add_argument("--connect", type=int, metavar="N", help="discs in a row that win (default 4)")
    rules.add_argument("--no-diagonals", action="store_true", help="diagonal lines don't win")


def rules_of(args: argparse.Namespace, width: int = 7, height: int = 6) -> Rules:
    """The rules that the options give; width, height: used where the options don't give them."""
    with usage_errors("--"):
        return Rules(
            width=width if args.width is None else args.width,
            height=height if args.height is None else args.height,
            connect=4 if args.connect is None else args.connect,
            diagonals=not args.no_diagonals,
        )


def board_of(args: argparse.Namespace) -> Board:
    """The board that the options give."""
    if args.fen is not None:
        return from_fen(args, args.fen, f"--fen {args.fen!r}: ")
    if args.start is not None:
        return from_file(args)
    rules = rules_of(args)
    if args.moves is not None:
        with usage_errors(f"--moves {args.moves!r}: "):
            return Board.from_text(args.moves, rules)
    if not args.position:
        return Board(rules)
    return parsed(args, args.position, f"position {args.position!r}: ")


def unfinished_board_of(args: argparse.Namespace) -> Board:
    """The board that the options give. UsageError if the game is over."""
    return unfinished(board_of(args))


def unfinished(board: Board) -> Board:
    """The board. UsageError if the game is over."""
    outcome = board.outcome()
    if outcome is None:
        return board
    ends = {None: "it is a draw", 0: "the first player (x) has won", 1: "the second player (o) has won"}
    raise UsageError(f"the game is over: {ends[outcome.winner]}")


def parsed(args: argparse.Namespace, text: str, prefix: str) -> Board:
    """The board of a text as Board.parse reads it. UsageError, also if an option for the rules contradicts the text."""
    with usage_errors(prefix):
        if not ("/" in text or ":" in text):  # it names no rules
            return Board.parse(text, rules_of(args))
        board = Board.parse(text)
    return agreed(args, board)


def from_fen(args: argparse.Namespace, fen: str, prefix: str) -> Board:
    """The board of a FEN. UsageError, also if an option for the rules contradicts it."""
    with usage_errors(prefix):
        board = Board.from_fen(fen)
    return agreed(args, board)


def agreed(args: argparse.Namespace, board: Board) -> Board:
    """The board of a text that names its rules. UsageError if an option contradicts them."""
    if rules_of(args, board.rules.width, board.rules.height) != board.rules:
        given = {"width": args.width, "height": args.height, "connect": args.connect}
        for name, value in given.items():
            if value is not None and value != getattr(board.rules, name):
                raise UsageError(f"--{name} {value} contradicts the position, which says {board.rules}")
        if args.no_diagonals and board.rules.diagonals:
            raise UsageError(f"--no-diagonals contradicts the position, which says {board.rules}")
    return board


def from_file(args: argparse.Namespace) -> Board:
    """The board of a --start file, which holds a FEN or the rows of the board."""
    prefix = f"--start {args.start}: "
    lines = [line.strip() for line in read_text(args.start, prefix).splitlines() if line.strip()]
    if not lines:
        raise UsageError(f"{prefix}the file is empty")
    if len(lines) == 1 and re.search(r"\s[0-9]+x[0-9]+x[0-9]+", lines[0]):
        return from_fen(args, lines[0], prefix)
    with usage_errors(prefix):
        grid = read_drawing("\n".join(lines))
        return Board.from_array(grid, rules_of(args, max(map(len, grid)), len(grid)))


def read_text(name: str, prefix: str) -> str:
    """The text of a file, or of standard input if the name is "-". UsageError."""
    try:
        if name == "-":
            text = sys.stdin.read(MAX_CHARACTERS + 1)
        else:
            with open(name, encoding="utf-8", errors="replace") as file:
                text = file.read(MAX_CHARACTERS + 1)
    except (OSError, ValueError) as error:  # ValueError: not a possible file name
        raise UsageError(f"{prefix}{getattr(error, 'strerror', None) or error}") from None
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

    def fields(self) -> dict[str, Any]:
        """The keys that tell in JSON which line a record belongs to."""
        return {"index": self.index, "line": self.number, "position": self.text}


class Given(NamedTuple):
    """A position as it was given."""

    source: PositionLine  # its text and its place; the line number is 0 if it is an argument
    board: Board | None  # None if there is an error
    error: str = ""

    @property
    def where(self) -> str:
        """The line number, for a message; nothing for an argument."""
        number = self.source.number
        return f"line {number}: " if number else ""


def wants_lines(args: argparse.Namespace) -> bool:
    """Whether standard input has the positions: the position is "-", or there is none, and input is a pipe or a file.

    A terminal, and devices such as /dev/null, are only read for "-".
    """
    if args.position is not None:
        return bool(args.position == "-")
    return args.moves is None and args.fen is None and args.start is None and _input_is_data()


def _input_is_data() -> bool:
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError):  # closed, or no real file
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)


def lines_of_file(name: str, option: str = "--file") -> Iterator[PositionLine]:
    """The lines of a file that are not blank; "-" is standard input. UsageError if it can't be read.

    option: what gave the name, for the error.
    """
    if name == "-":
        yield from position_lines(sys.stdin)
        return
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            yield from position_lines(file)
    except (OSError, ValueError) as error:  # ValueError: not a possible file name
        raise UsageError(f"{option} {name}: {getattr(error, 'strerror', None) or error}") from None


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
