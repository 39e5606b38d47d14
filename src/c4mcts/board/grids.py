"""Cells of arrays and of drawings: which symbol stands for an empty cell, and which for the discs of each player.

| discs | who began |
|---|---|
| 1 and 2, 1 and -1, ● and ○, 0 and 1 where empty cells have another symbol | the first of the two |
| x and o with dots, as this package draws boards | x |
| X and O, R and Y, R and B, B and W, 🔴 and 🟡 | who has one disc more; with as many of both it must be said |
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any, Literal

import numpy as np

from .._validation import brief, counted, naming
from ..errors import NotationError
from ..rules import Rules
from .notation import Grid, place

By = Literal["rows", "columns"]  # of the lists of an array
RowZero = Literal["top", "bottom"]

EMPTY = {*".·_-0⚪⚫🔵⬜⬛", ""}
ORDERED = (("x", "o"), ("1", "2"), ("1", "-1"), ("●", "○"))  # the first of a pair begins
UNORDERED = (("r", "y"), ("r", "b"), ("b", "w"), ("🔴", "🟡"))
ZERO_BEGINS = ("0", "1")  # if empty cells have another symbol
DISCS = {*chain(ZERO_BEGINS, *ORDERED, *UNORDERED)}
OUR_LETTERS = {"x", "o", "."}  # of this package's drawings, in which x begins; elsewhere o may begin


def size_of(rows: Sequence[Sequence[object]], has_labels: bool = False) -> Rules:
    """The usual rules for a board of that size. has_labels: whether they show where the columns are. NotationError."""
    if (len(rows), len(rows[0])) == (7, 6) and not has_labels:
        text = "7 rows of 6 cells could be a board of 6x7, or the columns of one of 7x6"
        raise NotationError(f"{text}: give the rules, or read columns with Board.from_array(..., by='columns')")
    with naming(f"a board of {counted(len(rows), 'row')} of {counted(len(rows[0]), 'cell')}: ", NotationError):
        return Rules(len(rows[0]), len(rows))


def read_array(
    rows: Any,
    rules: Rules,
    symbols: tuple[object, object, object] | None = None,
    first: object = None,
    by: By = "rows",
    row_0: RowZero = "top",
) -> Grid:
    """The grid of height x width cells, or of width x height by columns.

    symbols: for empty cells and for the first and the second player; by default they are recognised, and `first` is the
    symbol of who began, if that is not clear. NotationError.
    """
    shape = (rules.height, rules.width) if by == "rows" else (rules.width, rules.height)
    try:  # lengths first: NumPy would copy all of a range
        fits = len(rows) == shape[0] and all(len(row) == shape[1] for row in rows)
        array = np.asarray(rows if fits else ())
    except (TypeError, ValueError):
        array = np.asarray(())
    if array.shape != shape or any(isinstance(row, str) for row in rows):
        advice = "" if by == "columns" else "; by='columns' reads lists of columns"
        size = f"{counted(shape[0], by.removesuffix('s'))} of {counted(shape[1], 'cell')}"
        raise NotationError(f"the board must have {size}, not {brief(rows)}{advice}")
    cells = array.tolist() if by == "rows" else array.T.tolist()
    cells = cells if row_0 == "top" else cells[::-1]
    symbol = symbol_of if symbols is None else partial(_symbol_among, symbols)
    grid = grid_of([[symbol(cell) for cell in row] for row in cells], cells, None if symbols else first)
    ones, twos = (sum(row.count(player) for row in grid) for player in (1, 2))
    if twos == ones + 1:
        text = f"it has {counted(ones, 'disc')} of the first player and {twos} of the second, who would have begun"
        raise NotationError(f"{text}: say who began (first= in Python, --first at the shell)")
    return grid


def _symbol_among(symbols: tuple[object, object, object], cell: object) -> str:
    empty, first, second = symbols
    if cell == first:
        return "1"
    if cell == second:
        return "2"
    return "" if cell == empty or (empty is None and symbol_of(cell) in EMPTY) else "?"


def symbol_of(cell: object) -> str:
    """The symbol that a drawing would have for the cell of an array; "?" if there is none."""
    if isinstance(cell, str):
        return cell.strip()
    if cell is None:
        return ""
    is_whole = isinstance(cell, int | float) and not isinstance(cell, bool) and cell in (-1, 0, 1, 2)
    return str(int(cell)) if is_whole else "?"  # type: ignore[call-overload]


def grid_of(
    rows: list[list[str]], cells: Sequence[Sequence[object]], first: object = None, by_counts: bool = False
) -> Grid:
    """The grid of rows of symbols: one for empty cells, one for each player. cells: the same as given, for errors.

    first: the symbol of who began. by_counts: with one disc more of the second symbol, it is the first player's.
    NotationError.
    """
    counts = Counter(symbol.lower() for symbol in chain(*rows))
    pair, empty = _symbols_in(counts)
    for number, row in enumerate(rows):
        for column, symbol in enumerate(row):
            if symbol.lower() not in (*pair, *empty):
                symbols = f"0, {pair[0]}, {pair[1]}" if pair[0] == "1" else f". {pair[0]} {pair[1]}"
                raise NotationError(f"{place(number, column)} is {brief(cells[number][column])}, not one of {symbols}")
    if len(empty) > 1:
        raise NotationError(f"empty cells must have one symbol, not {' and '.join(map(repr, sorted(empty)))}")
    one, two = pair
    is_ordered = pair not in UNORDERED and (pair != ORDERED[0] or {*chain(*rows)} <= OUR_LETTERS)
    if first is not None:
        if symbol_of(first).lower() not in (pair if counts.keys() - EMPTY else DISCS):
            raise NotationError(f"first, the symbol of who began, must be {one} or {two}, not {brief(first)}")
        is_swapped = symbol_of(first).lower() == two
    elif counts[one] == counts[two] > 0 and not is_ordered:
        one, two = (next(symbol for symbol in chain(*rows) if symbol.lower() == disc) for disc in pair)  # as written
        text = f"with as many discs {one} as {two}, it is not known who began"
        raise NotationError(f"{text}: add a line such as 'first: {one}' (first= in Python, --first at the shell)")
    else:
        is_swapped = counts[two] == counts[one] + 1 and (by_counts or not is_ordered)
    values = {one: 2, two: 1} if is_swapped else {one: 1, two: 2}
    return [[values.get(symbol.lower(), 0) for symbol in row] for row in rows]


def _symbols_in(counts: Counter[str]) -> tuple[tuple[str, str], set[str]]:
    """The discs of both players, and the symbols for empty cells that are there."""
    empty, discs = counts.keys() & EMPTY, counts.keys() - EMPTY
    if "0" in empty and len(empty) > 1 and discs <= {"1"}:
        return ZERO_BEGINS, empty - {"0"}
    pairs = [pair for pair in (*ORDERED, *UNORDERED) if discs & {*pair}] or [ORDERED[1]]
    return next((pair for pair in pairs if discs <= {*pair}), pairs[0]), empty
