"""Grows a tree within limits: in the calling thread, or in the background."""

import threading
from collections.abc import Callable
from functools import partial

from .._timer import Timer
from ..executors.background import Background
from .time_manager import TimeManager
from .tree import Tree


def grow(tree: Tree, manager: TimeManager, poll: Callable[[], bool]) -> None:
    """Grow a tree slice by slice; between two slices Python handles signals and other threads.

    poll: reports progress; true ends the search.
    """
    while not tree.is_proven() and (count := min(manager.next_slice(), tree.remaining_visits())):
        max_simulations = min(manager.remaining(), tree.remaining_visits())
        manager.record(tree.simulate(count, max_simulations, manager.max_nodes, poll))
        if tree.node_count() >= manager.max_nodes or poll():
            return
    if tree.is_proven():
        tree.refine_bounds(manager.remaining(), poll)


def background_growth(lock: threading.Lock, tree: Tree, manager: TimeManager, timer: Timer) -> Background:
    """Growth in the background, not started yet; it gives up if it finds the lock held, and holds it while it lasts.

    The thread refers to the tree, not to the engine, so that an engine which nobody uses any more is still collected.
    """
    return Background(partial(_grow_alone, lock, tree, manager, timer))


def _grow_alone(
    lock: threading.Lock, tree: Tree, manager: TimeManager, timer: Timer, is_closed: Callable[[], bool]
) -> None:
    if lock.acquire(blocking=False):
        try:
            grow(tree, manager, lambda: timer.is_over() or is_closed())
        finally:
            lock.release()
