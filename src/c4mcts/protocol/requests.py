"""Requests: the checked form of the messages that a client sends, and how much a client may ask for."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from .. import _platform
from .._backend import BackendName
from .._layout import MAX_SIDE, MAX_THREADS
from .._validation import an_instance, between, flag, number_between, positive, positive_seconds, refused, word
from ..board.board import Board
from ..play.levels import Level, LevelPlayer
from ..search.engine import Engine
from ..search.limits import Limits, Simulations
from ..search.params import PRESETS, UctParams
from .messages import Keys, Refusal, an_id, integers, read_game, read_last_turn, read_turns, read_unfinished

MAX_VISITS = 10**12  # of one search, and nodes of one solution: weeks of work
MAX_STEPS = 200  # simulations recorded one by one: nobody looks at more
MAX_TURN = MAX_SIDE * MAX_SIDE  # the longest game
PLAYABLE = {name: params for name, params in PRESETS.items() if isinstance(params, UctParams)}  # without an evaluator
REPORT_SECONDS = (0.01, 86_400)  # range of reportDuringSearchEvery
MAX_PRIORITY = 2**31  # and -MAX_PRIORITY the lowest
SEEDS = 2**64


@dataclass(frozen=True, kw_only=True)
class Caps:
    """The most that one client may ask for; a message that asks for more is refused.

    message_bytes: length of a message. waiting: positions waiting for a worker. seconds: time of one search or
    solution; it also ends those without a time limit. memory: bytes of one tree (SearchParams.max_bytes).
    threads: of one search.

    Raises TypeError or ValueError, naming the field and the value.
    """

    message_bytes: int = 100_000  # the moves and the FEN of a full 64 x 64 board take a quarter of it
    waiting: int = 10_000
    seconds: float = 86_400.0
    memory: int = 1 << 30
    threads: int = MAX_THREADS if _platform.HAS_THREADS else 1

    def __post_init__(self) -> None:
        put = object.__setattr__
        for name in ("message_bytes", "waiting", "memory"):
            put(self, name, positive(name, getattr(self, name)))
        put(self, "seconds", positive_seconds("seconds", self.seconds))
        put(self, "threads", between("threads", self.threads, 1, MAX_THREADS))


@dataclass(frozen=True, kw_only=True)
class Defaults:
    """What a query gets that does not name a preset, limits or threads."""

    params: UctParams = field(default_factory=UctParams)
    limits: Limits = field(default_factory=lambda: Limits(seconds=1.0))
    threads: int = 1
    backend: BackendName = "auto"

    def __post_init__(self) -> None:
        Engine(self.params, backend=self.backend, threads=self.threads)  # checks them


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query for workers, who do its positions one by one or at the same time."""

    id: str
    boards: tuple[tuple[int, Board], ...]  # (turn, board); one, except for Analyze
    priority: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeOptions:
    """The tree that a search grows."""

    params: UctParams
    threads: int
    seed: int | None  # None: drawn for a new tree
    reuse: bool  # start from the tree of the last such query, and keep it for the next one


@dataclass(frozen=True, slots=True, kw_only=True)
class Analyze(Query):
    """Search positions of a game."""

    tree: TreeOptions
    limits: Limits
    report_every: float | None  # seconds between two reports during the search; None: no reports


@dataclass(frozen=True, slots=True, kw_only=True)
class Solve(Query):
    """Solve a position exactly."""

    columns: bool
    line: bool  # whether to find the line of best play, too
    max_nodes: int | None
    seconds: float
    report_every: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(Query):
    """Choose the move of a level."""

    level: Level
    seconds: float
    seed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewGame(Query):
    """Review a game; its board is the end of the game."""

    seconds: float
    report_every: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps(Query):
    """Record the first simulations of a search one by one."""

    params: UctParams
    simulations: int
    seconds: float
    seed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAtTree:
    """Show a node of the tree of the running search, or of the kept one."""

    id: str
    path: tuple[int, ...]  # columns from the root


@dataclass(frozen=True, slots=True, kw_only=True)
class Describe:
    """Say what the rules say about a position: legal moves, outcome."""

    id: str
    turn: int
    board: Board


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminate:
    """End queries; the reply repeats the message."""

    echo: dict[str, Any]
    target: str | None  # the id of the queries; None: all
    turns: frozenset[int] | None  # None: all


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear:
    """Free the trees that are kept for later queries; the reply repeats the message."""

    echo: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryVersion:
    """Say what this server is; the reply repeats the message and adds to it."""

    echo: dict[str, Any]


Request = Query | LookAtTree | Describe | Terminate | Clear | QueryVersion


class Asked(NamedTuple):
    """A message whose request is being read, with what applies to it."""

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
    keys, caps = asked.keys, asked.caps
    return Analyze(
        id=asked.id,
        boards=read_turns(keys, read_game(keys), caps.waiting),
        tree=_tree_options(asked),
        limits=_limits(asked),
        report_every=_report_every(keys),
        priority=_priority(keys),
    )


def _solve(asked: Asked) -> Solve:
    keys = asked.keys
    return Solve(
        id=asked.id,
        boards=(read_unfinished(keys),),
        columns=keys.take("columns", flag, True),
        line=keys.take("includePv", flag, False),
        max_nodes=keys.take("maxNodes", partial(between, low=1, high=MAX_VISITS), None),
        seconds=_seconds(asked) or asked.caps.seconds,
        report_every=_report_every(keys),
        priority=_priority(keys),
    )


def _play(asked: Asked) -> Play:
    keys = asked.keys
    return Play(
        id=asked.id,
        boards=(read_unfinished(keys),),
        level=keys.need("level", lambda name, value: LevelPlayer(value).level),
        seconds=asked.caps.seconds,
        seed=_seed(keys),
        priority=_priority(keys),
    )


def _review(asked: Asked) -> ReviewGame:
    keys = asked.keys
    return ReviewGame(
        id=asked.id,
        boards=(read_last_turn(keys),),
        seconds=_seconds(asked) or asked.caps.seconds,
        report_every=_report_every(keys),
        priority=_priority(keys),
    )


def _steps(asked: Asked) -> Steps:
    keys = asked.keys
    return Steps(
        id=asked.id,
        boards=(read_unfinished(keys),),
        params=_params(asked),
        simulations=keys.take("maxVisits", partial(between, low=1, high=MAX_STEPS), MAX_STEPS),
        seconds=_seconds(asked) or asked.caps.seconds,
        seed=_seed(keys),
        priority=_priority(keys),
    )


def _tree(asked: Asked) -> LookAtTree:
    path = asked.keys.take("path", partial(integers, what="columns", most=MAX_TURN, high=MAX_SIDE - 1), [])
    return LookAtTree(id=asked.id, path=tuple(path))


def _describe(asked: Asked) -> Describe:
    turn, board = read_last_turn(asked.keys)
    return Describe(id=asked.id, turn=turn, board=board)


def _terminate(asked: Asked) -> Terminate:
    target = asked.keys.need("terminateId", an_id)
    return Terminate(echo=asked.message, target=target, turns=_turn_numbers(asked.keys))


def _terminate_all(asked: Asked) -> Terminate:
    return Terminate(echo=asked.message, target=None, turns=_turn_numbers(asked.keys))


def _clear(asked: Asked) -> Clear:
    return Clear(echo=asked.message)


def _query_version(asked: Asked) -> QueryVersion:
    return QueryVersion(echo=asked.message)


ACTIONS: dict[str, Callable[[Asked], Request]] = {
    "analyze": _analyze,  # also without the key "action", as in KataGo
    "solve": _solve,
    "play": _play,
    "review": _review,
    "steps": _steps,
    "tree": _tree,
    "describe": _describe,
    "terminate": _terminate,
    "terminate_all": _terminate_all,
    "clear": _clear,
    "clear_cache": _clear,  # its name in KataGo
    "query_version": _query_version,
}


def _tree_options(asked: Asked) -> TreeOptions:
    keys, most = asked.keys, asked.caps.threads
    return TreeOptions(
        params=_params(asked),
        threads=keys.take("threads", partial(between, low=1, high=most), min(asked.defaults.threads, most)),
        seed=_seed(keys),
        reuse=keys.take("reuseTree", flag, False),
    )


def _params(asked: Asked) -> UctParams:
    """The parameters of the preset with the changes in overrideSettings, limited to the memory that is allowed."""
    preset = asked.keys.take("preset", partial(word, allowed=tuple(PLAYABLE)), None)
    base = asked.defaults.params if preset is None else PLAYABLE[preset]

    def changed(name: str, value: object) -> UctParams:
        settings = an_instance(name, value, dict, "an object")
        return base.changed(**{key: math.inf if each == "inf" else each for key, each in settings.items()})

    params = asked.keys.take("overrideSettings", changed, base)
    most = asked.caps.memory
    if params.max_bytes is not None and params.max_bytes > most:
        raise Refusal(f"max_bytes must be at most {most}, not {params.max_bytes}", "overrideSettings")
    try:
        return params if params.max_bytes is not None else params.changed(max_bytes=most)
    except ValueError as error:  # not enough memory for these parameters
        raise Refusal(str(error), "preset") from None


def _limits(asked: Asked) -> Limits:
    """The limits of a search, which always include one of time."""
    keys, caps, limits = asked.keys, asked.caps, asked.defaults.limits
    visits: Simulations | None = keys.take("maxVisits", partial(between, low=1, high=MAX_VISITS), None)
    nodes = keys.take("maxNodes", partial(between, low=1, high=MAX_VISITS), None)
    seconds = _seconds(asked)
    if visits is None and nodes is None and seconds is None:
        visits, nodes, seconds = limits.simulations, limits.nodes, limits.seconds
    return Limits(visits, caps.seconds if seconds is None else min(seconds, caps.seconds), nodes)


def _seconds(asked: Asked) -> float | None:
    """The time limit of the query, if it has one."""

    def check(name: str, value: object) -> float:
        seconds = positive_seconds(name, value)
        if seconds > asked.caps.seconds:
            raise ValueError(refused(name, f"at most {asked.caps.seconds:g}", value))
        return seconds

    return asked.keys.take("maxTime", check, None)


def _report_every(keys: Keys) -> float | None:
    """Seconds between two reports during the work; None: no reports."""
    low, high = REPORT_SECONDS
    return keys.take("reportDuringSearchEvery", partial(number_between, low=low, high=high), None)


def _priority(keys: Keys) -> int:
    """The priority; higher ones come first."""
    return keys.take("priority", partial(between, low=-MAX_PRIORITY, high=MAX_PRIORITY), 0)


def _turn_numbers(keys: Keys) -> frozenset[int] | None:
    """The turns whose searches are to be ended; None for all."""
    turns = keys.take("turnNumbers", partial(integers, what="turns", most=MAX_TURN + 1, high=MAX_TURN), None)
    return None if turns is None else frozenset(turns)


def _seed(keys: Keys) -> int | None:
    """The seed; None: to be drawn."""
    return keys.take("seed", partial(between, low=0, high=SEEDS - 1), None)
