"""Requests: the checked form of the messages that a client sends."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from .._layout import MAX_SIDE
from .._validation import between, flag, positive_seconds, real_number, refused, word
from ..board.board import Board
from ..search.limits import Limits
from ..search.params import PRESETS, SearchParams
from .caps import MAX_VISITS, Caps, Defaults
from .messages import Keys, Refusal, an_id
from .positions import asked_boards, last_board, read_position, unfinished

PLAYABLE = tuple(name for name, params in PRESETS.items() if params.selection != "puct")  # need no evaluator
REPORT_SECONDS = (0.01, 86_400)  # reportDuringSearchEvery, lowest and highest
PRIORITIES = 2**31  # absolute value of the highest and the lowest one
SEEDS = 2**64
MAX_TURN = MAX_SIDE * MAX_SIDE  # the longest game


@dataclass(frozen=True, slots=True, kw_only=True)
class Analyze:
    """Search positions of a game, one after the other or at once."""

    id: str
    boards: tuple[tuple[int, Board], ...]  # (turn, board)
    params: SearchParams
    limits: Limits
    threads: int
    seed: int | None  # None: drawn for a new tree
    report_every: float | None  # seconds between two reports during the search; None: no reports
    priority: int
    reuse_tree: bool  # start from the tree of the last such query, and keep it


@dataclass(frozen=True, slots=True, kw_only=True)
class Solve:
    """Solve a position exactly."""

    id: str
    boards: tuple[tuple[int, Board], ...]  # one (turn, board)
    columns: bool
    max_nodes: int | None
    seconds: float
    report_every: float | None
    priority: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Describe:
    """Say what the rules say of a position: legal moves, outcome."""

    id: str
    turn: int
    board: Board


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminate:
    """End queries; the reply is the message itself."""

    id: str
    echo: dict[str, Any]
    target: str | None  # the id of the queries; None: all
    turns: tuple[int, ...] | None  # None: all


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear:
    """Free the trees that are kept for later queries; the reply is the message itself."""

    id: str
    echo: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryVersion:
    """Say what this server is; the reply is the message and more."""

    id: str
    echo: dict[str, Any]


Request = Analyze | Solve | Describe | Terminate | Clear | QueryVersion


class Asked(NamedTuple):
    """A message whose request is being read, and what it is held against."""

    id: str
    message: dict[str, Any]
    keys: Keys
    caps: Caps
    defaults: Defaults


def read_request(message: dict[str, Any], caps: Caps, defaults: Defaults) -> Request:
    """The request of a message. Refusal, with the id of the message if that could be read."""
    keys = Keys(message)
    asked = Asked(keys.need("id", an_id), message, keys, caps, defaults)
    try:
        action = keys.take("action", partial(word, allowed=tuple(ACTIONS)), "analyze")
        request = ACTIONS[action](asked)
        keys.end()
    except Refusal as refusal:
        refusal.id = asked.id
        raise
    return request


def _analyze(asked: Asked) -> Analyze:
    keys, caps, defaults = asked.keys, asked.caps, asked.defaults
    threads = min(defaults.threads, caps.threads)
    game = read_position(keys)
    return Analyze(
        id=asked.id,
        boards=asked_boards(keys, game),
        params=_params(asked),
        limits=_limits(asked),
        threads=keys.take("threads", partial(between, low=1, high=caps.threads), threads),
        seed=keys.take("seed", partial(between, low=0, high=SEEDS - 1), None),
        report_every=_report_every(keys),
        priority=_priority(keys),
        reuse_tree=keys.take("reuseTree", flag, False),
    )


def _solve(asked: Asked) -> Solve:
    keys, caps = asked.keys, asked.caps
    turn, board = last_board(read_position(keys))
    return Solve(
        id=asked.id,
        boards=((turn, unfinished(turn, board)),),
        columns=keys.take("columns", flag, True),
        max_nodes=keys.take("maxNodes", partial(between, low=1, high=MAX_VISITS), None),
        seconds=keys.take("maxTime", partial(_seconds, caps=caps), caps.seconds),
        report_every=_report_every(keys),
        priority=_priority(keys),
    )


def _describe(asked: Asked) -> Describe:
    turn, board = last_board(read_position(asked.keys))
    return Describe(id=asked.id, turn=turn, board=board)


def _terminate(asked: Asked) -> Terminate:
    target = asked.keys.need("terminateId", an_id)
    return Terminate(id=asked.id, echo=asked.message, target=target, turns=_turn_numbers(asked.keys))


def _terminate_all(asked: Asked) -> Terminate:
    return Terminate(id=asked.id, echo=asked.message, target=None, turns=_turn_numbers(asked.keys))


def _clear(asked: Asked) -> Clear:
    return Clear(id=asked.id, echo=asked.message)


def _query_version(asked: Asked) -> QueryVersion:
    return QueryVersion(id=asked.id, echo=asked.message)


ACTIONS: dict[str, Callable[[Asked], Request]] = {
    "analyze": _analyze,  # also without the key "action", as in KataGo
    "solve": _solve,
    "describe": _describe,
    "terminate": _terminate,
    "terminate_all": _terminate_all,
    "clear": _clear,
    "clear_cache": _clear,  # its name in KataGo
    "query_version": _query_version,
}


def _params(asked: Asked) -> SearchParams:
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


def _limits(asked: Asked) -> Limits:
    """The limits of a search; time is limited in any case."""
    keys, caps, limits = asked.keys, asked.caps, asked.defaults.limits
    visits = keys.take("maxVisits", partial(between, low=1, high=MAX_VISITS), None)
    nodes = keys.take("maxNodes", partial(between, low=1, high=MAX_VISITS), None)
    seconds = keys.take("maxTime", partial(_seconds, caps=caps), None)
    if visits is None and nodes is None and seconds is None:
        visits, nodes, seconds = limits.simulations, limits.nodes, limits.seconds
    return Limits(visits, caps.seconds if seconds is None else min(seconds, caps.seconds), nodes)


def _seconds(name: str, value: object, caps: Caps) -> float:
    seconds = positive_seconds(name, value)
    if seconds > caps.seconds:
        raise ValueError(refused(name, f"at most {caps.seconds:g}", value))
    return seconds


def _report_every(keys: Keys) -> float | None:
    def check(name: str, value: object) -> float:
        low, high = REPORT_SECONDS
        seconds = real_number(name, value)
        if not low <= seconds <= high:
            raise ValueError(refused(name, f"{low} to {high} seconds", value))
        return seconds

    return keys.take("reportDuringSearchEvery", check, None)


def _priority(keys: Keys) -> int:
    return keys.take("priority", partial(between, low=-PRIORITIES, high=PRIORITIES), 0)


def _turn_numbers(keys: Keys) -> tuple[int, ...] | None:
    """The turns whose searches are to be ended; None for all."""

    def check(name: str, value: object) -> tuple[int, ...]:
        if not isinstance(value, list):
            raise TypeError(refused(name, "a list of turns", value))
        return tuple(between(f"{name}[{index}]", turn, 0, MAX_TURN) for index, turn in enumerate(value))

    return keys.take("turnNumbers", check, None)
