"""Options of queries: the keys that several actions have, checked."""

import math
from functools import partial
from typing import Any, NamedTuple

from .._layout import MAX_SIDE
from .._validation import between, positive_seconds, real_number, refused, word
from ..search.limits import Limits, Simulations
from ..search.params import SearchParams
from ..search.presets import PRESETS
from .caps import MAX_VISITS, Caps, Defaults
from .messages import Keys, Refusal

PLAYABLE = tuple(name for name, params in PRESETS.items() if params.selection != "puct")  # need no evaluator
REPORT_SECONDS = (0.01, 86_400)  # reportDuringSearchEvery, lowest and highest
PRIORITIES = 2**31  # absolute value of the highest and the lowest one
SEEDS = 2**64
MAX_TURN = MAX_SIDE * MAX_SIDE  # the longest game


class Asked(NamedTuple):
    """A message whose request is being read, and what it is held against."""

    id: str
    message: dict[str, Any]
    keys: Keys
    caps: Caps
    defaults: Defaults


def read_params(asked: Asked) -> SearchParams:
    """The parameters of the preset with the changes of overrideSettings, within the memory that is allowed."""
    preset = asked.keys.take("preset", partial(word, allowed=PLAYABLE), None)
    base = asked.defaults.params if preset is None else PRESETS[preset]

    def changed(name: str, value: object) -> SearchParams:
        if not isinstance(value, dict):
            raise TypeError(refused(name, "an object", value))
        return base.changed(**{key: math.inf if each == "inf" else each for key, each in value.items()})

    params = asked.keys.take("overrideSettings", changed, base)
    most = asked.caps.memory
    if params.selection == "puct":
        raise Refusal('selection="puct" needs an evaluator, which no message can carry', "overrideSettings")
    if params.max_bytes is not None and params.max_bytes > most:
        raise Refusal(f"max_bytes must be at most {most}, not {params.max_bytes}", "overrideSettings")
    try:
        return params if params.max_bytes is not None else params.changed(max_bytes=most)
    except ValueError as error:  # too little for these parameters
        raise Refusal(str(error), "preset") from None


def read_limits(asked: Asked) -> Limits:
    """The limits of a search; time is limited in any case."""
    keys, caps, limits = asked.keys, asked.caps, asked.defaults.limits
    visits: Simulations | None = keys.take("maxVisits", partial(between, low=1, high=MAX_VISITS), None)
    nodes = keys.take("maxNodes", partial(between, low=1, high=MAX_VISITS), None)
    seconds = read_seconds(asked)
    if visits is None and nodes is None and seconds is None:
        visits, nodes, seconds = limits.simulations, limits.nodes, limits.seconds
    return Limits(visits, caps.seconds if seconds is None else min(seconds, caps.seconds), nodes)


def read_seconds(asked: Asked) -> float | None:
    """The limit of time, if the query has one."""

    def check(name: str, value: object) -> float:
        seconds = positive_seconds(name, value)
        if seconds > asked.caps.seconds:
            raise ValueError(refused(name, f"at most {asked.caps.seconds:g}", value))
        return seconds

    return asked.keys.take("maxTime", check, None)


def read_report_every(keys: Keys) -> float | None:
    """Seconds between two reports during the work; None: no reports."""

    def check(name: str, value: object) -> float:
        low, high = REPORT_SECONDS
        seconds = real_number(name, value)
        if not low <= seconds <= high:
            raise ValueError(refused(name, f"{low} to {high} seconds", value))
        return seconds

    return keys.take("reportDuringSearchEvery", check, None)


def read_priority(keys: Keys) -> int:
    """The priority; the higher, the sooner."""
    return keys.take("priority", partial(between, low=-PRIORITIES, high=PRIORITIES), 0)


def read_turn_numbers(keys: Keys) -> frozenset[int] | None:
    """The turns whose searches are to be ended; None for all."""

    def check(name: str, value: object) -> frozenset[int]:
        if not isinstance(value, list):
            raise TypeError(refused(name, "a list of turns", value))
        return frozenset(between(f"{name}[{index}]", turn, 0, MAX_TURN) for index, turn in enumerate(value))

    return keys.take("turnNumbers", check, None)


def read_seed(keys: Keys) -> int | None:
    """The seed; None: to be drawn."""
    return keys.take("seed", partial(between, low=0, high=SEEDS - 1), None)
