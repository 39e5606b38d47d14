"""Numbers, parameters and searches as people type them: in a shell, in the name of a player such as "uct@1000"."""

import re
from contextlib import suppress
from typing import Any

from .._validation import brief
from .limits import COLUMNS, Simulations
from .params import SearchParams

SIMULATIONS = 1000  # of a search that a text names without a limit


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


def search_named(
    text: str, limits: dict[str, Any] | None = None, default: int | None = SIMULATIONS
) -> tuple[SearchParams, dict[str, Any]]:
    """The parameters and the limits of a search from "uct@1000", "uct@0.1s", or "uct" with other limits.

    Parameters may follow, as in "uct@1000,exploration=0.7,rewards=1,0,-1", which change the preset.

    default: simulations per move, where there are no limits at all. TypeError, ValueError.
    """
    search, *changes = re.split(r",(?=[^,=]+=)", text)
    name, at, budget = search.partition("@")
    changed = dict(map(setting, changes))
    if len(changed) < len(changes):
        raise ValueError(f"{brief(text)} has a parameter twice")
    params = SearchParams.preset(name, **changed)
    if at and limits:
        raise ValueError(f"{brief(text)} has a limit already: leave out {', '.join(limits)}")
    if at:
        limits = limits_named(budget)
    return params, limits or ({} if default is None else {"simulations": default})


def limits_named(budget: str) -> dict[str, Any]:
    """The limits of a search from "1000", "0.1s" or "columns"."""
    try:
        if budget.endswith("s") and budget != COLUMNS:
            return {"seconds": float(budget[:-1])}
        return {"simulations": simulations(budget)}
    except ValueError:
        words = "a number of simulations (1000, 1e5) or seconds (0.1s)"
        raise ValueError(f"the budget after @ must be {words}") from None
