"""Positions and rules as options and as lines of a file or of standard input, and the boards built from them."""

import argparse
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TextIO, TypeVar

from .._files import encoding_of
from .._validation import naming, shown
from ..board.board import Board
from ..board.notation import read_rules
from ..rules import Rules
from .arguments import add_options, print_json, usage_errors
from .messages import OK, USAGE, UsageError, say

T = TypeVar("T")
RULES = "columns x rows x winning length: 8x7, 9x7x5, 9x7x5-no-diagonals (default 7x6x4)"
ZERO = re.compile(r"(?![012]{20})(?=[1-9]*0)[0-9]+(?:[ \t]+[+-]?[0-9]+)?")  # a 0 among moves; no cells of a board
MOVES = "moves as digits, columns from 1: 4453; or separated by commas, columns from 0: 3,3,4,2"


def add_position(parser: argparse.ArgumentParser, *, lines: bool = False, **rules: Any) -> None:
    """Add the position, --start and --rules. lines: whether the command also reads standard input.

    rules: what is different of the option --rules.
    """
    group = parser.add_argument_group("position (default: the empty board)")
    words = f"{MOVES}; or another text, such as a link or a FEN: '7/7/7/7/7/2xo3 x 7x6x4'"
    if lines:
        words += "; - reads one position per line from standard input (the default if that is a pipe or a file)"
    position = group.add_mutually_exclusive_group()
    position.add_argument("position", nargs="?", help=words)
    parser.set_defaults(file_option="--start")
    words = "text file with a position in any form, such as a drawn board, the top row first; - is standard input"
    position.add_argument("--start", metavar="FILE", help=words)
    add_rules(group, **rules)
    add_options(group, "first", "from")


def add_rules(parser: argparse._ActionsContainer, **changes: Any) -> None:
    """Add --rules. changes: what is different of it."""
    options: dict[str, Any] = {"type": rules_of, "metavar": "WxHxK", "help": RULES}
    parser.add_argument("--rules", **{**options, **changes})


def rules_of(text: str) -> Rules:
    """Parse the argument of --rules: 8x7, 8x7x4 or 8x7x4-no-diagonals. ArgumentTypeError."""
    with naming("", argparse.ArgumentTypeError):
        return read_rules(text)


def board_of(args: argparse.Namespace) -> Board:
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


def parsed(args: argparse.Namespace, text: str, prefix: str, has_score: bool = False) -> tuple[Board, int | None]:
    """The board of a text as Board.parse reads it, and the score of a test line. UsageError.

    has_score: see move_texts.Hints.
    """
    with text_errors(args, text, prefix):
        return Board._read(text, args.rules, args.first, args.digits_from, has_score)


@contextmanager
def text_errors(args: argparse.Namespace, text: str, prefix: str) -> Iterator[None]:
    """Turn a ValueError of what reads a text into a UsageError, which says so if the text is the name of a file."""
    with usage_errors(prefix):
        try:
            yield
        except ValueError:
            if os.path.isfile(text):
                raise UsageError(f"{shown(text)} is a file: give it with {args.file_option}") from None
            raise


def board_of_file(args: argparse.Namespace, option: str, name: str) -> Board:
    """The board of a file with one position. option: what gave the name. UsageError, also if the game is over."""
    prefix = f"{option} {name}: "
    with opened(name, prefix) as file:
        text = file.read()
    if not text.strip():
        raise UsageError(f"{prefix}the file is empty")
    return unfinished(parsed(args, text, prefix)[0])


@contextmanager
def opened(name: str, prefix: str) -> Iterator[TextIO]:
    """Open a file to read its text, UTF-8 or what its byte order mark says; "-" is standard input.

    UsageError if the file can't be read.
    """
    with ExitStack() as stack:
        try:
            file = sys.stdin if name == "-" else stack.enter_context(open(name, encoding="utf-8"))
            if isinstance(file, io.TextIOWrapper):  # which standard input is not where something stands in for it
                file.reconfigure(encoding=encoding_of(file.buffer.peek(2)), errors="replace", newline=None)
        except (OSError, ValueError) as error:  # ValueError: not a possible file name
            raise UsageError(f"{prefix}{getattr(error, 'strerror', None) or error}") from None
        yield file


@dataclass(frozen=True, slots=True)
class PositionLine:
    """A line that is not blank."""

    index: int  # among the lines that are not blank, from 0
    number: int  # among all lines, from 1; 0 for an argument
    text: str

    @property
    def where(self) -> str:
        """The line number, for a message; nothing for an argument."""
        return f"line {self.number}: " if self.number else ""

    def fields(self) -> dict[str, Any]:
        return {"index": self.index, "line": self.number, "position": self.text}


def input_is_data() -> bool:
    """Whether standard input is a pipe or a file, and no terminal or device such as /dev/null."""
    with suppress(OSError, ValueError):  # closed, or no real file
        mode = os.fstat(sys.stdin.fileno()).st_mode
        return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)
    return False


def lines_of_file(name: str, option: str = "--file", digits_from: int | None = None) -> Iterator[PositionLine]:
    """The lines of a file that are not blank; "-" is standard input. JSON may go on over all lines. UsageError.

    option: what gave the name. digits_from: of --from, if the command has it. A file with a 0 in a string of digits
    counts columns from 0 in all of them: without --from 0 it is refused, standard input when that line is reached.
    """

    def counted_from_1(line: PositionLine) -> PositionLine:
        if digits_from != 0 and ZERO.fullmatch(line.text):
            words = f"{line.where}there is a 0, so the strings of digits in this file count columns from 0"
            raise UsageError(f"{option} {name}: {words}: {'use commas' if digits_from is None else 'add --from 0'}")
        return line

    with opened(name, f"{option} {name}: ") as file:
        lines = map(counted_from_1, _lines_of(file))
        yield from lines if name == "-" else [*lines]


def _lines_of(file: TextIO) -> Iterator[PositionLine]:
    index = 0
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        is_part = line.lstrip()[0] in "{[" and len(re.findall(r"[{\[]", line)) > len(re.findall(r"[}\]]", line))
        yield PositionLine(index, number, (line + file.read() if is_part else line).strip())
        index += 1


def board_of_line(args: argparse.Namespace, line: PositionLine, has_score: bool = False) -> tuple[Board, int | None]:
    """As `parsed`, for a line. UsageError, also if the game is over."""
    prefix = f"{shown(line.text)}: "
    board, score = parsed(args, line.text, prefix, has_score)
    return unfinished(board, prefix), score


def for_each(
    args: argparse.Namespace,
    lines: Iterable[PositionLine],
    read: Callable[[PositionLine], T],
    work: Callable[[PositionLine, T], object],
    fields: Callable[[PositionLine], dict[str, Any]] = PositionLine.fields,
) -> int | None:
    """Read and work on each line; returns the exit code, None if there are no lines.

    A line for which `read` raises UsageError is reported; with --json it gets a record with its fields.
    """
    status = None
    for line in lines:
        status = OK if status is None else status
        try:
            found = read(line)
        except UsageError as error:
            status = USAGE
            if args.json:
                print_json({**fields(line), "error": str(error)})
            say(f"c4mcts {args.command}: {line.where}{error}")
            continue
        work(line, found)
    return status
