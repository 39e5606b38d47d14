"""Drawn boards: a line for each row, the top one first, or all cells in one line; perhaps with frames and labels.

| drawing | |
|---|---|
| . . x o . . | one symbol for each cell, with or without blanks, commas or brackets between them |
| \\| \\|x\\|o\\| \\| | what stands between bars; blanks are empty cells |
| ....;.xo. | rows joined by ; or / |
| all cells in one line | on the standard board, or one of the rules that are known |
"""

import re

from .._validation import counted
from ..errors import NotationError
from ..rules import DEFAULT_RULES, Rules
from .grids import DISCS, EMPTY, grid_of, size_of
from .move_texts import Hints, Reading
from .notation import PONS_COLUMNS, Grid

DRAWN = re.compile(r"[xoryw●○.·_|│║┃+⚪⚫🔵⬜⬛🔴🟡]|(?:^|-)[ \t]*-|-[ \t]*$", re.MULTILINE)  # in no list of moves
NUMBERED = re.compile(r"1\.+\s*[1-9A-Za-z]")
OUR_TABLE = re.compile(r"\n[ \t\r]*\ncolumn [0-9]+, .*", re.DOTALL)  # which `c4mcts analyze` prints below the board
EDGE = re.compile(r"\s*(?:[+╭╰┌└╔╚├╠][-+=─━═┬┴┼╦╩╬▼v]*[+╮╯┐┘╗╝┤╣]|[|│║](?:[-=─━═]+[+┼╬])+[-=─━═]+[|│║])")
RULED = re.compile(r"\s*[-=─━═]{2,}\s*")
SIDES = re.compile(r"[^|│║┃]*[|│║┃](.*)[|│║┃]")


def read_drawing(text: str, hints: Hints) -> Reading:
    """A drawing; without rules it is a whole board, four in a row. A single row may be all of it."""
    lines = rows_of(OUR_TABLE.sub("", text).replace("\N{VARIATION SELECTOR-16}", ""))
    grid = _grid_of(lines, hints.first)
    rules = hints.rules
    if "\n" not in text:
        rules = rules or DEFAULT_RULES
        (cells,) = grid
        grid = [cells[start : start + rules.width] for start in range(0, len(cells), rules.width)]
    rules = rules or size_of(grid, has_labels=len(lines) < sum(map(bool, map(str.strip, text.splitlines()))))
    if (len(grid), len(grid[0])) != (rules.height, rules.width):
        message = f"the board must have {counted(rules.height, 'row')} of {counted(rules.width, 'cell')}"
        raise NotationError(f"{message}, not {len(grid)} of {len(grid[0])}")
    return Reading(rules, grid)


def _grid_of(lines: list[str], first: object) -> Grid:
    """The grid of drawn rows. first: the symbol of who began, if it is known. NotationError."""
    rows = [cells_of(line) for line in lines]
    width = max(map(len, rows), default=0)
    if width == 0:
        raise NotationError("a drawing must have at least one row")
    for number, row in enumerate(rows):
        if len(row) != width:
            text = f"row {number} (0 = top) has {counted(len(row), 'cell')}, and another one {width}"
            raise NotationError(f"{text}: write . for an empty cell")
    is_full = not any(symbol in EMPTY for row in rows for symbol in row)  # or empty cells are blanks: then it is wide
    if is_full and any(len(re.sub(r"[][()|│║┃]", "", line)) > 3 * width for line in lines):
        raise NotationError("it is not clear which cells are empty: write . for an empty cell")
    return grid_of(rows, rows, first, by_counts=True)


def rows_of(text: str) -> list[str]:
    """The rows of a drawing: its lines without frame, rules and column numbers. NotationError."""
    lines = [line for line in text.splitlines() if line.strip()]
    edges = [number for number, line in enumerate(lines) if EDGE.match(line)]
    if len(edges) > 1:
        lines = [line for line in lines[edges[0] : edges[-1]] if not EDGE.match(line)]
        inner = [SIDES.match(line) for line in lines]
        if not all(inner):
            raise NotationError("between the edges of the board there is a line without sides: give one board alone")
        return [cell[0] for cell in inner if cell]
    has_rules = re.search("[|│║┃.·_0]", text) is not None
    lines = [line for line in lines if not (EDGE.match(line) or (has_rules and RULED.fullmatch(line)))]
    for end in (0, -1):
        if len(lines) > 1 and _is_label(lines[end], lines[~end]):
            lines.pop(end)
    return lines


def _is_label(line: str, row: str) -> bool:
    """Whether a line has the numbers of the columns, from 0 or 1, or their letters. row: one that is not that line."""
    names = re.sub("[|│║┃]", " ", line).lower().split()
    names = [*names[0]] if len(names) == 1 else names
    labels = [[str(first + column) for column in range(len(names))] for first in (0, 1)]
    labels += [[label[-1] for label in each] for each in labels]
    labels += [[chr(ord("a") + column) for column in range(len(names))]]
    is_drawn = not {*names} <= {*"012"} or re.search("[^0-2,\\s]", row) is not None
    return names in labels and is_drawn and len(names) == len(cells_of(row))


def cells_of(row: str) -> list[str]:
    """The symbols of a row: what stands between bars, or each character. A last disc may be in brackets."""
    row = re.sub("(?i)none", ".", row)
    sides = SIDES.fullmatch(row.strip())
    parts = re.split("[|│║┃]", sides[1] if sides else row)
    if len(parts) > 1:
        return [part.strip(" \t[]()") for part in parts]
    row = parts[0]
    if "[" in row or "," in row:  # floats, as NumPy prints them
        row = re.sub(r"([012])\.0*(?=[\s,\]]|$)", r"\1", row)
    minus_one = "-1|" if "0" in row else r"(?<=[\s,\[])-1(?![^\s,\]])|^-1(?=[\s,])|"
    return re.findall(minus_one + "[^\\s,'\"()\\[\\]]", row)


def with_lines(text: str) -> str:
    """A drawing whose rows are joined by ; or / with a line for each row; any other text as it is."""
    rows = [cells_of(row) for row in re.split("[;/]", text)]
    cells = {cell.lower() for row in rows for cell in row}
    is_drawn = cells <= DISCS | EMPTY and ("0" in cells or DRAWN.search("".join(cells)) is not None)
    return re.sub("[;/]", "\n", text) if is_drawn and len({*map(len, rows)}) == 1 < len(rows) else text


def is_drawing(text: str, rules: Rules | None) -> bool:
    """Whether a text is rows of cells: several lines with what no list of moves has, or all cells in one line."""
    if text.startswith("[["):  # as NumPy prints arrays
        return True
    text, size = OUR_TABLE.sub("", text).lower(), rules or DEFAULT_RULES
    lines = text.splitlines()
    if len(lines) <= 1:
        cells = "".join(cells_of(text))
        is_row = {*cells} <= DISCS | EMPTY and (DRAWN.search(cells) is not None or ("0" in cells and size.width > 3))
        return is_row and len(cells) == size.cells
    if any(map(EDGE.match, lines)):
        return True
    if NUMBERED.match(text) or re.search(r"[:/]|(?:^|,)[ \t]*,", text, re.MULTILINE):
        return False
    rows = [cells_of(line) for line in lines if line.strip()]
    fits = rules is None or rules.width in (len(rows[0]), *range(PONS_COLUMNS + 1))
    return DRAWN.search(text) is not None or ("0" in text and fits and all(len(row) > 1 for row in rows))
