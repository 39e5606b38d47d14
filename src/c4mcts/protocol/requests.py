"""Requests: the checked form of the messages that a client sends."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from .._layout import MAX_SIDE
from .._validation import between, flag, refused, word
from ..board.board import Board
from ..play.levels import Level, LevelPlayer
from ..search.limits import Limits
from ..search.params import SearchParams
from .caps import MAX_VISITS, Caps, Defaults
from .messages import Keys, Refusal, an_id
from .options import (
    MAX_TURN,
    Asked,
    read_limits,
    read_params,
    read_priority,
    read_report_every,
    read_seconds,
    read_seed,
    read_turn_numbers,
)
from .positions import asked_boards, last_board, read_position, unfinished

MAX_STEPS = 200  # simulations that are told one by one: more are too many to be looked at


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
class Play:
    """Choose the move of a level."""

    id: str
    boards: tuple[tuple[int, Board], ...]  # one (turn, board)
    level: Level
    seconds: float
    seed: int | None
    priority: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Say what each move of a game was worth."""

    id: str
    boards: tuple[tuple[int, Board], ...]  # one (turn, board): the end of the game
    seconds: float
    report_every: float | None
    priority: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """Tell the first simulations of a search one by one."""

    id: str
    boards: tuple[tuple[int, Board], ...]  # one (turn, board)
    params: SearchParams
    simulations: int
    seconds: float
    seed: int | None
    priority: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAtTree:
    """Say what a node of the tree of the running search, or of the kept one, holds."""

    id: str
    path: tuple[int, ...]  # columns from the root


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
    turns: frozenset[int] | None  # None: all


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


Work = Analyze | Solve | Play | Review | Steps  # done by workers
Request = Work | LookAtTree | Describe | Terminate | Clear | QueryVersion


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
        boards=asked_boards(keys, game, caps.waiting),
        params=read_params(asked),
        limits=read_limits(asked),
        threads=keys.take("threads", partial(between, low=1, high=caps.threads), threads),
        seed=read_seed(keys),
        report_every=read_report_every(keys),
        priority=read_priority(keys),
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
        seconds=read_seconds(asked) or caps.seconds,
        report_every=read_report_every(keys),
        priority=read_priority(keys),
    )


def _play(asked: Asked) -> Play:
    keys = asked.keys
    turn, board = last_board(read_position(keys))
    return Play(
        id=asked.id,
        boards=((turn, unfinished(turn, board)),),
        level=keys.need("level", lambda name, value: LevelPlayer(value).level),
        seconds=asked.caps.seconds,
        seed=read_seed(keys),
        priority=read_priority(keys),
    )


def _review(asked: Asked) -> Review:
    keys = asked.keys
    return Review(
        id=asked.id,
        boards=(last_board(read_position(keys)),),
        seconds=read_seconds(asked) or asked.caps.seconds,
        report_every=read_report_every(keys),
        priority=read_priority(keys),
    )


def _steps(asked: Asked) -> Steps:
    keys = asked.keys
    turn, board = last_board(read_position(keys))
    return Steps(
        id=asked.id,
        boards=((turn, unfinished(turn, board)),),
        params=read_params(asked),
        simulations=keys.take("maxVisits", partial(between, low=1, high=MAX_STEPS), MAX_STEPS),
        seconds=read_seconds(asked) or asked.caps.seconds,
        seed=read_seed(keys),
        priority=read_priority(keys),
    )


def _tree(asked: Asked) -> LookAtTree:
    def path(name: str, value: object) -> tuple[int, ...]:
        if not isinstance(value, list):
            raise TypeError(refused(name, "a list of columns", value))
        if len(value) > MAX_TURN:
            raise ValueError(f"{name} must have at most {MAX_TURN} columns, not {len(value)}")
        return tuple(between(f"{name}[{index}]", column, 0, MAX_SIDE - 1) for index, column in enumerate(value))

    return LookAtTree(id=asked.id, path=asked.keys.take("path", path, ()))


def _describe(asked: Asked) -> Describe:
    turn, board = last_board(read_position(asked.keys))
    return Describe(id=asked.id, turn=turn, board=board)


def _terminate(asked: Asked) -> Terminate:
    target = asked.keys.need("terminateId", an_id)
    return Terminate(id=asked.id, echo=asked.message, target=target, turns=read_turn_numbers(asked.keys))


def _terminate_all(asked: Asked) -> Terminate:
    return Terminate(id=asked.id, echo=asked.message, target=None, turns=read_turn_numbers(asked.keys))


def _clear(asked: Asked) -> Clear:
    return Clear(id=asked.id, echo=asked.message)


def _query_version(asked: Asked) -> QueryVersion:
    return QueryVersion(id=asked.id, echo=asked.message)


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
