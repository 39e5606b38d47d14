"""The second phase of a search: from a proven outcome to the exact score, the fastest win or the slowest loss."""

from collections.abc import Callable
from typing import Any

from .._validation import UNLIMITED
from ..board.board import Board
from .root_moves import RootMoves, Row


def refine(moves: RootMoves, board: Board, solver: Any, max_nodes: int, poll: Callable[[], object]) -> None:
    """Narrow bounds with the solver until one column is known to be the best, or a limit is reached.

    board: the position of the moves. max_nodes: of the solver. poll: called every few milliseconds; returns true to
    stop.
    """
    budget = min(solver.nodes() + max_nodes, UNLIMITED)
    while (question := _next_question(moves.rows())) is not None:
        column, threshold = question
        after = board.copy()
        after.push(column)
        lower, upper = solver.solve(after.own, after.mask, -threshold, 1 - threshold, budget, poll)
        known, answer = moves.bounds(), (-upper, -lower)
        contradiction = moves.contradicts(column, answer)
        moves.narrow(column, answer)
        if contradiction or moves.bounds() == known:
            return  # a forged table, or a limit was reached


def _next_question(rows: list[Row]) -> tuple[int, int] | None:
    """(column, threshold): the next solver question is whether that column scores at least the threshold.

    None if the best column is known. For a winner: a faster win than the fastest known, first in the column of that
    win. For a loser: whether the slowest loss that is still possible holds. A draw has nothing to refine.
    """
    lower, upper = max(row.lower for row in rows), max(row.upper for row in rows)
    if lower >= upper or lower == 0:
        return None
    threshold = lower + 1 if lower > 0 else upper
    able = [row for row in rows if row.upper >= threshold]
    return max(able, key=lambda row: (row.lower, row.visits)).column, threshold  # of equals the first column
