"""From the text of a message to its keys: what is broken here can't be understood at all."""

import json
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, NoReturn, TypeVar

from .._validation import refused, shown, string

MAX_ID = 200  # characters of an id
EXACT = 2.0**53  # up to here floats hold every integer

T = TypeVar("T")
D = TypeVar("D")


class Refusal(ValueError):
    """A message that can't be answered. field: the key at fault, if there is one. id: that of the message, if known."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.id: str | None = None


def read_message(data: str | bytes, max_bytes: int) -> dict[str, Any] | None:
    """The JSON object of one message; None for blank text. Refusal.

    A key that stands twice, NaN and infinity are refused: JSON has no meaning for them. Whole numbers are ints, however
    they are written (1e6).
    """
    if len(data) > max_bytes:
        raise too_long(max_bytes)
    try:
        text = data.decode() if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        raise Refusal(f"a message must be UTF-8 text: byte {error.start} is {data[error.start]:#04x}") from None
    if not text.strip():
        return None
    try:
        message = json.loads(
            text, object_pairs_hook=_object, parse_float=_number, parse_constant=_no_number, parse_int=_integer
        )
    except json.JSONDecodeError as error:
        raise Refusal(f"a message must be JSON: {error.msg} at character {error.pos}") from None
    except RecursionError:
        raise Refusal("a message must be JSON that is not nested so deeply") from None
    if not isinstance(message, dict):
        raise Refusal(refused("a message", "a JSON object", message))
    return message


def too_long(max_bytes: int) -> Refusal:
    """The refusal of a message that is longer than `max_bytes`."""
    return Refusal(f"a message must have at most {max_bytes:,} bytes")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Refusal(f"the key {shown(name)} stands twice in one object")
        found[name] = value
    return found


def _integer(text: str) -> int:
    if len(text) > 1000:
        raise Refusal(f"a number of {len(text):,} digits is too long")
    return int(text)


def _number(text: str) -> int | float:
    number = float(text)
    return int(number) if abs(number) < EXACT and number.is_integer() else number


def _no_number(text: str) -> NoReturn:
    raise Refusal(f"{text} is not a number of JSON")


def an_id(name: str, value: object) -> str:
    """An id: a string of 1 to MAX_ID characters. TypeError, ValueError."""
    text = string(name, value)
    if not 1 <= len(text) <= MAX_ID:
        raise ValueError(f"{name} must have 1 to {MAX_ID} characters, not {len(text)}")
    return text


class Keys:
    """The keys of a message, taken one by one; a key that nobody has taken is refused at the end."""

    def __init__(self, message: dict[str, Any]) -> None:
        self._left = dict(message)
        self._known: list[str] = []

    def __contains__(self, name: str) -> bool:
        """Whether the key is there and not taken yet."""
        return name in self._left

    def take(self, name: str, check: Callable[[str, Any], T], default: D) -> T | D:
        """The checked value of a key, or the default if it is missing. Refusal.

        check: called with the name and the value; its TypeError or ValueError becomes a Refusal.
        """
        self._known.append(name)
        if name not in self._left:
            return default
        try:
            return check(name, self._left.pop(name))
        except (TypeError, ValueError) as error:
            raise Refusal(str(error), name) from None

    def need(self, name: str, check: Callable[[str, Any], T]) -> T:
        """As `take`, for a key that must be there."""
        if name not in self._left:
            raise Refusal(f"the message has no key {name!r}", name)
        found: T | None = self.take(name, check, None)
        assert found is not None
        return found

    def end(self) -> None:
        """Refuse a key that was not taken."""
        for name in self._left:
            guess = get_close_matches(name[:MAX_ID], self._known, 1)
            hint = f": did you mean {guess[0]!r}?" if guess else f"; the keys are {', '.join(self._known)}"
            raise Refusal(f"unknown key {shown(name)}{hint}", name[:MAX_ID])
