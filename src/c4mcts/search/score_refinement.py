"""The second phase of a search: from a proven outcome to the exact score, the fastest win or the slowest loss."""

from collections.abc import Callable, Sequence
from typing import Any

from .._validation import UNLIMITED
from ..board.board import Board
from .root_bounds import RootBounds


def refine(
    bounds: RootBounds,
    board: Board,
    solver: Any,
    order: Sequence[int],
    max_nodes: int,
    poll: Callable[[], object],
) -> RootBounds:
    """Narrow bounds with the solver until one column is known to be the best, or a limit is reached.

    board: the position that the bounds are of. order: the columns, those to try first in front. max_nodes: of the
    solver. poll: called every few milliseconds; returns true to stop.
    """
    budget = min(solver.nodes() + max_nodes, UNLIMITED)
    while (question := _next_question(bounds, order)) is not None:
        column, threshold = question
        after = board.copy()
        after.push(column)
        lower, upper = solver.solve(after.own, after.mask, -threshold, 1 - threshold, budget, poll)
        answer = -upper, -lower
        contradiction = bounds.contradicts(column, answer)
        refined = bounds.narrowed(column, answer)
        if contradiction or refined == bounds:
            return refined  # a forged table, or a limit was reached
        bounds = refined
    return bounds


def _next_question(bounds: RootBounds, order: Sequence[int]) -> tuple[int, int] | None:
    """(column, threshold): the next solver question is whether that column scores at least the threshold.

    None if the best column is known. For a winner: a faster win than the fastest known, first in the column of that
    win. For a loser: whether the slowest loss that is still possible holds. A draw has nothing to refine.
    """
    lower = max(low for low, _ in bounds.columns.values())
    upper = max(high for _, high in bounds.columns.values())
    if lower >= upper or lower == 0:
        return None
    threshold = lower + 1 if lower > 0 else upper
    able = [column for column in order if bounds.columns[column][1] >= threshold]
    return max(able, key=lambda column: bounds.columns[column][0]), threshold  # of equals the first in the order
