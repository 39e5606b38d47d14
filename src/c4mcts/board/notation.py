"""Reads and writes each of the package's own notations; errors say where the input is wrong. See reader for any text.

A *grid* is the intermediate form: a list of rows, top row first, of cells 0 (empty), 1 (first player), 2 (second
player). Moves are lists of 0-based columns. This module checks the form of the input; cells.py checks whether a grid is
a possible position.
"""

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Literal

from .._validation import brief, counted, naming, string
from ..errors import NotationError
from ..rules import Rules, rules_or_default

Grid = list[list[int]]
Kind = Literal["address", "uci", "drawing"]  # of Board.format

EMPTY_FIRST_SECOND = ".xo"  # the symbols of cells 0, 1, 2
PONS_COLUMNS = 9  # a column is one digit, 1 to 9
RULES = re.compile(r"([0-9]{1,9})x([0-9]{1,9})(?:x([0-9]{1,9}))?([\s-]+no-diagonals)?")  # width, height, connect


def place(row: int, column: int) -> str:
    """The place of a cell of a grid, for an error message."""
    return f"row {row} (0 = top), column {column}"


def read_moves(text: str, rules: Rules) -> list[int]:
    """The columns of a string of 1-based digits, or of a list with commas, from 0; not checked against the board."""
    return read_text(text) if "," in string("moves", text) else read_pons(text, rules)


def read_pons(text: str, rules: Rules) -> list[int]:
    """The columns of a string of 1-based digits, not checked against the board. NotationError for other characters."""
    text = string("a Pons string", text).rstrip()
    if text:
        require_pons(rules)
    for number, character in enumerate(text, 1):
        if character not in "123456789":
            raise NotationError(f"character {number}, {character!r}, is not a column: columns are the digits 1 to 9")
    return [int(character) - 1 for character in text]


def write_pons(moves: Sequence[int], rules: Rules) -> str:
    """The moves as `read_pons` reads them."""
    require_pons(rules)
    return "".join(str(column + 1) for column in moves)


def require_pons(rules: Rules) -> None:
    """NotationError if the board has more columns than one digit can name."""
    if rules.width > PONS_COLUMNS:
        raise NotationError(
            f"strings of digits (Pons) are for up to {PONS_COLUMNS} columns, the board has {rules.width}: "
            "write the moves with commas, columns from 0"
        )


def read_text(text: str) -> list[int]:
    """The columns of a string such as "3,3,4", not checked against the board. NotationError unless all are numbers."""
    text = string("the moves", text)
    if not text.strip():
        return []
    if "," not in text:
        raise NotationError(f"moves from 0 have commas, a single one as in '3,', not {brief(text)}")
    entries = [entry.strip() for entry in text.split(",")]
    if len(entries) > 1 and not entries[-1]:
        entries.pop()  # "3," is the list of one move
    for number, entry in enumerate(entries, 1):
        if not re.fullmatch("[0-9]{1,9}", entry):
            raise NotationError(f"entry {number} is {brief(entry)}, not the number of a column (0-based)")
    return [int(entry) for entry in entries]


def write_text(moves: Sequence[int]) -> str:
    """The moves with commas, a single one as "3,"."""
    return ",".join(map(str, moves)) + "," * (len(moves) == 1)


def write_moves(moves: Sequence[int], rules: Rules) -> str:
    """The moves of a game: digits from 1, or a list from 0 with commas on a board of more than 9 columns."""
    return write_text(moves) if rules.width > PONS_COLUMNS else write_pons(moves, rules)


def read_fen(text: str) -> tuple[Rules, Grid, int]:
    """Rules, grid and player to move (0 or 1) of a line in the form of `write_fen`. NotationError."""
    parts = string("a FEN", text).strip().split(maxsplit=2)
    if len(parts) != 3:
        example = "7/7/7/7/7/2xo3 x 7x6x4"
        raise NotationError(f"a FEN has rows, the side to move and rules, as in '{example}', not only {brief(text)}")
    rows, side, size = parts
    if side not in ("x", "o"):
        raise NotationError(f"the side to move must be x or o, not {brief(side)}")
    rules = read_rules(size)
    return rules, _read_fen_rows(rows, rules), "xo".index(side)


def read_rules(text: str) -> Rules:
    """The rules of a text such as "7x6", "7x6x4", "7x6x4-no-diagonals", or as str(Rules) writes it. NotationError."""
    match = RULES.fullmatch(string("rules", text))
    if match is None:
        raise NotationError(f"rules must look like 7x6, 7x6x4 or 7x6x4-no-diagonals, not {brief(text)}")
    with naming(f"the rules {text!r}: ", NotationError):
        return Rules(int(match[1]), int(match[2]), int(match[3] or Rules().connect), diagonals=match[4] is None)


def rules_of(value: object) -> Rules:
    """The rules in JSON: a text as `read_rules` reads it, or an object with all fields of Rules. NotationError."""
    if isinstance(value, str):
        return read_rules(value)
    if not isinstance(value, dict) or value.keys() != {each.name for each in fields(Rules)}:
        text = "a text such as 7x6x4, or an object with width, height, connect and diagonals"
        raise NotationError(f"rules must be {text}, not {brief(value)}")
    with naming("the rules: ", NotationError):
        return Rules(**value)


def agreed(own: Rules, rules: Rules | None, what: str = "text") -> Rules:
    """The rules of a text. NotationError if others are given."""
    if rules is not None and rules_or_default(rules) != own:
        raise NotationError(f"the {what} has the rules {own}, not {rules}")
    return own


def _read_fen_rows(rows: str, rules: Rules) -> Grid:
    """The grid of the first field of a FEN. NotationError."""
    grid: Grid = [[]]
    for token in re.finditer("[0-9]+|.", rows):
        number, symbol = token.start() + 1, token[0]
        if symbol == "/":
            grid.append([])
        elif symbol in ("x", "o"):
            grid[-1].append(EMPTY_FIRST_SECOND.index(symbol))
        elif not re.fullmatch("[0-9]+", symbol):
            raise NotationError(f"character {number}, {symbol!r}, is unknown: rows are made of x, o, / and numbers")
        elif not re.fullmatch("[1-9][0-9]?", symbol):
            raise NotationError(f"the gap {brief(symbol)} at character {number} must be 1 to {rules.width}")
        else:
            grid[-1] += [0] * int(symbol)
    for number, row in enumerate(grid):
        if len(row) != rules.width:
            raise NotationError(f"row {number} (0 = top) must have {counted(rules.width, 'cell')}, not {len(row)}")
    if len(grid) != rules.height:
        raise NotationError(f"the board must have {counted(rules.height, 'row')}, not {len(grid)}")
    return grid


def read_uci(text: str, rules: Rules) -> Grid:
    """The grid of symbols x, o, b, column by column from the bottom; a class at their end is ignored. NotationError."""
    cells = ["bxo".index(symbol) for symbol in re.findall(r"\b[xob]\b", text)]
    if len(cells) != rules.cells:
        raise NotationError(f"a UCI line must have {rules.cells} symbols (and perhaps a class), not {len(cells)}")
    return [cells[row :: rules.height] for row in reversed(range(rules.height))]


def write_fen(grid: Grid, rules: Rules, turn: int) -> str:
    """Rows from the top with numbers for empty cells, side to move, rules: "7/7/7/7/7/2xo3 x 7x6x4"."""
    rows = ("".join(EMPTY_FIRST_SECOND[cell] for cell in row) for row in grid)
    gaps = (re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)
    return f"{'/'.join(gaps)} {'xo'[turn]} {rules}"


def write_drawing(grid: Grid, first: int = 0) -> str:
    """Rows from the top, '.' empty, 'x' first player, 'o' second player; the last line numbers the columns.

    first: the number of the leftmost column: 0 in Python, 1 at the shell.
    """
    columns = [str(first + column) for column in range(len(grid[0]))]
    rows = [[EMPTY_FIRST_SECOND[cell] for cell in row] for row in grid]
    width = len(columns[-1])
    return "\n".join(" ".join(symbol.rjust(width) for symbol in row) for row in (*rows, columns))
