"""SearchRun: the loop of a search, in short slices, with its limits and its reports; and pondering."""

import threading
from collections.abc import Callable, Generator
from functools import partial

from .. import _platform
from .._timer import Timer
from ..board.board import Board
from ..executors.background import Background
from .limits import Clock, Limits, TimeManager
from .results import SearchResult
from .tree import EngineTree


def grow(tree: EngineTree, manager: TimeManager, poll: Callable[[], bool]) -> Generator[None, None, None]:
    """Grow a tree slice by slice; between two slices Python handles signals and other threads.

    poll: reports progress; true ends the search.
    """
    while not tree.is_proven() and (count := min(manager.next_slice(), tree.remaining_visits())):
        max_simulations = min(manager.remaining(), tree.remaining_visits())
        manager.record(tree.simulate(count, max_simulations, manager.max_nodes, poll))
        if tree.node_count() >= manager.max_nodes or poll():
            return
        yield
    if tree.is_proven():
        yield from tree.refine_bounds(manager.remaining(), poll)


class SearchRun:
    """One search in the calling thread. Its time starts when it is made, which also moves the tree to the board.

    interval: seconds between two reports. sliced: see TimeManager.
    """

    def __init__(
        self, tree: EngineTree, board: Board, limits: Limits, clock: Clock | None, interval: float, sliced: bool
    ) -> None:
        own_moves = (board.rules.cells - board.ply + 1) // 2
        self._share = None if clock is None else clock.share(own_moves, tree.params.proofs)
        seconds = limits.seconds if self._share is None else self._share.within(limits.seconds)
        self._timer = Timer(seconds, interval)
        self._manager = TimeManager(limits.on(board.rules), self._timer, sliced)
        self._tree = tree
        tree.set_position(board)
        self._visits_before = tree.visits()

    def slices(
        self, report: Callable[[SearchResult], object] | None, is_ended: Callable[[], bool]
    ) -> Generator[None, None, SearchResult]:
        """Search in slices, and report what is found so far. is_ended: polled during the search; true ends it."""
        due = None if report is None else lambda: report(self._result())
        yield from grow(self._tree, self._manager, lambda: self._timer.poll(due) or is_ended() or self._is_enough())
        return self._result()

    def _is_enough(self) -> bool:
        """Whether the rest of the time is better kept for later moves."""
        if self._share is None:
            return False
        contenders = sorted((row.visits for row in self._tree.reader().moves().contenders()), reverse=True)
        return self._share.is_enough(self._timer.elapsed, self._simulations(), self._tree.is_proven(), contenders)

    def _simulations(self) -> int:
        return self._tree.visits() - self._visits_before

    def _result(self) -> SearchResult:
        return self._tree.reader().result(
            self._tree.next_random_bits(),
            simulations=self._simulations(),
            nodes=self._tree.node_count(),
            seconds=self._timer.elapsed,
        )


def background_growth(lock: threading.Lock, tree: EngineTree, board: Board, limits: Limits, sliced: bool) -> Background:
    """Growth in the background, not started yet, of a tree that is moved to the board now.

    It gives up if it finds the lock held, and holds it while it lasts. The thread refers to the tree, not to the
    engine, so that an engine that is no longer used is still collected.
    """
    tree.set_position(board)
    timer = Timer(limits.seconds)
    manager = TimeManager(limits.on(board.rules), timer, sliced)
    return Background(partial(_grow_alone, lock, tree, manager, timer))


def _grow_alone(
    lock: threading.Lock, tree: EngineTree, manager: TimeManager, timer: Timer, is_closed: Callable[[], bool]
) -> None:
    if lock.acquire(blocking=False):
        try:
            _platform.to_the_end(grow, tree, manager, lambda: timer.is_over() or is_closed())
        finally:
            lock.release()
