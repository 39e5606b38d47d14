"""Messages: from the text of a message to its keys, and to the positions it names."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO, Generic, NoReturn, TypeVar

from .._layout import MAX_SIDE
from .._validation import an_instance, between, brief, flag, must_be, naming, string, suggestion
from ..board.board import Board
from ..rules import MAX_CONNECT, Rules

MAX_ID = 200  # characters
MAX_TURN = MAX_SIDE * MAX_SIDE  # the longest game
EXACT = 2.0**53  # every integer up to here is a float
# What the keys of a message are called in the rest of the package, and elsewhere.
OTHER_NAMES = {
    **dict.fromkeys(("simulations", "visits", "iterations", "playouts", "rollouts"), "maxVisits"),
    **dict.fromkeys(("nodes", "max_nodes"), "maxNodes"),
    **dict.fromkeys(("seconds", "time", "timeout", "time_limit", "max_time", "movetime"), "maxTime"),
    **dict.fromkeys(("board", "start", "state"), "position"),
    **dict.fromkeys(("params", "settings"), "overrideSettings"),
    **dict.fromkeys(("turns", "turn", "ply"), "analyzeTurns"),
    **dict.fromkeys(("root_moves", "rootMoves"), "allowMoves"),
    **dict.fromkeys(("line", "pv"), "includePv"),
    "method": "action",
    "workers": "threads",
}
TEXT_KEYS = ("id", "position", "fen", "preset")  # whose values are texts, even if they are digits
REQUIRED: Any = object()  # the default of a key that a message must have

T = TypeVar("T")
D = TypeVar("D")
Id = str | int  # of a message, chosen by the client
Schema = dict[str, Any]  # a JSON Schema


class Refusal(ValueError):
    """A message that cannot be answered. field: the key at fault, or None. id: the message's, if it has a valid one."""

    def __init__(self, message: str, field: str | None = None, name: Id | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.id = name


def read_message(data: str | bytes, max_bytes: int) -> dict[str, Any] | None:
    """Parse one message, a JSON object; returns None for blank text. Refusal.

    Duplicate keys, NaN and infinity are refused, since JSON gives them no meaning. Whole numbers become ints, even if
    they are written as floats (1e6).
    """
    if len(data) > max_bytes:
        raise too_long(max_bytes)
    try:
        text = (data.decode() if isinstance(data, bytes) else data).removeprefix("\ufeff")  # a byte order mark
    except UnicodeDecodeError as error:
        raise Refusal(f"a message must be UTF-8 text: byte {error.start} is {data[error.start]:#04x}") from None
    if not text.strip():
        return None
    try:
        message = _loads(text)
    except ValueError as error:
        raise Refusal(f"a message must be JSON: {error}") from None
    except RecursionError:
        raise Refusal("a message must be JSON, and this one is nested too deeply") from None
    if not isinstance(message, dict):
        raise Refusal(must_be("a message", "a JSON object", message))
    return message


def bounded_lines(file: BinaryIO, most: int) -> Iterator[bytes]:
    """The lines of a stream; only the first `most` + 1 bytes of a longer one, whose rest is dropped as it comes."""
    while line := file.readline(most + 1):
        yield line
        while line and not line.endswith(b"\n"):
            line = file.readline(most)


def read_value(name: str, text: str) -> Any:
    """The value of a key that is given as a text, which may be JSON. Refusal."""
    if name in TEXT_KEYS and not text.startswith('"'):
        return text
    try:
        return _loads(text)
    except (json.JSONDecodeError, RecursionError):
        return text
    except ValueError as error:
        raise Refusal(f"{name}: {error}", name) from None


def _loads(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_object, parse_float=_number, parse_constant=_no_number)


def too_long(max_bytes: int) -> Refusal:
    """The refusal of a message that is longer than `max_bytes`."""
    return Refusal(f"a message must have at most {max_bytes:,} bytes")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, value in pairs:
        if name in result:
            raise ValueError(f"the key {brief(name)} appears twice in the same object")
        result[name] = value
    return result


def _number(text: str) -> int | float:
    number = float(text)
    return int(number) if abs(number) < EXACT and number.is_integer() else number


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number in JSON")


def refusing(field: str) -> AbstractContextManager[None]:
    """Make a TypeError or ValueError of the block the Refusal of a key."""
    return naming("", partial(Refusal, field=field))


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """The values that a key may have. read: called with the name and the value of a key; TypeError, ValueError."""

    read: Callable[[str, Any], T]
    schema: Schema


def object_schema(properties: Schema, required: Iterable[str]) -> Schema:
    return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}


def whole(low: int, high: int) -> Kind[int]:
    """Integers from `low` to `high`."""
    return Kind(partial(between, low=low, high=high), {"type": "integer", "minimum": low, "maximum": high})


def integers(what: str, each: Kind[int], *, least: int = 0, most: int) -> Kind[list[int]]:
    """Lists of `least` to `most` integers. what: their name in the errors."""

    def read(name: str, value: object) -> list[int]:
        numbers = an_instance(name, value, list, f"a list of {what}")
        if not least <= len(numbers) <= most:
            raise ValueError(f"{name} must have {least} to {most} {what}, not {len(numbers)}")
        return [each.read(f"{name}[{index}]", number) for index, number in enumerate(numbers)]

    return Kind(read, {"type": "array", "minItems": least, "maxItems": most, "items": each.schema})


def _id(name: str, value: object) -> Id:
    if type(value) is int:
        return between(name, value, -int(EXACT), int(EXACT))
    text = an_instance(name, value, str, "a string or an integer")
    if not 1 <= len(text) <= MAX_ID:
        raise ValueError(f"{name} must have 1 to {MAX_ID} characters, not {len(text)}")
    return text


def _rules(name: str, value: object) -> Rules:
    keys = an_instance(name, value, dict, f"an object with some of the keys {', '.join(RULE_FIELDS)}")
    for key in keys:
        if key not in RULE_FIELDS:
            raise ValueError(f"{name} has the unknown key {brief(key)}{suggestion(key, RULE_FIELDS, 'keys')}")
    return Rules(**keys)


TEXT, FLAG, COLUMN = Kind(string, {"type": "string"}), Kind(flag, {"type": "boolean"}), whole(0, MAX_SIDE - 1)
_SIDE, _CONNECT = whole(1, MAX_SIDE), whole(2, MAX_CONNECT)
RULE_FIELDS: dict[str, Kind[Any]] = {"width": _SIDE, "height": _SIDE, "connect": _CONNECT, "diagonals": FLAG}
ID = Kind(_id, {"type": ["string", "integer"], "minLength": 1, "maxLength": MAX_ID})


@dataclass(frozen=True, slots=True)
class Key(Generic[T, D]):
    """A key of messages. default: in a message without it; REQUIRED if there is none. says: its meaning."""

    name: str
    kind: Kind[T]
    default: D
    says: str = ""

    def __call__(self, keys: "Keys") -> T | D:
        """The value in a message. Refusal."""
        return keys.take(self)


class Keys:
    """The keys of a message, taken one by one. Those left over at the end are unknown."""

    def __init__(self, message: dict[str, Any]) -> None:
        self._left, self.names = dict(message), frozenset(message)
        self.taken: list[Key[Any, Any]] = []

    def take(self, key: Key[T, D]) -> T | D:
        """The value of a key; its default if the message does not have it. Refusal."""
        self.taken.append(key)
        if key.name in self._left:
            with refusing(key.name):
                return key.kind.read(key.name, self._left.pop(key.name))
        if key.default is REQUIRED:
            raise Refusal(f"the key {key.name!r} is missing", key.name)
        return key.default

    def end(self) -> None:
        """Refuse keys that were not taken."""
        names = [key.name for key in self.taken]
        for name in self._left:
            own = OTHER_NAMES.get(name)
            hint = f": write {own!r}" if own in names else suggestion(name, names, "keys")
            raise Refusal(f"unknown key {brief(name)}{hint}", name[:MAX_ID])


_RULES = Kind(_rules, object_schema({name: kind.schema for name, kind in RULE_FIELDS.items()}, ()))
RULES = Key("rules", _RULES, None, "Width, height, connect and diagonals, where they are not 7, 6, 4 and true.")
POSITION = Key("position", TEXT, None, "Instead of moves and fen: a text in any form that Board.parse reads, as 4453.")
FEN = Key("fen", TEXT, None, 'The position before the first of the moves, such as "7/7/7/7/7/2xo3 x 7x6x4".')
_COLUMNS = integers("columns", COLUMN, most=MAX_TURN).schema  # the board checks each
_MOVES = Kind(partial(an_instance, kind=list, requirement="a list of columns"), _COLUMNS)
MOVES = Key("moves", _MOVES, None, "Columns, counted from 0, played from `fen` or from the empty board.")


def read_game(keys: Keys) -> Board:
    """The end of the game of a message, in which every move is legal. Refusal.

    Keys: `moves`, a list of 0-based columns, played from `fen` or from the empty board of `rules`; or `position`, a
    text in any form that Board.parse reads. Turn 0 is the start, the last turn is after all moves.
    """
    rules, position, fen, moves = keys.take(RULES), keys.take(POSITION), keys.take(FEN), keys.take(MOVES)
    if position is not None:
        for name, value in (("moves", moves), ("fen", fen)):
            if value is not None:
                raise Refusal(f"give either 'position' or {name!r}, not both", name)
        with refusing("position"):
            return Board.parse(position, rules)
    with refusing("fen"):
        board = Board(rules) if fen is None else Board.from_fen(fen, rules)
    with refusing("moves"):
        return board.after(*moves or ())


def read_turns(keys: Keys, most: int) -> tuple[tuple[int, Board], ...]:
    """The turns in `analyzeTurns`, at most `most`, and their boards; by default the last turn. Refusal."""
    board = read_game(keys)
    last, most = len(board.moves), min(most, MAX_TURN + 1)
    schema = integers("turns", whole(0, MAX_TURN), least=1, most=most).schema

    def read(name: str, value: object) -> list[int]:
        turns = integers("turns", whole(0, last), least=1, most=most).read(name, value)
        if len(set(turns)) != len(turns):
            raise ValueError(must_be(name, "a list of distinct turns", value))
        return turns

    says = "Turns, each of which gets a search and replies; 0 is the position before the first move. Default: the last."
    turns = keys.take(Key("analyzeTurns", Kind(read, schema | {"uniqueItems": True}), [last], says))
    boards = dict.fromkeys(turns, board)
    for turn in range(last, min(turns) - 1, -1):
        if turn in boards:
            boards[turn] = board.copy()
        if turn:
            board.pop()
    return tuple(_unfinished(keys, turn, boards[turn]) for turn in turns)


def read_last_turn(keys: Keys) -> tuple[int, Board]:
    """The last turn and its board. Refusal."""
    board = read_game(keys)
    return len(board.moves), board


def read_unfinished(keys: Keys) -> tuple[int, Board]:
    """The last turn and its board, of a game that is not over. Refusal."""
    return _unfinished(keys, *read_last_turn(keys))


def _unfinished(keys: Keys, turn: int, board: Board) -> tuple[int, Board]:
    outcome = board.outcome()
    if outcome is not None:
        field = "position" if "position" in keys.names else "moves" if turn else "fen"
        end = "a draw" if outcome.winner is None else f"player {outcome.winner} has won"
        raise Refusal(f"the game is over at turn {turn} ({end}), so there is no move to search", field)
    return turn, board
