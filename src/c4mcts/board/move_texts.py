"""Texts of moves, with digits, letters or commas, and the lines of test files.

| text | what it is |
|---|---|
| 4453, 4 4 5 3, 4-4-5-3, 1. 4 4 2. 5 3 | columns from 1; on boards of more than nine columns, 10 11 |
| d1 d2 e1, ddec | columns as letters; a row, from 1, must be the one in which the disc lands |
| 3,3,4,2 | columns from 0 |
| 4453 -2 | a position and its score, as in the test files of solvers |
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .._validation import brief, counted
from ..errors import IllegalMoveError, NotationError
from ..rules import DEFAULT_RULES, Rules
from .notation import PONS_COLUMNS, Grid, read_text, require_pons

LETTERS = re.compile(r"[A-Za-z][0-9]*(?:[\s,]+[A-Za-z][0-9]*)*,?")
TEST_LINE = re.compile(r"\s*([0-9]+)[ \t]+([+-]?[0-9]{1,9})\s*")
MOVE = re.compile(
    r"(?P<turn>(?<!\S)[0-9]{1,4}\.+)|(?P<letter>[A-Za-z][0-9]*)|(?P<digit>[0-9])"
    r"|(?P<gap>[\s,]+|(?<=[A-Za-z0-9])-(?=[A-Za-z0-9])|(?<=\s)-(?=\s))|(?P<other>.)",
    re.DOTALL,
)
WIDE_MOVE = re.compile(MOVE.pattern.replace("<digit>[0-9]", "<digit>[0-9]{1,9}"), re.DOTALL)


@dataclass(frozen=True, slots=True)
class Hints:
    """Hints for reading a text. rules: for texts without rules, with which any in the text must agree.

    first: the symbol of who began, for a drawing or an array. digits_from: the number of the leftmost column.
    """

    rules: Rules | None = None
    first: object = None
    digits_from: int = 1

    @property
    def start(self) -> "Reading":
        """The empty board."""
        return Reading(self.rules or DEFAULT_RULES, first=self.digits_from)


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of a text. grid, turn: the start position, if it is not the empty board; turn: None if it is not
    said."""

    rules: Rules
    grid: Grid | None = None
    turn: int | None = None
    moves: Sequence[int] = ()  # columns from 0, not checked against the board
    places: Sequence[str] = field(default=(), repr=False)  # of each move in the text, for errors
    first: int = 1  # the number of the leftmost column in the text, where it is not a list with commas
    undone: int = 0  # moves at the end that are not on the board
    score: int | None = None  # that the line of a test file claims for the player to move


def read_moves(text: str, start: Reading) -> Reading:
    """The start with the moves of a text: a list with commas from 0, or columns from 1 as digits or letters."""
    if "," in text and not LETTERS.fullmatch(text.strip()):
        return from_zero(read_text(text), start)
    if start.rules.width <= PONS_COLUMNS:
        if line := TEST_LINE.fullmatch(text):
            return _read_test_line(line[1], line[2], start)
        _require_one_game(text)
    return _from_one(text, start)


def is_test_line(text: str) -> bool:
    """Whether a text is moves and a score, and could be nothing else."""
    line = TEST_LINE.fullmatch(text)
    return line is not None and len(line[1]) > 1


def with_sign(text: str) -> str:
    """The line of a test file with a sign before its score where it could be moves: 4 2 as 4 +2. Others as they are."""
    line = TEST_LINE.fullmatch(text)
    return text if line is None or not _could_be_moves(*line.groups()) else f"{line[1]} +{line[2]}"


def _could_be_moves(moves: str, score: str) -> bool:
    return len(moves) == 1 and re.fullmatch("[1-9]", score) is not None


def from_zero(moves: list[int], start: Reading) -> Reading:
    """The start with a list of columns from 0. IllegalMoveError if it makes sense from 1 only."""
    width = start.rules.width
    if moves and min(moves) >= 1 and max(moves) == width:
        entry = moves.index(width) + 1
        text = f"column must be 0 to {width - 1}, not {width}: columns count from 0 in a list with commas"
        raise IllegalMoveError(f"entry {entry}: {text}, and from 1 without commas")
    places = [f"entry {number}" for number in range(1, len(moves) + 1)]
    return replace(start, moves=moves, places=places, first=0)


def _read_test_line(moves: str, score: str, start: Reading) -> Reading:
    """The position of a line of a test file, and its score. NotationError if both numbers could be moves."""
    if _could_be_moves(moves, score):
        text = f"the moves {moves}{score}, or the position after {moves} with the score {score}"
        raise NotationError(f"{brief(f'{moves} {score}')} could be {text}: write {moves}{score}, or {moves} +{score}")
    reading = _from_one(moves, start)
    discs = len(reading.moves) + sum(cell > 0 for row in reading.grid or () for cell in row)
    most = (reading.rules.cells + 1 - discs) // 2
    if abs(int(score)) > most:
        text = f"two groups of digits are a position and its score, which is {-most} to {most}"
        raise NotationError(f"{text} after {counted(discs, 'move')}, not {brief(score)}: write moves without blanks")
    return replace(reading, score=int(score))


def _require_one_game(text: str) -> None:
    """NotationError for groups of digits that could be several positions, or the output of a solver."""
    lines = [line.split() for line in text.splitlines()]
    items = [word for line in lines for word in line]
    if len(items) < 2 or not all(re.fullmatch("[0-9]+", word) for word in items):
        return
    if max(map(len, items)) > 1 or 1 < max(map(len, lines)) < len(items):
        problem = "the groups of digits could be several positions, or scores"
        raise NotationError(f"{problem}: write the moves of one position without blanks")


def _from_one(text: str, start: Reading) -> Reading:
    """The start with moves from 1: 4453, 4 4 5 3, 4-4-5-3, 1. 4 4 2. 5 3, d1 d2 e1, ddec.

    A row after a letter, from 1, must be the one in which the disc lands. On boards of more than nine columns, numbers
    need something between them.
    """
    rules, first = start.rules, start.first
    is_wide = rules.width > PONS_COLUMNS
    if is_wide and re.fullmatch(r"\s*[0-9]+\s*", text):
        require_pons(rules)
    moves, places, style, turns = list[int](), list[str](), "", 0
    for token in (WIDE_MOVE if is_wide else MOVE).finditer(text):
        kind, name = str(token.lastgroup), f"character {token.start() + 1}"
        if kind == "gap":
            continue
        if kind == "turn":
            turns += 1
            if token[0].rstrip(".") != str(turns):
                raise NotationError(f"{name}: {brief(token[0])} is not the number of move {turns}")
            continue
        style = style or kind
        column = ord(token[0][0].lower()) - ord("a") if kind == "letter" else int(token["digit"] or 0) - first
        if kind != style or column < 0 or (kind == "letter" and column >= rules.width):
            raise NotationError(f"{name}, {brief(token[0])}, is not a column: columns are {_columns(style, start)}")
        moves.append(column)
        places.append(name)
        if kind == "letter" and token[0][1:]:
            row = sum(cells[column] > 0 for cells in start.grid or ()) + moves.count(column)
            if row > rules.height:
                raise NotationError(f"{name}, {brief(token[0])}: the column is full")
            if token[0][1:] != str(row):
                raise NotationError(f"{name}, {brief(token[0])}: the disc lands in row {row}")
    return replace(start, moves=moves, places=places)


def _columns(style: str, start: Reading) -> str:
    """The form of columns in a text, for an error. style: how the text begins, "letter" or "digit"."""
    width, first = start.rules.width, start.first
    if style == "letter":
        return f"the letters a to {chr(ord('a') + min(width, 26) - 1)}, from 0 with commas"
    if width > PONS_COLUMNS:
        return f"numbers from {first}, from 0 with commas"
    return f"the digits {first} to {width + first - 1}, from 0 with commas"
