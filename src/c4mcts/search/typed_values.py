"""Numbers and parameters as people type them: in a shell, in the name of a player."""

from contextlib import suppress
from typing import Any

from .limits import COLUMNS, Simulations


def count(text: str) -> int:
    """Parse an integer, which may be written as 100_000 or 1e5. ValueError."""
    try:
        return int(text)
    except ValueError:
        number = float(text)
        if not number.is_integer():  # false for inf, and for numbers too large for a float
            raise
        return int(number)


def simulations(text: str) -> Simulations:
    """Parse a number of simulations, or the word for one per open column. ValueError."""
    return COLUMNS if text == COLUMNS else count(text)


def setting(text: str) -> tuple[str, Any]:
    """Parse name=value, a parameter: a number, True, False, None, a tuple of these, or else a text. ValueError."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ValueError(f"must be name=value, not {text!r}")
    return name.strip(), _value(value.strip())


def _value(text: str) -> Any:
    if "," in text:
        return tuple(_value(part.strip()) for part in text.split(","))
    constants = {"true": True, "false": False, "none": None}
    if text.lower() in constants:
        return constants[text.lower()]
    for parse in (count, float):
        with suppress(ValueError):
            return parse(text)
    return text
