"""Reads and writes boards as strings and arrays; errors say where the input is wrong.

A *grid* is the intermediate form: a list of rows, top row first, of cells 0 (empty), 1 (first player), 2 (second
player). Moves are lists of 0-based columns. This module checks the form of the input; cells.py checks whether a grid is
a possible position.
"""

import re
from collections.abc import Mapping
from itertools import islice
from math import nan
from typing import Any

import numpy as np

from .._validation import members, real_number, refused, shown, string, whole_number
from ..errors import NotationError
from ..rules import Rules

Grid = list[list[int]]

EMPTY_FIRST_SECOND = ".xo"  # the symbols of cells 0, 1, 2
TOO_WIDE = 1000  # cells of a row, after which reading stops
PONS_COLUMNS = 9  # a column is one digit, 1 to 9
UCI_SYMBOLS = {"b": 0, "x": 1, "o": 2}
SIZE = re.compile("([0-9]{1,9})x([0-9]{1,9})x([0-9]{1,9})")  # width, height, connect
UCI_CLASSES = ("win", "loss", "draw")


def place(row: int, column: int) -> str:
    """The place of a cell of a grid, for an error message."""
    return f"row {row} (0 = top), column {column}"


def read_pons(text: str, rules: Rules) -> list[int]:
    """The columns of a string of 1-based digits, not checked against the board. NotationError for other characters."""
    require_pons(rules)
    for index, character in enumerate(string("a Pons string", text)):
        if character not in "123456789":
            raise NotationError(f"unknown character {character!r} at index {index}: columns are the digits 1 to 9")
    return [int(character) - 1 for character in string("a Pons string", text)]


def require_pons(rules: Rules) -> None:
    """NotationError if the board has more columns than one digit can name."""
    if rules.width > PONS_COLUMNS:
        raise NotationError(
            f"Pons strings reach {PONS_COLUMNS} columns, the board has {rules.width}: use text or moves"
        )


def read_text(text: str) -> list[int]:
    """The columns of a string such as "3,3,4", not checked against the board. NotationError unless all are numbers."""
    text = string("the moves", text)
    if not text.strip():
        return []
    fields = [field.strip() for field in text.split(",")]
    for index, field in enumerate(fields):
        if not re.fullmatch("[0-9]{1,9}", field):
            raise NotationError(f"entry {index} is {shown(field)}, not the number of a column (0-based)")
    return [int(field) for field in fields]


def read_rows(rows: Any, rules: Rules) -> Grid:
    """The grid of height x width numbers 0, 1, 2, given as nested iterables or an array. NotationError."""
    if hasattr(rows, "__array__"):
        rows = array_rows(rows, rules)
    found = listed("a board", rows, f"{rules.height} rows of {rules.width} cells", rules.height)
    if len(found) != rules.height:
        raise NotationError(f"the board must have {rules.height} rows, not {how_many(rows, found)}")
    grid = []
    for row, given in enumerate(found):
        where = f"row {row} (0 = top)"
        cells = listed(where, given, f"{rules.width} cells", rules.width)
        if len(cells) > rules.width:
            raise NotationError(f"{where} must have {rules.width} cells, not {how_many(given, cells)}")
        grid.append([read_cell(cell, row, column) for column, cell in enumerate(cells)])
        require_width(grid, rules)
    return grid


def array_rows(rows: Any, rules: Rules) -> Any:
    """The rows of an array as lists. Its shape is checked first, so that a huge array isn't copied. NotationError."""
    wanted = f"{rules.height} rows of {rules.width} cells"
    try:
        array = np.asarray(rows)
    except Exception as error:
        raise NotationError(refused("a board", wanted, rows)) from error
    if array.ndim > 0 and array.shape[0] != rules.height:
        raise NotationError(f"the board must have {rules.height} rows, not {array.shape[0]}")
    if array.ndim > 1 and array.shape[1] != rules.width:
        raise NotationError(f"row 0 (0 = top) must have {rules.width} cells, not {array.shape[1]}")
    if array.ndim == 0:
        raise NotationError(refused("a board", wanted, rows))
    if array.ndim > 2:
        raise NotationError(f"{place(0, 0)} is {shown(array[0, 0].flat[:20].tolist())}, which is none of 0, 1, 2")
    return array.tolist()


def listed(name: str, values: Any, wanted: str, max_members: int) -> list[Any]:
    """The members of an iterable, at most `max_members` + 1 of them. NotationError if it is not iterable."""
    try:
        return members(name, values, wanted, max_members)
    except TypeError as error:
        raise NotationError(str(error)) from error.__cause__


def how_many(values: Any, found: list[Any]) -> str:
    """The number of members, for an error message; found: those that were read."""
    try:
        return str(len(values))
    except Exception:
        return f"{len(found)} or more"


def read_cell(cell: object, row: int, column: int) -> int:
    """One cell as an int; 1.0 is accepted, True is not. NotationError."""
    try:
        number = real_number("a cell", cell)
    except (TypeError, ValueError):
        number = nan
    if number not in (0, 1, 2):
        raise NotationError(f"{place(row, column)} is {shown(cell)}, which is none of 0, 1, 2")
    return int(number)


def require_width(grid: Grid, rules: Rules) -> None:
    """NotationError unless the last row read so far is as wide as the board."""
    if len(grid[-1]) != rules.width:
        raise NotationError(f"row {len(grid) - 1} (0 = top) must have {rules.width} cells, not {len(grid[-1])}")


def read_fen(text: str) -> tuple[Rules, Grid, int]:
    """Rules, grid and player to move (0 or 1) of a line that `write_fen` made. NotationError."""
    text = string("a FEN", text)
    fields = list(islice(re.finditer(r"\S+", text), 5))
    if len(fields) not in (3, 4):
        raise NotationError(
            "a FEN has the fields rows, side to move, WxHxK and perhaps no-diagonals, "
            f"but {shown(text)} has {len(text.split())}"
        )
    side, size, *flags = (field[0] for field in fields[1:])
    if flags not in ([], ["no-diagonals"]):
        raise NotationError(f"unknown flag {shown(flags[0])} at index {fields[3].start()}: only no-diagonals is known")
    numbers = SIZE.fullmatch(size)
    if numbers is None:
        raise NotationError(f"the rules at index {fields[2].start()} must look like 7x6x4, not {shown(size)}")
    if side not in ("x", "o"):
        raise NotationError(f"the side to move at index {fields[1].start()} must be x or o, not {shown(side)}")
    try:
        width, height, connect = map(int, numbers.groups())
        rules = Rules(width, height, connect, diagonals=not flags)
    except ValueError as error:
        raise NotationError(f"the rules {size!r} at index {fields[2].start()}: {error}") from None
    return rules, read_fen_rows(fields[0], rules), "xo".index(side)


def read_rules(text: str) -> Rules:
    """The rules of a text such as "7x6x4" or "7x6x4 no-diagonals", as str(Rules) writes it. NotationError."""
    found = re.fullmatch(SIZE.pattern + r"(\s+no-diagonals)?", string("rules", text))
    if found is None:
        raise NotationError(f"rules must look like 7x6x4, perhaps followed by no-diagonals, not {shown(text)}")
    try:
        return Rules(int(found[1]), int(found[2]), int(found[3]), diagonals=found[4] is None)
    except ValueError as error:
        raise NotationError(f"the rules {text!r}: {error}") from None


def read_fen_rows(rows: re.Match[str], rules: Rules) -> Grid:
    """The grid of the first field of a FEN, given as the match of that field in the line. NotationError."""
    grid: Grid = [[]]
    for token in re.finditer("[0-9]+|.", rows[0]):
        index, symbol = rows.start() + token.start(), token[0]
        if symbol == "/":
            require_width(grid, rules)
            grid.append([])
        elif symbol in ("x", "o"):
            grid[-1].append(EMPTY_FIRST_SECOND.index(symbol))
        elif not re.fullmatch("[0-9]+", symbol):
            raise NotationError(f"unknown character {symbol!r} at index {index}: rows are made of x, o, / and numbers")
        elif not re.fullmatch("[1-9][0-9]?", symbol):
            raise NotationError(f"the gap {shown(symbol)} at index {index} must be 1 to {rules.width}")
        else:
            grid[-1] += [0] * int(symbol)
        if len(grid[-1]) > TOO_WIDE:
            break
    require_width(grid, rules)
    if len(grid) != rules.height:
        raise NotationError(f"the board must have {rules.height} rows, not {len(grid)}")
    return grid


def read_uci(text: str, rules: Rules) -> Grid:
    """The grid of a line of the UCI Connect-4 data set; a class at its end is ignored. NotationError."""
    fields = [field.strip() for field in string("a UCI line", text).split(",")]
    if len(fields) == rules.cells + 1 and fields[-1] in UCI_CLASSES:
        fields.pop()
    if len(fields) != rules.cells:
        raise NotationError(f"a UCI line must have {rules.cells} symbols (and perhaps a class), not {len(fields)}")
    grid = [[0] * rules.width for _ in range(rules.height)]
    for index, field in enumerate(fields):
        if field not in UCI_SYMBOLS:
            raise NotationError(f"symbol {index} is {shown(field)}, which is none of x, o, b")
        column, row = divmod(index, rules.height)
        grid[rules.height - 1 - row][column] = UCI_SYMBOLS[field]
    return grid


def read_kaggle(observation: Any, rules: Rules) -> tuple[Grid, int]:
    """Grid and player to move (0 or 1) of a Kaggle ConnectX observation. NotationError."""
    found = []
    for name in ("board", "mark"):
        try:
            found.append(observation[name] if isinstance(observation, Mapping) else getattr(observation, name))
        except (KeyError, AttributeError):
            raise NotationError(f"the observation has no {name!r}: {shown(observation)}") from None
    cells, mark = found
    found_cells = listed("board", cells, f"{rules.cells} cells", rules.cells)
    if len(found_cells) != rules.cells:
        raise NotationError(
            f"board must have {rules.cells} cells ({rules.width} x {rules.height}), "
            f"not {how_many(cells, found_cells)}: check the rules"
        )
    mark = whole_number("mark", mark)
    if mark not in (1, 2):
        raise NotationError(f"mark must be 1 or 2, not {shown(mark)}")
    rows = [found_cells[start : start + rules.width] for start in range(0, rules.cells, rules.width)]
    return read_rows(rows, rules), mark - 1


def read_openspiel(state: Any) -> tuple[Rules, Grid, list[int] | None]:
    """Rules, grid and moves of a state of OpenSpiel's connect_four; moves: None if it was set up with discs on it.

    The text of a state has the top row first; its tensors have the bottom row first. NotationError.
    """
    try:
        game = state.get_game()
        name, sizes, lines, moves = (
            game.get_type().short_name,
            game.get_parameters(),
            str(state).split(),
            state.history(),
        )
    except AttributeError:
        raise NotationError(refused("state", "a state of OpenSpiel's connect_four", state)) from None
    if name != "connect_four":
        raise NotationError(f"state must be of OpenSpiel's connect_four, not of {shown(name)}")
    try:
        rules = Rules(sizes["columns"], sizes["rows"], sizes["x_in_row"])
    except (KeyError, TypeError, ValueError) as error:
        raise NotationError(f"state: {error}") from None
    grid = read_rows([[EMPTY_FIRST_SECOND.find(cell) for cell in line] for line in lines], rules)
    discs = rules.cells - sum(row.count(0) for row in grid)
    return rules, grid, moves if len(moves) == discs else None


def write_openspiel(grid: Grid, rules: Rules, turn: int | None, winner: int | None, moves: list[int] | None) -> Any:
    """A state of OpenSpiel's connect_four.

    turn: the player to move; None if the game is over. moves: those since the empty board, if known.
    NotationError if OpenSpiel does not know the rules, ImportError without OpenSpiel.
    """
    import json

    import pyspiel

    if not rules.diagonals:
        raise NotationError(f"OpenSpiel's connect_four has diagonals, the rules are {rules}")
    sizes = {"columns": rules.width, "rows": rules.height, "x_in_row": rules.connect}
    game = pyspiel.load_game("connect_four", sizes)
    if moves is None:
        about = {
            "board": [[EMPTY_FIRST_SECOND[cell] for cell in row] for row in reversed(grid)],
            "current_player": "Terminal" if turn is None else "xo"[turn],
            "is_terminal": turn is None,
            "winner": "" if turn is not None else "draw" if winner is None else "xo"[winner],
        }
        return game.new_initial_state(json.dumps(about))
    state = game.new_initial_state()
    for column in moves:
        state.apply_action(column)
    return state


def write_fen(grid: Grid, rules: Rules, turn: int) -> str:
    """Rows from the top with numbers for empty cells, side to move, rules: "7/7/7/7/7/2xo3 x 7x6x4"."""
    rows = ("".join(EMPTY_FIRST_SECOND[cell] for cell in row) for row in grid)
    gaps = (re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)
    return f"{'/'.join(gaps)} {'xo'[turn]} {rules}"


def write_uci(grid: Grid) -> str:
    """Symbols x, o, b by column from the left, each from the bottom: a1, a2, ..., b1, ..."""
    return ",".join("bxo"[cell] for column in zip(*reversed(grid), strict=True) for cell in column)
