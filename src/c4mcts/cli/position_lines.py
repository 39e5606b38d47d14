"""Positions on standard input or in a file, one a line."""

import argparse
import os
import re
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TextIO

from ..board.board import Board
from .arguments import UsageError
from .position import MAX_CHARACTERS, parsed

FEN = re.compile(r"\S+\s+[xo]\s+[0-9]+x[0-9]+x[0-9]+(\s+no-diagonals)?")


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
