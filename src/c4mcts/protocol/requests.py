"""Requests: the checked form of the messages that a client sends, and how much a client may ask for."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from operator import attrgetter
from typing import Annotated, Any, TypeVar, get_args

from .. import _platform
from .._backend import BackendName
from .._layout import MAX_SIDE, MAX_THREADS
from .._validation import an_instance, between, flag, naming, number_between, positive, positive_seconds, refused, word
from ..board.board import Board
from ..play.levels import Level, LevelPlayer
from ..search.engine import Engine
from ..search.limits import Limits, Simulations
from ..search.network import require_rules
from ..search.params import PRESETS, NetworkParams, SearchParams, UctParams
from ..search.validators import from_to, validate, validated
from .messages import Id, Keys, Refusal, an_id, integers, read_last_turn, read_turns, read_unfinished

MAX_VISITS = 10**12  # of one search, and nodes of one solution: weeks of work
MAX_STEPS = 200  # simulations recorded one by one: nobody looks at more
MAX_TURN = MAX_SIDE * MAX_SIDE  # the longest game
PLAYABLE = {name: params for name, params in PRESETS.items() if not params.needs_evaluator}
WITH_ROLLOUTS = {name: params for name, params in PLAYABLE.items() if isinstance(params, UctParams)}
MAX_PRIORITY = 2**31  # and -MAX_PRIORITY the lowest
SEEDS = 2**64

Boards = tuple[tuple[int, Board], ...]  # turn and board; one, except for Analyze
T = TypeVar("T")
D = TypeVar("D")


@dataclass(frozen=True, kw_only=True)
class Caps:
    """The most that one client may ask for; a message that asks for more is refused.

    message_bytes: length of a message. waiting: positions waiting for a worker. seconds: time of one search or
    solution; it also ends those without a time limit. memory: bytes of one tree (SearchParams.max_bytes).
    threads: of one search.

    Raises TypeError or ValueError, naming the field and the value.
    """

    message_bytes: int = validated(100_000, positive)  # a full 64 x 64 board takes a quarter of it
    waiting: int = validated(10_000, positive)
    seconds: float = validated(86_400.0, positive_seconds)
    memory: int = validated(1 << 30, positive)
    threads: int = validated(MAX_THREADS if _platform.HAS_THREADS else 1, from_to(1, MAX_THREADS))

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, kw_only=True)
class Defaults:
    """What a query gets that does not name a preset, limits or threads."""

    params: SearchParams = field(default_factory=UctParams)
    limits: Limits = field(default_factory=lambda: Limits(seconds=1.0))
    threads: int = 1
    backend: BackendName = "auto"

    def __post_init__(self) -> None:
        Engine(self.params, backend=self.backend, threads=self.threads)  # checks them


class Incoming(Keys):
    """The keys of a message whose request is being read, with what applies to it."""

    def __init__(self, message: dict[str, Any], caps: Caps, defaults: Defaults) -> None:
        super().__init__(message)
        self.message, self.caps, self.defaults = message, caps, defaults
        self.id = self.need("id", an_id)


def read_request(message: dict[str, Any], caps: Caps, defaults: Defaults) -> "Request":
    """The request of a message. Refusal, with the id of the message if that could be read."""
    asked = Incoming(message, caps, defaults)
    try:
        kind = ACTIONS[asked.take("action", partial(word, allowed=tuple(ACTIONS)), "analyze")]
        request = kind(**{each.name: get_args(each.type)[1](asked) for each in fields(kind)})
        asked.end()
    except Refusal as refusal:
        refusal.id = asked.id
        raise
    return request


def key(name: str, check: Callable[[str, Any], T], default: D) -> Callable[[Incoming], T | D]:
    """A reader of one key: see Keys.take."""
    return lambda asked: asked.take(name, check, default)


def _params(asked: Incoming, allowed: Mapping[str, SearchParams] = PLAYABLE) -> SearchParams:
    """The parameters of the preset with the changes in overrideSettings, limited to the memory that is allowed."""
    preset = asked.take("preset", partial(word, allowed=tuple(allowed)), None)
    base = asked.defaults.params if preset is None else allowed[preset]

    def changed(name: str, value: object) -> SearchParams:
        settings = an_instance(name, value, dict, "an object")
        return base.changed(**{key: math.inf if each == "inf" else each for key, each in settings.items()})

    params = asked.take("overrideSettings", changed, base)
    most = asked.caps.memory
    if params.max_bytes is not None and params.max_bytes > most:
        raise Refusal(f"max_bytes must be at most {most}, not {params.max_bytes}", "overrideSettings")
    with naming("", partial(Refusal, field="preset")):  # not enough memory for these parameters
        return params if params.max_bytes is not None else params.changed(max_bytes=most)


def _params_with_rollouts(asked: Incoming) -> UctParams:
    params = _params(asked, WITH_ROLLOUTS)
    if not isinstance(params, UctParams):  # those of the server
        raise Refusal("preset is missing: the default search of this server has no rollouts", "preset")
    return params


def _limits(asked: Incoming) -> Limits:
    """The limits of a search, which always include one of time."""
    caps, limits = asked.caps, asked.defaults.limits
    visits: Simulations | None = asked.take("maxVisits", partial(between, low=1, high=MAX_VISITS), None)
    nodes = asked.take("maxNodes", partial(between, low=1, high=MAX_VISITS), None)
    seconds = _seconds(asked)
    if visits is None and nodes is None and seconds is None:
        visits, nodes, seconds = limits.simulations, limits.nodes, limits.seconds
    return Limits(visits, caps.seconds if seconds is None else min(seconds, caps.seconds), nodes)


def _seconds(asked: Incoming) -> float | None:
    """The time limit of the query, if it has one."""

    def check(name: str, value: object) -> float:
        seconds = positive_seconds(name, value)
        if seconds > asked.caps.seconds:
            raise ValueError(refused(name, f"at most {asked.caps.seconds:g}", value))
        return seconds

    return asked.take("maxTime", check, None)


def _time(asked: Incoming) -> float:
    """The time limit of the query, or else the longest."""
    return _seconds(asked) or asked.caps.seconds


def _threads(asked: Incoming) -> int:
    most = asked.caps.threads
    return asked.take("threads", partial(between, low=1, high=most), min(asked.defaults.threads, most))


def _target(asked: Incoming) -> Id | None:
    return None if asked.message["action"] == "terminate_all" else asked.need("terminateId", an_id)


_seed = key("seed", partial(between, low=0, high=SEEDS - 1), None)
_turns = key("turnNumbers", partial(integers, what="turns", most=MAX_TURN + 1, high=MAX_TURN), None)
_report_every = key("reportDuringSearchEvery", partial(number_between, low=0.01, high=86_400), None)


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a client asks for. The type of each field is annotated with the function that reads it."""

    id: Annotated[Id, attrgetter("id")]


@dataclass(frozen=True, kw_only=True)
class Echoed(Request):
    """A request whose reply repeats the message."""

    echo: Annotated[dict[str, Any], attrgetter("message")]


@dataclass(frozen=True, kw_only=True)
class Query(Request):
    """A query for workers, who do its positions one by one or at the same time."""

    boards: Annotated[Boards, lambda asked: (read_unfinished(asked),)]
    priority: Annotated[int, key("priority", partial(between, low=-MAX_PRIORITY, high=MAX_PRIORITY), 0)]


@dataclass(frozen=True, kw_only=True)
class Analyze(Query):
    """Search positions of a game. reuse: start from the tree of the last such query, and keep it for the next one.

    allowed: the columns to search first, None for all.
    """

    boards: Annotated[Boards, lambda asked: read_turns(asked, asked.caps.waiting)]
    params: Annotated[SearchParams, _params]
    threads: Annotated[int, _threads]
    seed: Annotated[int | None, _seed]  # None: drawn for a new tree
    reuse: Annotated[bool, key("reuseTree", flag, False)]
    allowed: Annotated[
        Sequence[int] | None,
        key("allowMoves", partial(integers, what="columns", most=MAX_SIDE, high=MAX_SIDE - 1), None),
    ]
    limits: Annotated[Limits, _limits]
    report_every: Annotated[float | None, _report_every]  # seconds between two reports; None: no reports

    def __post_init__(self) -> None:
        for turn, board in self.boards:
            if self.allowed is not None and not (self.allowed and all(map(board.is_legal, self.allowed))):
                raise Refusal(f"must be legal columns after {turn} moves, not {self.allowed}", "allowMoves")
        if isinstance(self.params, NetworkParams):
            with naming("", partial(Refusal, field="preset")):
                require_rules(self.boards[0][1].rules)


@dataclass(frozen=True, kw_only=True)
class Solve(Query):
    """Solve a position exactly. line: whether to find the line of best play, too."""

    columns: Annotated[bool, key("columns", flag, True)]
    line: Annotated[bool, key("includePv", flag, False)]
    max_nodes: Annotated[int | None, key("maxNodes", partial(between, low=1, high=MAX_VISITS), None)]
    seconds: Annotated[float, _time]
    report_every: Annotated[float | None, _report_every]


@dataclass(frozen=True, kw_only=True)
class Play(Query):
    """Choose the move of a level."""

    level: Annotated[Level, lambda asked: asked.need("level", lambda name, value: LevelPlayer(value).level)]
    seconds: Annotated[float, lambda asked: asked.caps.seconds]
    seed: Annotated[int | None, _seed]


@dataclass(frozen=True, kw_only=True)
class ReviewGame(Query):
    """Review a game; its board is the end of the game."""

    boards: Annotated[Boards, lambda asked: (read_last_turn(asked),)]
    seconds: Annotated[float, _time]
    report_every: Annotated[float | None, _report_every]


class Plan(Query):
    """Say how the winner of the package's proof goes on."""


@dataclass(frozen=True, kw_only=True)
class Steps(Query):
    """Record the first simulations of a search one by one."""

    params: Annotated[UctParams, _params_with_rollouts]
    simulations: Annotated[int, key("maxVisits", partial(between, low=1, high=MAX_STEPS), MAX_STEPS)]
    seconds: Annotated[float, _time]
    seed: Annotated[int | None, _seed]


@dataclass(frozen=True, kw_only=True)
class LookAtTree(Request):
    """Show a node of the tree of the running search, or of the kept one. path: columns from the root."""

    path: Annotated[Sequence[int], key("path", partial(integers, what="columns", most=MAX_TURN, high=MAX_SIDE - 1), ())]


@dataclass(frozen=True, kw_only=True)
class Describe(Request):
    """Say what the rules say about a position: legal moves, outcome."""

    position: Annotated[tuple[int, Board], lambda asked: read_last_turn(asked)]  # turn and board


@dataclass(frozen=True, kw_only=True)
class LookUpOpening(Request):
    """Look up a position in the book of the package."""

    position: Annotated[tuple[int, Board], lambda asked: read_unfinished(asked)]  # turn and board


class ListPuzzles(Request):
    """List the puzzles of the package."""


@dataclass(frozen=True, kw_only=True)
class Terminate(Echoed):
    """End queries."""

    target: Annotated[Id | None, _target]  # the id of the queries; None: all
    turns: Annotated[Sequence[int] | None, _turns]  # None: all


class Clear(Echoed):
    """Free the trees that are kept for later queries."""


class QueryVersion(Echoed):
    """Say what this server is; the reply adds that to the message."""


ACTIONS: dict[str, type[Request]] = {
    "analyze": Analyze,  # also without the key "action", as in KataGo
    "solve": Solve,
    "play": Play,
    "review": ReviewGame,
    "plan": Plan,
    "steps": Steps,
    "tree": LookAtTree,
    "describe": Describe,
    "opening": LookUpOpening,
    "puzzles": ListPuzzles,
    "terminate": Terminate,
    "terminate_all": Terminate,
    "clear": Clear,
    "clear_cache": Clear,  # its name in KataGo
    "query_version": QueryVersion,
}
