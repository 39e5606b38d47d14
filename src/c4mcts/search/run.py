"""SearchRun: one search of a position on a kept tree, at once or in steps, with its limits and its results."""

from collections.abc import Callable, Iterable
from typing import SupportsIndex

from .._timer import Timer
from .._validation import UNLIMITED
from ..board.board import Board
from .limits import COLUMNS, Clock, Limits
from .refinement import Refinement
from .results import SearchResult
from .tree import EngineTree
from .tree_reader import TreeNode

STEP_SECONDS = 0.010  # how long a step takes, approximately
REFINEMENT_NODES = 1 << 16  # of the solver in a step, once the outcome is proven


class SearchRun:
    """A search within limits. Its time starts when it is made, which also moves the tree to the board.

    stop: called about every 10 ms, also in the middle of a simulation; true ends the search. columns: see
    Engine.search; False with a clock, too, whose time is for moves.
    """

    def __init__(
        self,
        tree: EngineTree,
        board: Board,
        limits: Limits,
        stop: Callable[[], bool],
        clock: Clock | None = None,
        columns: bool = True,
    ) -> None:
        own_moves = (board.rules.cells - board.ply + 1) // 2
        self._share = None if clock is None else clock.share(own_moves, tree.params.proofs)
        self._timer = Timer(limits.seconds if self._share is None else self._share.within(limits.seconds))
        self._max_nodes = limits.nodes or UNLIMITED
        wanted = len(board.legal_columns) if limits.simulations == COLUMNS else limits.simulations
        self._max_simulations = min(wanted or UNLIMITED, self._max_nodes)
        self._columns = columns and clock is None
        self._stop = stop if self._share is None else lambda: stop() or self._is_enough()
        self._tree = tree
        tree.set_position(board)
        self._visits_before = tree.visits()
        self._refinement: Refinement | None = None  # of a proven root
        self._step_size = 1  # simulations

    def finish(self) -> None:
        """Search until a limit is reached or the search is stopped."""
        while self._advance(UNLIMITED, UNLIMITED):
            pass

    def step(self) -> bool:
        """Search for about 10 ms; False once the search is over. The tree is that of a search in one piece.

        For that a step ends by a number of simulations, not by the clock. With several threads it is the whole search.
        """
        before = self._timer.elapsed
        goes_on = self._advance(UNLIMITED if self._tree.threads > 1 else self._step_size, REFINEMENT_NODES)
        seconds = max(self._timer.elapsed - before, 1e-6)
        # at most four times as many, because the first simulations of a tree are the fastest
        self._step_size = max(1, min(int(self._step_size * STEP_SECONDS / seconds), 4 * self._step_size))
        return goes_on

    def _advance(self, simulations: int, solver_nodes: int) -> bool:
        """Make up to this many simulations, or take a step of the refinement; False once the search is over."""
        tree = self._tree
        left = self._left()
        if not tree.is_proven():
            if not left:
                return False
            tree.grow(min(simulations, left), left, self._max_nodes, self._stop, self._timer.milliseconds())
            return not self._is_over() and (tree.is_proven() or self._left() > 0)
        if self._refinement is None:
            self._refinement = tree.refinement(left, self._columns, self._timer, self._stop)
        return self._refinement is not None and self._refinement.step(solver_nodes) and not self._is_over()

    def _left(self) -> int:
        """Simulations until the limit of the search or that of the tree's counters."""
        return min(self._max_simulations - self._simulations(), self._tree.remaining_visits())

    def _is_over(self) -> bool:
        return self._timer.is_over() or self._tree.node_count() >= self._max_nodes or self._stop()

    def _is_enough(self) -> bool:
        """Whether the rest of the time is better kept for later moves."""
        assert self._share is not None
        tree = self._tree
        contenders = sorted([move.visits for move in tree.root_moves().contenders()], reverse=True)
        return self._share.is_enough(self._timer.elapsed, self._simulations(), tree.is_proven(), contenders)

    def _simulations(self) -> int:
        return self._tree.visits() - self._visits_before

    def result(self) -> SearchResult:
        """What has been found so far."""
        return self._tree.result(simulations=self._simulations(), seconds=self._timer.elapsed)

    def node(self, path: Iterable[SupportsIndex]) -> TreeNode:
        """A node of the tree as it is: see Engine.node."""
        return self._tree.node(path)
