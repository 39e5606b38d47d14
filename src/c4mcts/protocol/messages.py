"""Messages: from the text of a message to its keys, and to the positions it names."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, BinaryIO, NoReturn, TypeVar

from .._validation import an_instance, between, naming, refused, shown, string, suggestion
from ..board.board import Board
from ..rules import Rules

MAX_ID = 200  # characters
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
RULES = ("width", "height", "connect", "diagonals")

T = TypeVar("T")
D = TypeVar("D")
Id = str | int  # of a message, chosen by the client


class Refusal(ValueError):
    """A message that cannot be answered. field: the key at fault, or None. id: that of the message, if it is known."""

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
        raise Refusal(refused("a message", "a JSON object", message))
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
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the key {shown(name)} appears twice in the same object")
        found[name] = value
    return found


def _number(text: str) -> int | float:
    number = float(text)
    return int(number) if abs(number) < EXACT and number.is_integer() else number


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number in JSON")


def an_id(name: str, value: object) -> Id:
    """Check an id, a string of 1 to MAX_ID characters or an integer. TypeError, ValueError."""
    if type(value) is int:
        return between(name, value, -int(EXACT), int(EXACT))
    text = an_instance(name, value, str, "a string or an integer")
    if not 1 <= len(text) <= MAX_ID:
        raise ValueError(f"{name} must have 1 to {MAX_ID} characters, not {len(text)}")
    return text


def integers(name: str, value: object, what: str, *, most: int, high: int) -> list[int]:
    """A list of at most `most` integers from 0 to `high`. what: their name in the errors. TypeError, ValueError."""
    found = an_instance(name, value, list, f"a list of {what}")
    if len(found) > most:
        raise ValueError(f"{name} must have at most {most} {what}, not {len(found)}")
    return [between(f"{name}[{index}]", number, 0, high) for index, number in enumerate(found)]


class Keys:
    """The keys of a message, taken one by one. Those left over at the end are unknown."""

    def __init__(self, message: dict[str, Any]) -> None:
        self._left = dict(message)
        self._known: list[str] = []

    def __contains__(self, name: str) -> bool:
        """Whether the message has this key and it has not been taken yet."""
        return name in self._left

    def take(self, name: str, check: Callable[[str, Any], T], default: D) -> T | D:
        """The checked value of a key; the default if the message does not have it. Refusal.

        check: called with the name and the value; its TypeError or ValueError becomes a Refusal.
        """
        self._known.append(name)
        if name not in self._left:
            return default
        with naming("", partial(Refusal, field=name)):
            return check(name, self._left.pop(name))

    def need(self, name: str, check: Callable[[str, Any], T]) -> T:
        """As `take`, for a required key."""
        if name not in self._left:
            raise Refusal(f"the key {name!r} is missing", name)
        found: T | None = self.take(name, check, None)
        assert found is not None
        return found

    def end(self) -> None:
        """Refuse keys that were not taken."""
        for name in self._left:
            own = OTHER_NAMES.get(name)
            hint = f": write {own!r}" if own in self._known else suggestion(name, self._known, "keys")
            raise Refusal(f"unknown key {shown(name)}{hint}", name[:MAX_ID])


def read_game(keys: Keys) -> Board:
    """The end of the game of a message, in which every move is legal. Refusal.

    Keys: `moves`, a list of 0-based columns, played from `fen` or from the empty board of `rules`; or `position`, a
    text in any form that Board.parse reads. Turn 0 is the start, the last turn is after all moves.
    """
    rules = keys.take("rules", _rules, None)
    if "position" in keys:
        for name in ("moves", "fen"):
            if name in keys:
                raise Refusal(f"give either 'position' or {name!r}, not both", name)
        return keys.need("position", lambda name, text: Board.parse(string(name, text), rules))
    board = keys.take("fen", lambda name, text: Board.from_fen(string(name, text), rules), None) or Board(rules)

    def moves(name: str, value: object) -> Board:
        return board.after(*an_instance(name, value, list, "a list of columns"))

    return keys.take("moves", moves, board)


def read_turns(keys: Keys, most: int) -> tuple[tuple[int, Board], ...]:
    """The turns in `analyzeTurns`, at most `most`, and their boards; by default the last turn. Refusal."""
    board = read_game(keys)
    last = len(board.moves)

    def turns(name: str, value: object) -> list[int]:
        found = integers(name, value, "turns", most=most, high=last)
        if not found:
            raise ValueError(refused(name, "a list of at least one turn", value))
        if len(set(found)) != len(found):
            raise ValueError(refused(name, "a list of distinct turns", value))
        return found

    asked, boards = keys.take("analyzeTurns", turns, [last]), dict[int, Board]()
    wanted = set(asked)
    for turn in range(last, min(asked) - 1, -1):
        if turn in wanted:
            boards[turn] = board.copy()
        if turn:
            board.pop()
    return tuple(_unfinished(turn, boards[turn]) for turn in asked)


def read_last_turn(keys: Keys) -> tuple[int, Board]:
    board = read_game(keys)
    return len(board.moves), board


def read_unfinished(keys: Keys) -> tuple[int, Board]:
    """As `read_last_turn`, for a game that is not over."""
    return _unfinished(*read_last_turn(keys))


def _unfinished(turn: int, board: Board) -> tuple[int, Board]:
    outcome = board.outcome()
    if outcome is not None:
        end = "a draw" if outcome.winner is None else f"player {outcome.winner} has won"
        raise Refusal(f"the game is over at turn {turn} ({end}), so there is no move to search", "moves")
    return turn, board


def _rules(name: str, value: object) -> Rules:
    found = an_instance(name, value, dict, f"an object with some of the keys {', '.join(RULES)}")
    for key in found:
        if key not in RULES:
            raise ValueError(f"{name} has the unknown key {shown(key)}{suggestion(key, RULES, 'keys')}")
    return Rules(**found)
