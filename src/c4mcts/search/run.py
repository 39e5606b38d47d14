"""SearchRun: a search within its limits, in one call or step by step."""

from collections.abc import Callable, Iterable
from typing import SupportsIndex

from .._layout import UNLIMITED
from .._timer import Timer
from .._validation import members, must_be, whole_number
from ..board.board import Board
from .clock import Clock
from .limits import COLUMNS, Limits
from .refinement import Refinement
from .results import SearchResult
from .tree import EngineTree
from .tree_reader import TreeNode

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
        only = None if root_moves is None else legal(board, root_moves)
        own_moves = (board.rules.cells - board.ply + 1) // 2
        self._share = share = None if clock is None else clock.share(own_moves, tree.params.proofs)
        self._timer = Timer(limits.seconds if share is None else min(share.maximum, limits.seconds or share.maximum))
        self._max_nodes = limits.nodes or UNLIMITED
        self._columns = columns and clock is None
        self._stop = stop if share is None else lambda: stop() or self._is_enough()
        self._tree = tree
        tree.set_position(board, only)
        simulations = len(only or board.legal_columns) if limits.simulations == COLUMNS else limits.simulations
        self._first_visits = tree.visits()
        self._last_visits = min(self._first_visits + min(simulations or UNLIMITED, self._max_nodes), tree.max_visits)
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

    def _advance(self, simulations: int, solver_nodes: int, milliseconds: int = UNLIMITED) -> bool:
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


def legal(board: Board, root_moves: object) -> list[int] | None:
    """The columns that a search may play first, in order; None if these are all. TypeError, ValueError."""
    items = members("root_moves", root_moves, "columns", board.rules.width)
    columns = sorted({whole_number("root_moves", column) for column in items})
    if not columns or not set(columns) <= set(board.legal_columns):
        raise ValueError(must_be("root_moves", f"some of the legal columns {board.legal_columns}", items))
    return None if columns == board.legal_columns else columns
