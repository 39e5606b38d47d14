"""Requests: the checked form of the messages that a client sends."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from operator import attrgetter
from typing import Annotated, Any, get_args

from .._layout import MAX_SIDE
from .._validation import an_instance, between, counted, must_be, number_between, positive_seconds, word
from ..board.board import Board
from ..play.levels import LEVELS, Level, LevelPlayer
from ..search.limits import Limits
from ..search.network import require_rules
from ..search.params import PRESETS, NetworkParams, SearchParams, UctParams
from .caps import Caps, Defaults
from .messages import (
    COLUMN,
    FLAG,
    ID,
    MAX_TURN,
    REQUIRED,
    TEXT,
    Id,
    Key,
    Keys,
    Kind,
    Refusal,
    integers,
    read_last_turn,
    read_turns,
    read_unfinished,
    refusing,
    whole,
)

MAX_VISITS = 10**12  # of one search, and nodes of one solution: weeks of work
MAX_STEPS = 200  # simulations recorded one by one: nobody looks at more
PLAYABLE = {name: params for name, params in PRESETS.items() if not params.needs_evaluator}
WITH_ROLLOUTS = {name: params for name, params in PLAYABLE.items() if isinstance(params, UctParams)}
MAX_PRIORITY = 2**31  # and -MAX_PRIORITY the lowest
SEEDS = 2**64

Boards = tuple[tuple[int, Board], ...]  # turn and board; one, except for Analyze


class Incoming(Keys):
    """The keys of a message whose request is being read, with what applies to it."""

    def __init__(self, message: dict[str, Any], caps: Caps, defaults: Defaults) -> None:
        super().__init__(message)
        self.message, self.caps, self.defaults = message, caps, defaults
        self.id = self.take(Key("id", ID, REQUIRED))


def read_request(message: dict[str, Any], caps: Caps, defaults: Defaults) -> "Request":
    """The request of a message. Refusal, with the id of the message if that could be read."""
    incoming = Incoming(message, caps, defaults)
    try:
        kind = ACTIONS[incoming.take(Key("action", one_of(ACTIONS), "analyze"))]
        request = kind(**{each.name: get_args(each.type)[1](incoming) for each in fields(kind)})
        incoming.end()
    except Refusal as refusal:
        refusal.id = incoming.id
        raise
    return request


def one_of(names: Mapping[str, object]) -> Kind[str]:
    """Names, of which query_version says some: the schema allows other versions' names, too."""
    return Kind(partial(word, allowed=tuple(names)), TEXT.schema)


def _params(incoming: Incoming, allowed: Mapping[str, SearchParams] = PLAYABLE) -> SearchParams:
    """The parameters of the preset with the changes in overrideSettings, limited to the memory that is allowed."""
    preset = incoming.take(
        Key("preset", one_of(allowed), None, "A preset of query_version; by default the parameters of the server.")
    )
    base = incoming.defaults.params if preset is None else allowed[preset]

    def changed(name: str, value: object) -> SearchParams:
        settings = an_instance(name, value, dict, "an object")
        return base.changed(**{key: math.inf if each == "inf" else each for key, each in settings.items()})

    says = 'Changed parameters of the preset, such as {"exploration": 0.7}; "inf" is infinity.'
    params = incoming.take(Key("overrideSettings", Kind(changed, {"type": "object"}), base, says))
    most = incoming.caps.memory
    if params.max_bytes is not None and params.max_bytes > most:
        raise Refusal(f"max_bytes must be at most {most}, not {params.max_bytes}", "overrideSettings")
    with refusing("preset"):  # not enough memory for these parameters
        return params if params.max_bytes is not None else params.changed(max_bytes=most)


def _params_with_rollouts(incoming: Incoming) -> UctParams:
    params = _params(incoming, WITH_ROLLOUTS)
    if not isinstance(params, UctParams):  # the server's
        raise Refusal("preset is missing: the default search of this server has no rollouts", "preset")
    return params


def _limits(incoming: Incoming) -> Limits:
    most, limits = incoming.caps.seconds, incoming.defaults.limits
    visits = incoming.take(Key("maxVisits", COUNT, None, "Simulations."))
    nodes = incoming.take(Key("maxNodes", COUNT, None, f"Size of the tree. {FIRST_LIMIT}"))
    seconds = _seconds(incoming)
    if visits is None and nodes is None and seconds is None:
        return Limits(limits.simulations, min(limits.seconds or most, most), limits.nodes)
    return Limits(visits, seconds or most, nodes)


def _seconds(incoming: Incoming) -> float | None:
    most = incoming.caps.seconds

    def read(name: str, value: object) -> float:
        seconds = positive_seconds(name, value)
        if seconds > most:
            raise ValueError(must_be(name, f"at most {most:g}", value))
        return seconds

    schema = {"type": "number", "exclusiveMinimum": 0, "maximum": most}
    return incoming.take(Key("maxTime", Kind(read, schema), None, "Seconds, from the start of the work."))


def _time(incoming: Incoming) -> float:
    return _seconds(incoming) or incoming.caps.seconds


def _threads(incoming: Incoming) -> int:
    most = incoming.caps.threads
    return incoming.take(
        Key("threads", whole(1, most), min(incoming.defaults.threads, most), "Threads that share the tree.")
    )


def _target(incoming: Incoming) -> Id | None:
    key = Key("terminateId", ID, REQUIRED, "Of the query to end.")
    return None if incoming.message["action"] == "terminate_all" else incoming.take(key)


FIRST_LIMIT = "The first limit that is reached ends the search; without limits the server's apply."
COUNT = whole(1, MAX_VISITS)
SEED = Key("seed", whole(0, SEEDS - 1), None, "By default drawn at random; the reply has it.")
LEVEL = Kind(lambda name, value: LevelPlayer(value).level, {"anyOf": [whole(1, len(LEVELS)).schema, TEXT.schema]})
PRIORITY = Key("priority", whole(-MAX_PRIORITY, MAX_PRIORITY), 0, "The highest is worked on next, then the oldest.")
REUSE = Key("reuseTree", FLAG, False, "Start from the tree of the last such query with the same settings, and keep it.")
ALLOWED = Key("allowMoves", integers("columns", COLUMN, least=1, most=MAX_SIDE), None, "The only columns to search.")
PATH = Key("path", integers("columns", COLUMN, most=MAX_TURN), (), "Columns, from the root of the tree to the node.")
TURNS = Key("turnNumbers", integers("turns", whole(0, MAX_TURN), most=MAX_TURN + 1), None, "By default all.")
INTERVAL = Kind(partial(number_between, low=0.01, high=86_400), {"type": "number", "minimum": 0.01, "maximum": 86_400})
OPENING = Key("opening", whole(0, MAX_TURN), 0, "First moves of the game to leave out, since nobody chose them.")
REPORTS = Key("reportDuringSearchEvery", INTERVAL, None, "Seconds between two reports; by default there are none.")


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request of a client. The type of each field is annotated with the function that reads it."""

    id: Annotated[Id, attrgetter("id")]


@dataclass(frozen=True, kw_only=True)
class Echoed(Request):
    """A request whose reply repeats the message."""

    echo: Annotated[dict[str, Any], attrgetter("message")]


@dataclass(frozen=True, kw_only=True)
class Query(Request):
    """A query for workers, who do its positions one by one or at the same time."""

    boards: Annotated[Boards, lambda incoming: (read_unfinished(incoming),)]
    priority: Annotated[int, PRIORITY]


@dataclass(frozen=True, kw_only=True)
class Analyze(Query):
    """Search positions of a game. reuse: start from the tree of the last such query, and keep it for the next one.

    allowed: the columns to search first, None for all.
    """

    boards: Annotated[Boards, lambda incoming: read_turns(incoming, incoming.caps.waiting)]
    params: Annotated[SearchParams, _params]
    threads: Annotated[int, _threads]
    seed: Annotated[int | None, SEED]  # None: drawn for a new tree
    reuse: Annotated[bool, REUSE]
    allowed: Annotated[Sequence[int] | None, ALLOWED]
    limits: Annotated[Limits, _limits]
    report_every: Annotated[float | None, REPORTS]  # seconds between two reports; None: no reports

    def __post_init__(self) -> None:
        for turn, board in self.boards:
            if self.allowed is not None and not all(map(board.is_legal, self.allowed)):
                legal = f"legal columns after {counted(turn, 'move')}"
                raise Refusal(must_be("allowMoves", legal, self.allowed), "allowMoves")
        if isinstance(self.params, NetworkParams):
            with refusing("preset"):
                require_rules(self.boards[0][1].rules)


@dataclass(frozen=True, kw_only=True)
class Solve(Query):
    """Solve a position exactly. line: whether to find the line of best play, too."""

    columns: Annotated[bool, Key("columns", FLAG, True, "Score every column, not only the position.")]
    line: Annotated[bool, Key("includePv", FLAG, False, "Find a line of best play.")]
    max_nodes: Annotated[int | None, Key("maxNodes", COUNT, None, "Positions searched.")]
    seconds: Annotated[float, _time]
    report_every: Annotated[float | None, REPORTS]


@dataclass(frozen=True, kw_only=True)
class Play(Query):
    """Choose the move of a level."""

    level: Annotated[Level, Key("level", LEVEL, REQUIRED, "A number from 1, or a name.")]
    seconds: Annotated[float, lambda incoming: incoming.caps.seconds]
    seed: Annotated[int | None, SEED]


@dataclass(frozen=True, kw_only=True)
class ReviewGame(Query):
    """Review a game; its board is the end of the game."""

    boards: Annotated[Boards, lambda incoming: (read_last_turn(incoming),)]
    opening: Annotated[int, OPENING]
    seconds: Annotated[float, _time]
    report_every: Annotated[float | None, REPORTS]

    def __post_init__(self) -> None:
        with refusing("opening"):
            between("opening", self.opening, 0, self.boards[0][0])


class Plan(Query):
    """Give the answer of the winner in one of the package's proofs."""


@dataclass(frozen=True, kw_only=True)
class Steps(Query):
    """Record the first simulations of a search one by one."""

    params: Annotated[UctParams, _params_with_rollouts]
    simulations: Annotated[int, Key("maxVisits", whole(1, MAX_STEPS), MAX_STEPS, "Simulations.")]
    seconds: Annotated[float, _time]
    seed: Annotated[int | None, SEED]


@dataclass(frozen=True, kw_only=True)
class LookAtTree(Request):
    """Show a node of the tree of the running search, or of the kept one. path: columns from the root."""

    path: Annotated[Sequence[int], PATH]


@dataclass(frozen=True, kw_only=True)
class Describe(Request):
    """Give the legal moves and the outcome of a position, by the rules alone."""

    position: Annotated[tuple[int, Board], read_last_turn]  # turn and board


@dataclass(frozen=True, kw_only=True)
class LookUpOpening(Request):
    """Look up a position in the book of the package."""

    position: Annotated[tuple[int, Board], read_unfinished]  # turn and board


class ListPuzzles(Request):
    """List the puzzles of the package."""


class ListQuestions(Request):
    """List the positions of the exam."""


@dataclass(frozen=True, kw_only=True)
class Terminate(Echoed):
    """End queries."""

    target: Annotated[Id | None, _target]  # the id of the queries; None: all
    turns: Annotated[Sequence[int] | None, TURNS]  # None: all


class Clear(Echoed):
    """Free the trees that are kept for later queries."""


class QueryVersion(Request):
    """Give the version and the abilities of this server."""


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
    "exam": ListQuestions,
    "terminate": Terminate,
    "terminate_all": Terminate,
    "clear": Clear,
    "clear_cache": Clear,  # its name in KataGo
    "query_version": QueryVersion,
}
