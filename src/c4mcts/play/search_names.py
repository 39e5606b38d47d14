"""Searches named by a text: a preset and the budget of a move, as in "uct@1000"."""

import re
from typing import Any

from .._validation import brief
from ..search.limits import COLUMNS
from ..search.params import SearchParams
from ..search.typed_values import setting, simulations

SIMULATIONS = 1000  # of a search that a text names without a limit


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
