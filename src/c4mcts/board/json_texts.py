"""JSON, or what Python prints: lists, and the observations and episodes of Kaggle.

| value | what it is |
|---|---|
| [3, 3, 4, 2] | moves, columns from 0 |
| a list of as many cells as the board has, or of rows | a board, the top row first |
| {"board": [...]} | an observation of ConnectX |
| {"steps": [...]} | an episode of ConnectX; of the Game Arena, if it has info.actionHistory |
"""

import json
import re
from typing import Any

from .._validation import brief, counted, naming
from ..errors import NotationError
from ..rules import DEFAULT_RULES, Rules
from .grids import read_array, size_of
from .move_texts import Hints, Reading, from_zero
from .notation import agreed

CELLS = re.compile(r"\s*(?:-1|[012])(?:\.0*)?\s*(?:,\s*(?:-1|[012])(?:\.0*)?\s*)+,?\s*")  # of a board, without brackets


def loaded(text: str) -> Any:
    """The value of a text as JSON, or as Python prints lists and dicts. NotationError."""
    try:
        return json.loads(text)
    except RecursionError:
        raise NotationError("the JSON is nested too deeply") from None
    except ValueError as error:
        replacements = {"'": '"', "None": "null", "True": "true", "False": "false"}
        try:
            return json.loads(re.sub("'|None|True|False", lambda match: replacements[match[0]], text))
        except (ValueError, RecursionError):
            raise NotationError(f"the text looks like JSON but cannot be read: {error}") from None


def read_json(value: Any, hints: Hints) -> Reading:
    """A list of moves from 0, a board as a flat list or as rows, or what Kaggle calls an observation or an episode."""
    if isinstance(value, list):
        return _read_list(value, hints)
    if is_episode(value):
        return _read_episode(value, hints.rules)
    if isinstance(value, dict) and isinstance(value.get("board"), list):
        return _read_list(value["board"], hints, is_board=True)
    requirement = "a list of moves or cells, a Kaggle observation (board) or a Kaggle episode (steps)"
    raise NotationError(f"JSON must be {requirement}, not {brief(value)}")


def cells_in(text: str, rules: Rules) -> list[int] | None:
    """The cells of a board as numbers with commas; None for other texts, such as moves."""
    numbers = [number.strip() for number in text.strip().rstrip(",").split(",")]
    if len(numbers) != rules.cells or rules.width <= 3 or not CELLS.fullmatch(text):
        return None
    return [int(float(number)) for number in numbers]


def _read_list(value: list[Any], hints: Hints, is_board: bool = False) -> Reading:
    """A list of rows, or a flat one of cells or, unless it is a board, of moves."""
    if value and all(isinstance(row, list) for row in value):
        rules = hints.rules or size_of(value)
        return Reading(rules, read_array(value, rules, first=hints.first))
    rules = hints.rules or DEFAULT_RULES
    are_cells = len(value) == rules.cells and all(
        isinstance(cell, str) or cell in (-1, 0, 1, 2, None) for cell in value
    )
    if are_cells or is_board:
        if rules.width <= 3 and not is_board:
            raise NotationError("the list can be moves or cells: write moves without brackets, or rows of cells")
        if len(value) != rules.cells:
            raise NotationError(f"the board must have {counted(rules.cells, 'cell')} for {rules}, not {len(value)}")
        rows = [value[start : start + rules.width] for start in range(0, rules.cells, rules.width)]
        return Reading(rules, read_array(rows, rules, first=hints.first))
    for number, column in enumerate(value, 1):
        if type(column) is not int or not 0 <= column < 10**9:
            raise NotationError(f"entry {number} is {brief(column)}, not the number of a column (0-based)")
    return from_zero(value, Reading(rules))


def is_episode(value: object) -> bool:
    """Whether a value of JSON is an episode of Kaggle."""
    return isinstance(value, dict) and isinstance(value.get("steps"), list)


def _read_episode(episode: dict[str, Any], rules: Rules | None) -> Reading:
    """The game of a Kaggle episode. A move that was refused ends it."""
    try:
        sizes = episode.get("configuration") or {"columns": 7, "rows": 6, "inarow": 4}
        history = (episode.get("info") or {}).get("actionHistory")
        if isinstance(history, list):
            return _read_arena(history, sizes, rules)
        rules = agreed(_rules_of(sizes["columns"], sizes["rows"], sizes["inarow"]), rules, "episode")
        boards = [list(step[0]["observation"]["board"]) for step in episode["steps"]]
    except (KeyError, IndexError, TypeError, AttributeError):
        raise NotationError(
            "a Kaggle episode must have a board in each step, or info.actionHistory, and the size in its configuration"
        ) from None
    board, moves = [0] * rules.cells, list[int]()
    for number, grid in enumerate(boards):
        changed = [cell for cell, (old, new) in enumerate(zip(board, grid, strict=False)) if old != new]
        if changed:
            column = changed[0] % rules.width
            free = [cell for cell in range(column, rules.cells, rules.width) if board[cell] == 0]
            board[max(free, default=0)] = len(moves) % 2 + 1
            moves.append(column)
        if grid != board:
            raise NotationError(f"step {number} of the Kaggle episode does not follow from the one before by one move")
    return Reading(rules, None, None, moves, [f"move {number}" for number in range(1, len(moves) + 1)], first=0)


def _read_arena(history: list[Any], configuration: dict[str, Any], rules: Rules | None) -> Reading:
    """An episode of OpenSpiel's Connect Four, as the Game Arena has them, from its list of moves."""
    game = configuration.get("openSpielGameName", "connect_four")
    if game != "connect_four":
        raise NotationError(f"the Kaggle episode is a game of {brief(game)}, not of connect_four")
    size = configuration.get("openSpielGameParameters") or {}
    own = _rules_of(size.get("columns", 7), size.get("rows", 6), size.get("x_in_row", 4))
    for number, column in enumerate(history, 1):
        if not re.fullmatch("[0-9]{1,9}", str(column)):
            raise NotationError(f"move {number} of the Kaggle episode is {brief(column)}, not the number of a column")
    places = [f"move {number}" for number in range(1, len(history) + 1)]
    return Reading(agreed(own, rules, "episode"), None, None, [int(column) for column in history], places, first=0)


def _rules_of(width: Any, height: Any, connect: Any) -> Rules:
    """The rules of an episode. NotationError."""
    with naming("the Kaggle episode: ", NotationError):
        return Rules(width, height, connect)
