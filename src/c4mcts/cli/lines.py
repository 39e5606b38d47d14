"""Lines of a file or of standard input, each with a position, and the loop of a command over them."""

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
from .failures import OK, USAGE, UsageError, say
from .output import print_json

T = TypeVar("T")
OTHER_FILES = (  # what a file is that has no text to read, by its first bytes
    (rb"c4mcts-proof ", "this is a proof: c4mcts prove --check reads it"),
    (rb"(?:\xef\xbb\xbf)?[A-Za-z_]{3,}(?:[,;]\w+)+\r?\n", "this is a table: give a text file, one item per line"),
    (rb"(?s)(?!\xff\xfe|\xfe\xff).*\0", "this is not a text file"),  # UTF-16 has zeros
)
ZERO = re.compile(r"(?![012]{20})(?=[1-9]*0)[0-9]+(?:[ \t]+[+-]?[0-9]+)?")  # a 0 among moves; no cells of a board


@contextmanager
def opened(name: str, prefix: str) -> Iterator[TextIO]:
    """Open a file to read its text, UTF-8 or what its byte order mark says; "-" is standard input.

    UsageError if the file can't be read, or has no text.
    """
    with ExitStack() as stack:
        try:
            file = sys.stdin if name == "-" else stack.enter_context(open(name, encoding="utf-8"))
            if isinstance(file, io.TextIOWrapper):  # which standard input is not where something stands in for it
                head = file.buffer.peek(2)
                for pattern, text in OTHER_FILES:
                    if re.match(pattern, head):
                        raise UsageError(f"{prefix}{text}")
                file.reconfigure(encoding=encoding_of(head), errors="replace", newline=None)
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
            text = f"{line.where}there is a 0, so the strings of digits in this file count columns from 0"
            raise UsageError(f"{option} {name}: {text}: {'use commas' if digits_from is None else 'add --from 0'}")
        return line

    with opened(name, f"{option} {name}: ") as file:
        lines = map(counted_from_1, _lines_of(file))
        if name == "-":
            yield from lines
        elif all_lines := [*lines]:
            yield from all_lines
        else:
            raise UsageError(f"{option} {name}: the file is empty")


def _lines_of(file: TextIO) -> Iterator[PositionLine]:
    index = 0
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        is_part = line.lstrip()[0] in "{[" and len(re.findall(r"[{\[]", line)) > len(re.findall(r"[}\]]", line))
        yield PositionLine(index, number, (line + file.read() if is_part else line).strip())
        index += 1


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
            result = read(line)
        except UsageError as error:
            status = USAGE
            if args.json:
                print_json({**fields(line), "error": str(error)})
            say(f"c4mcts {args.command}: {line.where}{error}")
            continue
        work(line, result)
    return status
