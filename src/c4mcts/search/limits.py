"""Limits: when a search ends. Clock: how much of the time for a game a move gets. SearchRun: a search within them."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, SupportsIndex, TypedDict

from .._timer import FOREVER, Timer
from .._validation import UNLIMITED, members, positive, positive_seconds, refused, whole_number
from ..board.board import Board
from .params import GumbelParams, SearchParams
from .refinement import Refinement
from .results import SearchResult
from .tree import EngineTree
from .tree_reader import TreeNode
from .validators import finite_from_0

COLUMNS: Literal["columns"] = "columns"
Simulations = int | Literal["columns"]


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
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    for parse in (count, float):
        with suppress(ValueError):
            return parse(text)
    return text


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends: at the first of these that is reached, but never before its first simulation.

    simulations: made by this call; "columns" means one for each column that is not full.
    seconds: wall clock, monotonic. nodes: size of the tree, children without visits included; since the tree of a small
    game may never reach it, `nodes=n` ends after n simulations in any case.
    A search also ends when a node's counters are full, after 2**32 / (reward units of a win) visits: 2**31 unless the
    rewards are unusual, hours of work, and 42 million with a discount. The next search then starts a new tree.

    Raises TypeError or ValueError, naming the field and the value; ValueError if there is no limit at all.
    """

    simulations: Simulations | None = None
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None and self.nodes is None:
            raise ValueError("a search needs a limit: simulations=, seconds= or nodes=")
        if isinstance(self.simulations, str):
            if self.simulations != COLUMNS:
                raise TypeError(refused("simulations", f"an integer or {COLUMNS!r}", self.simulations))
        elif self.simulations is not None:
            object.__setattr__(self, "simulations", min(positive("simulations", self.simulations), UNLIMITED))
        if self.nodes is not None:
            object.__setattr__(self, "nodes", min(positive("nodes", self.nodes), UNLIMITED))
        if self.seconds is not None:
            object.__setattr__(self, "seconds", positive_seconds("seconds", self.seconds))


class LimitOptions(TypedDict, total=False):
    """The fields of Limits, as keyword arguments of a function."""

    simulations: Simulations | None
    seconds: float | None
    nodes: int | None


def check_budget(params: SearchParams, simulations: Simulations | None) -> None:
    """ValueError if a search with these parameters needs a number of simulations, and has none."""
    if isinstance(params, GumbelParams) and simulations is None:
        raise ValueError(
            "GumbelParams divide the simulations of a search among the moves: it needs a limit in simulations"
        )


RESERVE = 0.05  # seconds of the clock that are never planned: a search may end late, a tree may be moved to a new root
DECISIVE = 0.2  # of the moves that a player may still make, the fraction after which the outcome is usually proven
LAST = 4  # the clock is planned for at least this many moves, unless fewer are left
LONGEST = 2.0  # a close decision may take this multiple of the planned time
CLOSE = 0.1  # a decision is close if the second move has at least this fraction of the visits of the first


@dataclass(frozen=True, slots=True)
class Clock:
    """What a player's clock shows: seconds left for all its moves, and seconds that it gains with each move."""

    remaining: float
    increment: float

    @classmethod
    def of(cls, value: object) -> "Clock":
        """Check a pair (remaining, increment). TypeError, ValueError."""
        wanted = "a pair (remaining, increment) of seconds"
        pair = members("clock", value, wanted, 2)
        if len(pair) != 2:
            raise ValueError(refused("clock", wanted, value))
        remaining = positive_seconds("clock: remaining", pair[0])
        return cls(remaining, finite_from_0("clock: increment", pair[1]))

    def share(self, moves: int, proofs: bool) -> "Share":
        """The share of the clock for the next move, if the player has at most `moves` moves left.

        proofs: whether the search proves outcomes. Then the decisions come early in a game, and the clock is planned
        for the moves up to the proof.
        """
        usable = max(self.remaining - RESERVE, 0.0)
        maximum = usable if moves == 1 else usable / 2
        planned_moves = max(min(moves, LAST), DECISIVE * moves) if proofs else moves
        planned = min(usable / planned_moves + self.increment, maximum)
        return Share(planned, min(LONGEST * planned, maximum))


@dataclass(frozen=True, slots=True)
class Share:
    """Seconds for one move: planned, and at most."""

    planned: float
    maximum: float

    def is_enough(self, seconds: float, simulations: int, is_proven: bool, visits: Sequence[int]) -> bool:
        """Whether to move now, after this number of seconds and simulations.

        is_proven: whether the outcome of the position is. visits: of each move that has not been proven inferior,
        in descending order.

        A forced move is played at once. A proven outcome, of which only the exact distance is open, takes at most half
        of the plan. A close decision takes up to the maximum. Any other takes the plan, or less once the second move
        can't overtake the first within the plan any more.
        """
        if is_proven:
            return seconds >= self.planned / 2
        if len(visits) < 2:
            return True
        if visits[1] >= CLOSE * visits[0]:
            return seconds >= self.maximum
        # the simulations until the plan is over, at the speed so far: simulations / seconds * (planned - seconds)
        return (visits[0] - visits[1]) * seconds >= max(simulations, 1) * (self.planned - seconds)


def _legal(board: Board, root_moves: object) -> list[int] | None:
    """The columns that a search may play first, in order; None if these are all. TypeError, ValueError."""
    given = members("root_moves", root_moves, "columns", board.rules.width)
    found = sorted({whole_number("root_moves", column) for column in given})
    if not found or not set(found) <= set(board.legal_columns):
        raise ValueError(refused("root_moves", f"some of the legal columns {board.legal_columns}", given))
    return None if found == board.legal_columns else found


STEP_SECONDS = 0.010  # how long a step takes, approximately
THREADS_STEP = 100  # milliseconds of a step with several threads, which have to be started
REFINEMENT_NODES = 1 << 16  # of the solver in a step, once the outcome is proven


class SearchRun:
    """A search within limits. Its time starts when it is made, which also moves the tree to the board.

    stop: called about every 10 ms, also in the middle of a simulation; true ends the search. columns, root_moves: see
    Engine.search; columns is False with a clock, too, whose time is for moves.
    """

    def __init__(
        self,
        tree: EngineTree,
        board: Board,
        limits: Limits,
        stop: Callable[[], bool],
        clock: Clock | None = None,
        columns: bool = True,
        root_moves: Iterable[SupportsIndex] | None = None,
    ) -> None:
        only = None if root_moves is None else _legal(board, root_moves)
        own_moves = (board.rules.cells - board.ply + 1) // 2
        self._share = share = None if clock is None else clock.share(own_moves, tree.params.proofs)
        self._timer = Timer(limits.seconds if share is None else min(share.maximum, limits.seconds or share.maximum))
        self._max_nodes = limits.nodes or UNLIMITED
        self._columns = columns and clock is None
        self._stop = stop if share is None else lambda: stop() or self._is_enough()
        self._tree = tree
        tree.set_position(board, only)
        wanted = len(only or board.legal_columns) if limits.simulations == COLUMNS else limits.simulations
        self._first_visits = tree.visits()
        self._last_visits = min(self._first_visits + min(wanted or UNLIMITED, self._max_nodes), tree.max_visits)
        self._refinement: Refinement | None = None  # of a proven root
        self._step_size = 1  # simulations

    def finish(self) -> None:
        """Search until a limit is reached or the search is stopped."""
        while self._advance(UNLIMITED, UNLIMITED):
            pass

    def step(self) -> bool:
        """Search for about 10 ms; False once the search is over. The tree does not depend on the steps.

        So a step ends by a number of simulations, not by the clock; with several threads, whose trees are not
        reproducible, after 0.1 s.
        """
        if self._tree.threads > 1:
            return self._advance(UNLIMITED, REFINEMENT_NODES, THREADS_STEP)
        before = self._timer.elapsed
        goes_on = self._advance(self._step_size, REFINEMENT_NODES)
        seconds = max(self._timer.elapsed - before, 1e-6)
        # at most four times as many, because the first simulations of a tree are the fastest
        self._step_size = max(1, min(int(self._step_size * STEP_SECONDS / seconds), 4 * self._step_size))
        return goes_on

    def _advance(self, simulations: int, solver_nodes: int, milliseconds: int = FOREVER) -> bool:
        """Make up to this many simulations, or take a step of the refinement; False once the search is over."""
        tree = self._tree
        left = self._last_visits - tree.visits()
        if not tree.is_proven():
            if left <= 0:
                return False
            milliseconds = min(milliseconds, self._timer.milliseconds())
            tree.grow(min(simulations, left), left, self._max_nodes, self._stop, milliseconds)
            goes_on = tree.is_proven() or tree.visits() < self._last_visits
        else:
            if self._refinement is None:
                self._refinement = tree.refinement(left, self._columns, self._timer, self._stop)
            goes_on = self._refinement is not None and self._refinement.step(solver_nodes)
        return goes_on and not (self._timer.is_over() or tree.node_count() >= self._max_nodes or self._stop())

    def _is_enough(self) -> bool:
        """Whether the rest of the time is better kept for later moves."""
        assert self._share is not None
        tree = self._tree
        contenders = sorted([move.visits for move in tree.root_moves().contenders()], reverse=True)
        simulations = tree.visits() - self._first_visits
        return self._share.is_enough(self._timer.elapsed, simulations, tree.is_proven(), contenders)

    def close(self) -> None:
        """Drop the caller's function. It may refer to this run, and the tree would wait for the garbage collector."""
        self._stop, self._refinement = bool, None

    def result(self) -> SearchResult:
        simulations = self._tree.visits() - self._first_visits
        return self._tree.result(simulations=simulations, seconds=self._timer.elapsed)

    def node(self, path: Iterable[SupportsIndex]) -> TreeNode:
        return self._tree.node(path)
