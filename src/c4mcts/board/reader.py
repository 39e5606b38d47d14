"""Recognises what people have: a position in a text, and the cells of an array.

`read` tries the forms that a text can have in order; the guide to boards shows an example of each. A text that no
reader understands completely is an error that says where: it is never read as something else.
"""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import unquote

import numpy as np

from .._validation import naming, shown, string
from ..errors import IllegalMoveError, NotationError
from ..rules import Rules
from .notation import PONS_COLUMNS, Grid, agreed, place, read_fen, read_rules, read_text, read_uci, require_pons

EMPTY = {*".·_-0⚪⚫🔵⬜⬛", ""}
# The discs of both players; with as many of one as of the other, the first of a pair begins.
ORDERED = (("x", "o"), ("1", "2"), ("1", "-1"), ("●", "○"))
UNORDERED = (("r", "y"), ("🔴", "🟡"))
DISCS = "xo12●○ry🔴🟡"
DRAWN = re.compile(r"[xory●○.·_|│║┃+⚪⚫🔵⬜⬛🔴🟡]|(?:^|-)[ \t]*-|-[ \t]*$", re.MULTILINE)  # in no list of moves
OUR_TABLE = re.compile(r"\n[ \t\r]*\ncolumn [0-9]+, .*", re.DOTALL)  # which `c4mcts analyze` prints below the board
EDGE = re.compile(r"\s*(?:[+╭╰┌└╔╚├╠][-+=─━═┬┴┼╦╩╬▼v]*[+╮╯┐┘╗╝┤╣]|[|│║](?:[-=─━═]+[+┼╬])+[-=─━═]+[|│║])")
RULED = re.compile(r"\s*[-=─━═]{2,}\s*")
SIDES = re.compile(r"[^|│║┃]*[|│║┃](.*)[|│║┃]")

FEN_END = re.compile(r"[\s_][xo][\s_]+[0-9]+x[0-9]+x[0-9]+")  # a FEN of one row has no /
PYTHON = re.compile(r"(?:c4mcts\.)?Board\.(?:parse|from_(?:fen|pons|moves))\(([\"']?)(.*)\1\)", re.DOTALL)
ARRAY = re.compile(r"(?:np\.)?(?:array|tensor)\((.*?)(?:,\s*(?:dtype|device)=[^\]]*)?\)", re.DOTALL)
NUMBERED = re.compile(r"1\.+\s*[1-9A-Za-z]")
LINK = re.compile(r"\w+://\S*|(?:[^\s#?]*(?:/|\.html)(?:\?[^\s#]*)?)?#\S*")
JSON = re.compile(r"\{|\[(?=.*,)|\[\S*\]$", re.DOTALL)
LOG = re.compile(r"^(?:moves: |to (?:continue|review it): c4mcts )", re.MULTILINE)
UCI = re.compile(r"[xob]\s*(?:,\s*[xob]\s*)+(?:,\s*(?:win|loss|draw))?")

# Of the page's address: /analyse/7x6x4/4453?ply=2&flip; ply: how many of the moves are on the board.
PAGE = re.compile(r"/(?:analyse|play|learn|review)/([^?]*)/([^/?]*)(?:\?(.*))?")
PLY = re.compile("(?:^|&)ply=([0-9]{1,4})(?:&|$)")
LETTERS = re.compile(r"[A-Za-z][0-9]*(?:[\s,]+[A-Za-z][0-9]*)*,?")
MOVE = re.compile(
    r"(?P<turn>(?<!\S)[0-9]{1,4}\.+)|(?P<letter>[A-Za-z][0-9]*)|(?P<digit>[0-9])"
    r"|(?P<gap>[\s,]+|(?<=[A-Za-z0-9])-(?=[A-Za-z0-9])|(?<=\s)-(?=\s))|(?P<other>.)",
    re.DOTALL,
)
WIDE_MOVE = re.compile(MOVE.pattern.replace("<digit>[0-9]", "<digit>[0-9]{1,9}"), re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says. grid, turn: the start position, if it is not the empty board; turn: None if it is not said."""

    rules: Rules
    grid: Grid | None = None
    turn: int | None = None
    moves: Sequence[int] = ()  # columns from 0, not checked against the board
    places: Sequence[str] = field(default=(), repr=False)  # of each move in the text, for errors
    first: int = 0  # the number of the leftmost column in the text


def read(text: str, rules: Rules | None = None) -> Reading:
    """What a text says, in any form. rules: for texts without rules; they must agree with any in the text.

    NotationError; IllegalMoveError for columns from 0 that were probably meant from 1.
    """
    text = string("a position", text).removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").strip()
    if LINK.fullmatch(text):
        return _read_link(text, rules)
    if python := PYTHON.fullmatch(text):  # a call of Board, as `repr` and the page write it
        return read(python[2], rules)
    if JSON.match(text) or ARRAY.fullmatch(text):
        return _read_json(text, rules)
    if LOG.search(text):
        return _read_log(text, rules)
    if UCI.fullmatch(text):
        return Reading(rules or Rules(), read_uci(text, rules or Rules()))
    if _is_drawing(text, rules):
        return _read_drawn(text, rules)
    return _read_prefixed(text, rules)


# links, prefixes and what our own commands print


def _read_link(text: str, rules: Rules | None) -> Reading:
    """A link to the page, whose position follows #, or one with pos=."""
    _, hash_sign, place = text.partition("#")
    if found := re.search("[?&]pos=([^&#]*)", text):
        return _read_prefixed(unquote(found[1]), agreed(Rules(), rules))
    if not hash_sign:
        raise NotationError(f"the link {shown(text)} has no position, which would follow # or pos=")
    place = unquote(place)
    if page := PAGE.fullmatch(place):
        moves = page[2]
        if ply := PLY.search(page[3] or ""):
            parts = [f"{move}," for move in moves.rstrip(",").split(",")] if "," in moves else moves
            moves = "".join(parts[: int(ply[1])])
        place = f"{page[1]}:{moves}"
    if "/" in place or ":" in place:
        return _read_prefixed(place, rules)
    return _read_prefixed(place, agreed(Rules(), rules))


def _read_log(text: str, rules: Rules | None) -> Reading:
    """What `c4mcts play` prints at the end of a game: its moves, and a command with the position of the page."""
    games = set(re.findall(r"(?m)^to (?:continue|review it): c4mcts (?:play|review) (\S+)\s*$", text))
    games = games or set(re.findall(r"(?m)^moves: (.*\S)\s*$", text))
    if len(games) != 1:
        raise NotationError(f"the text has the moves of {len(games)} games: give those of one")
    return _read_prefixed(games.pop(), rules)


def _read_prefixed(text: str, rules: Rules | None) -> Reading:
    """Moves, perhaps after rules and a colon, or after a FEN and a colon; or a FEN alone."""
    head, colon, moves = text.partition(":")
    if "/" in head or FEN_END.search(head):
        found, grid, turn = read_fen(head.replace("_", " "))
        return read_moves(moves, Reading(agreed(found, rules, "FEN"), grid, turn))
    if colon:
        return read_moves(moves, Reading(agreed(read_rules(head), rules)))
    return read_moves(text, Reading(rules or Rules()))


# moves


def read_moves(text: str, start: Reading) -> Reading:
    """The start with the moves of a text: a list with commas from 0, or columns from 1 as digits or letters."""
    if "," in text and not LETTERS.fullmatch(text.strip()):
        return _from_zero(read_text(text), start)
    return _from_one(text, start)


def _from_zero(moves: list[int], start: Reading) -> Reading:
    """The start with a list of columns from 0. IllegalMoveError if it makes sense from 1 only."""
    width = start.rules.width
    if moves and min(moves) >= 1 and max(moves) == width:
        entry = moves.index(width) + 1
        words = f"column must be 0 to {width - 1}, not {width}: columns count from 0 in a list with commas"
        raise IllegalMoveError(f"entry {entry}: {words}, and from 1 without commas")
    places = [f"entry {number}" for number in range(1, len(moves) + 1)]
    return Reading(start.rules, start.grid, start.turn, moves, places)


def _from_one(text: str, start: Reading) -> Reading:
    """The start with moves from 1: 4453, 4 4 5 3, 4-4-5-3, 1. 4 4 2. 5 3, d1 d2 e1, ddec.

    A row after a letter, from 1, must be the one in which the disc lands. On boards of more than nine columns, numbers
    need something between them.
    """
    rules = start.rules
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
                raise NotationError(f"{name}: {shown(token[0])} is not the number of move {turns}")
            continue
        style = style or kind
        column = ord(token[0][0].lower()) - ord("a") if kind == "letter" else int(token["digit"] or 0) - 1
        if kind != style or column < 0 or (kind == "letter" and column >= rules.width):
            last = chr(ord("a") + min(rules.width, 26) - 1)
            wanted = f"the letters a to {last}" if style == "letter" else f"the digits 1 to {min(rules.width, 9)}"
            wanted = "numbers from 1" if is_wide and style == "digit" else wanted
            raise NotationError(f"{name}, {shown(token[0])}, is not a column: columns are {wanted}, from 0 with commas")
        moves.append(column)
        places.append(name)
        if kind == "letter" and token[0][1:]:
            row = sum(cells[column] > 0 for cells in start.grid or ()) + moves.count(column)
            if row > rules.height:
                raise NotationError(f"{name}, {shown(token[0])}: the column is full")
            if token[0][1:] != str(row):
                raise NotationError(f"{name}, {shown(token[0])}: the disc lands in row {row}")
    return Reading(rules, start.grid, start.turn, moves, places, first=1)


# JSON


def loaded(text: str) -> Any:
    """The value of a text as JSON, or as Python prints lists and dicts. NotationError."""
    try:
        return json.loads(text)
    except RecursionError:
        raise NotationError("the JSON is nested too deeply") from None
    except ValueError as error:
        words = {"'": '"', "None": "null", "True": "true", "False": "false"}
        try:
            return json.loads(re.sub("'|None|True|False", lambda found: words[found[0]], text))
        except (ValueError, RecursionError):
            raise NotationError(f"the text begins as JSON but is none: {error}") from None


def _read_json(text: str, rules: Rules | None) -> Reading:
    """A list of moves from 0, a board as a flat list or as rows, or what Kaggle calls an observation or an episode."""
    array = ARRAY.fullmatch(text)
    value = loaded(text if array is None else array[1])
    if isinstance(value, list):
        return _read_list(value, rules)
    if isinstance(value, dict) and isinstance(value.get("steps"), list):
        return _read_episode(value, rules)
    if isinstance(value, dict) and isinstance(value.get("board"), list):
        return _read_list(value["board"], rules, is_board=True)
    wanted = "a list of moves or cells, a Kaggle observation (board) or a Kaggle episode (steps)"
    raise NotationError(f"JSON must be {wanted}, not {shown(value)}")


def _read_list(value: list[Any], rules: Rules | None, is_board: bool = False) -> Reading:
    """A list of rows, or a flat one of cells or, unless it is a board, of moves."""
    if value and all(isinstance(row, list) for row in value):
        rules = rules or size_of(value)
        return Reading(rules, read_array(value, rules))
    rules = rules or Rules()
    are_cells = len(value) == rules.cells and all(
        isinstance(cell, str) or cell in (-1, 0, 1, 2, None) for cell in value
    )
    if are_cells or is_board:
        if rules.width <= 3 and not is_board:
            raise NotationError("the list can be moves or cells: write moves without brackets, or rows of cells")
        if len(value) != rules.cells:
            raise NotationError(f"the board must have {rules.cells} cells for {rules}, not {len(value)}")
        rows = [value[start : start + rules.width] for start in range(0, rules.cells, rules.width)]
        return Reading(rules, read_array(rows, rules))
    for number, column in enumerate(value, 1):
        if type(column) is not int or not 0 <= column < 10**9:
            raise NotationError(f"entry {number} is {shown(column)}, not the number of a column (0-based)")
    return _from_zero(value, Reading(rules))


def _read_episode(episode: dict[str, Any], rules: Rules | None) -> Reading:
    """The game of a Kaggle episode, from the boards of its steps. A move that was refused ends it."""
    try:
        sizes = episode.get("configuration") or {"columns": 7, "rows": 6, "inarow": 4}
        rules = agreed(Rules(sizes["columns"], sizes["rows"], sizes["inarow"]), rules, "episode")
        boards = [list(step[0]["observation"]["board"]) for step in episode["steps"]]
    except (KeyError, IndexError, TypeError):
        raise NotationError(
            "a Kaggle episode must have a board in each step, and the size in its configuration"
        ) from None
    board, moves = [0] * rules.cells, list[int]()
    for number, found in enumerate(boards):
        changed = [cell for cell, (old, new) in enumerate(zip(board, found, strict=False)) if old != new]
        if changed:
            column = changed[0] % rules.width
            free = [cell for cell in range(column, rules.cells, rules.width) if board[cell] == 0]
            board[max(free, default=0)] = len(moves) % 2 + 1
            moves.append(column)
        if found != board:
            raise NotationError(f"step {number} of the Kaggle episode does not follow from the one before by one move")
    return Reading(rules, None, None, moves, [f"move {number}" for number in range(1, len(moves) + 1)])


# boards, cell by cell


def size_of(rows: Sequence[Sequence[object]]) -> Rules:
    """The usual rules for a board of that size. NotationError."""
    with naming(f"a board of {len(rows)} rows of {len(rows[0])} cells: ", NotationError):
        return Rules(len(rows[0]), len(rows))


def read_array(rows: Any, rules: Rules, symbols: tuple[object, object, object] | None = None) -> Grid:
    """The grid of height x width cells: numbers 0, 1, 2, or one value for empty cells and one for each player's discs.

    symbols: for empty cells and for the first and the second player; by default they are recognised. NotationError.
    """
    shape = rules.height, rules.width
    try:  # lengths first: NumPy would copy all of a range
        fits = len(rows) == rules.height and all(len(row) == rules.width for row in rows)
        array = np.asarray(rows if fits else ())
    except (TypeError, ValueError):
        array = np.asarray(())
    if array.shape != shape or any(isinstance(row, str) for row in rows):
        raise NotationError(f"the board must have {rules.height} rows of {rules.width} cells, not {shown(rows)}")
    cells = array.tolist()
    symbol = _symbol_of if symbols is None else partial(_symbol_among, symbols)
    grid = grid_of([[symbol(cell) for cell in row] for row in cells], cells)
    ones, twos = (sum(row.count(player) for row in grid) for player in (1, 2))
    if twos == ones + 1:
        words = f"there are {ones} discs of the first player and {twos} of the second, who would have begun"
        raise NotationError(f"{words}: swap them with from_array(..., first=, second=)")
    return grid


def _symbol_among(symbols: tuple[object, object, object], cell: object) -> str:
    empty, first, second = symbols
    if cell == first:
        return "x"
    if cell == second:
        return "o"
    return "" if cell == empty or (empty is None and _symbol_of(cell) in EMPTY) else "?"


def _symbol_of(cell: object) -> str:
    """The symbol that a drawing would have for the cell of an array; "?" if there is none."""
    if isinstance(cell, str):
        return cell.strip().lower()
    if cell is None:
        return ""
    is_whole = isinstance(cell, int | float) and not isinstance(cell, bool) and cell in (-1, 0, 1, 2)
    return str(int(cell)) if is_whole else "?"  # type: ignore[call-overload]


def grid_of(rows: list[list[str]], cells: Sequence[Sequence[object]], by_counts: bool = False) -> Grid:
    """The grid of rows of symbols: one for empty cells, one for each player. cells: the same as given, for errors.

    by_counts: with one disc more of the second symbol, it is the first player's. NotationError.
    """
    counts = Counter(symbol for row in rows for symbol in row)
    pairs = [pair for pair in (*ORDERED, *UNORDERED) if counts.keys() & {*pair}] or [ORDERED[1]]
    pair = next((pair for pair in pairs if not counts.keys() - EMPTY - {*pair}), pairs[0])
    for number, row in enumerate(rows):
        for column, symbol in enumerate(row):
            if symbol not in EMPTY and symbol not in pair:
                wanted = f"0, {pair[0]}, {pair[1]}" if pair[0] == "1" else f". {pair[0]} {pair[1]}"
                raise NotationError(f"{place(number, column)} is {shown(cells[number][column])}, not one of {wanted}")
    empty = sorted(counts.keys() & EMPTY - {""})
    if len(empty) > 1:
        raise NotationError(f"empty cells must have one symbol, not {' and '.join(map(repr, empty))}")
    first, second = pair
    if counts[first] == counts[second] > 0 and pair in UNORDERED:
        words = f"with as many discs {first} as {second}, it is not known who began"
        raise NotationError(f"{words}: write x for the first player, o for the second")
    if counts[second] == counts[first] + 1 and (by_counts or pair in UNORDERED):
        first, second = second, first
    values = {first: 1, second: 2}
    return [[values.get(symbol, 0) for symbol in row] for row in rows]


# drawings


def _read_drawn(text: str, rules: Rules | None) -> Reading:
    """A drawing; without rules it has those of its size, four in a row. A single row may be the whole of the board."""
    grid = read_drawing(text)
    if "\n" not in text:
        rules = rules or Rules()
        (cells,) = grid
        grid = [cells[start : start + rules.width] for start in range(0, len(cells), rules.width)]
    rules = rules or size_of(grid)
    if (len(grid), len(grid[0])) != (rules.height, rules.width):
        words = f"the board must have {rules.height} rows of {rules.width} cells"
        raise NotationError(f"{words}, not {len(grid)} of {len(grid[0])}")
    return Reading(rules, grid)


def read_drawing(text: str) -> Grid:
    """The grid of drawn rows, the top one first; perhaps with a frame, bars and column numbers. NotationError."""
    lines = rows_of(OUR_TABLE.sub("", text).replace("\N{VARIATION SELECTOR-16}", ""))
    rows = [cells_of(line) for line in lines]
    width = max(map(len, rows), default=0)
    if width == 0:
        raise NotationError("a drawing must have at least one row")
    for number, row in enumerate(rows):
        if len(row) != width:
            words = f"row {number} (0 = top) has {len(row)} cells, and another one {width}"
            raise NotationError(f"{words}: write . for an empty cell")
    is_full = not any(symbol in EMPTY for row in rows for symbol in row)  # or empty cells are blanks: then it is wide
    if is_full and any(len(re.sub(r"[][()|│║┃]", "", line)) > 3 * width for line in lines):
        raise NotationError("it is not clear which cells are empty: write . for an empty cell")
    return grid_of(rows, rows, by_counts=True)


def rows_of(text: str) -> list[str]:
    """The lines of a drawing that are rows: what is left without frame, rules and column numbers. NotationError."""
    lines = [line for line in text.splitlines() if line.strip()]
    edges = [number for number, line in enumerate(lines) if EDGE.match(line)]
    if len(edges) > 1:
        lines = [line for line in lines[edges[0] : edges[-1]] if not EDGE.match(line)]
        inner = [SIDES.match(line) for line in lines]
        if not all(inner):
            raise NotationError("between the edges of the board there is a line without sides: give one board alone")
        return [found[0] for found in inner if found]
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
    row = re.sub("none", ".", row.lower())
    sides = SIDES.fullmatch(row.strip())
    parts = re.split("[|│║┃]", sides[1] if sides else row)
    if len(parts) > 1:
        return [part.strip(" \t[]()") for part in parts]
    row = re.sub(r"([012])\.(?=[\s\]])", r"\1", parts[0]) if "[" in row else parts[0]  # floats, as NumPy prints them
    return re.findall("-1|[^\\s,'\"()\\[\\]]" if "0" in row else "[^\\s,'\"()\\[\\]]", row)


def _is_drawing(text: str, rules: Rules | None) -> bool:
    """Whether a text is rows of cells: several lines with what no list of moves has, or all cells in one line."""
    if text.startswith("[["):  # as NumPy prints arrays
        return True
    text = OUR_TABLE.sub("", text)
    lines = text.splitlines()
    if len(lines) <= 1:
        cells = "".join(cells_of(text))
        is_row = {*cells} <= {*DISCS} | EMPTY and DRAWN.search(cells) is not None
        return is_row and len(cells) == (rules or Rules()).cells
    if any(map(EDGE.match, lines)):
        return True
    if NUMBERED.match(text) or re.search(r"[:/]|(?:^|,)[ \t]*,", text, re.MULTILINE):
        return False
    rows = [cells_of(line) for line in lines if line.strip()]
    fits = rules is None or rules.width in (len(rows[0]), *range(PONS_COLUMNS + 1))
    return DRAWN.search(text) is not None or ("0" in text and fits and all(len(row) > 1 for row in rows))
