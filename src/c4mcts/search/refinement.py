"""Refinement of a position whose outcome is proven: exact scores of its columns, and lines of best play.

The search proves a win or a loss with a number of plies that is only an upper limit. The solver, and a book where it
reaches, find the exact number.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from .._layout import UNLIMITED
from .._timer import Timer
from ..board.board import Board
from ..solver.book import Book
from ..solver.lines import best_line
from .root_moves import MoveStats, RootMoves, best_first

LINE_NODES = 1_000_000  # of the solver for one line, which then ends; native: 0.25 s, and 4 of 5 lines need 0.1 s


@dataclass(slots=True)
class Refinement:
    """Narrows the bounds of the moves of a position, and finds lines of best play; for one search of it."""

    moves: RootMoves
    board: Board
    solver: Any  # a backend's
    limit: int  # value of solver.nodes() at which to end
    timer: Timer  # of the search
    poll: Callable[[], object]  # called about every 10 ms; returns true to stop
    lines: dict[int, tuple[int, ...]] | None = None  # of best play by first column, to add to; None: find the best move
    book: Book | None = None  # for the same rules
    _order: list[int] = field(default_factory=list)  # of the columns, once the best is known
    _open: list[int] | None = None  # the columns without a line, once all scores are known

    def step(self, nodes: int = UNLIMITED) -> bool:
        """Ask the solver one question, of which it searches at most this many nodes, or find one line of best play.

        False once there is nothing left to find out, or a limit is reached.
        """
        moves = self.moves.moves()
        question = _best_unknown(moves)
        if question is None and self.lines is not None:
            # the next column without an exact score, the best first
            self._order = self._order or [move.column for move in best_first(moves)]
            unknown = {move.column: (move.lower, move.upper) for move in moves if move.lower < move.upper}
            question = next(((column, *unknown[column]) for column in self._order if column in unknown), None)
        if question is not None:
            return self._ask(*question, nodes)
        return self.lines is not None and self._add_line(self.lines)

    def _ask(self, column: int, low: int, high: int, nodes: int) -> bool:
        end = min(self.limit, self.solver.nodes() + nodes)
        after = self.board.after(column)
        lower, upper = self._bounds(end, after.own, after.mask, -high, -low)
        bounds = self.moves.bounds()
        self.moves.narrow(column, (-upper, -lower))
        return self.moves.bounds() != bounds or end <= self.solver.nodes() < self.limit

    def _add_line(self, lines: dict[int, tuple[int, ...]]) -> bool:
        """Find the line of the next column, the best first; False if all are known."""
        if self._open is None:
            moves = best_first(self.moves.moves())
            self._open = [move.column for move in moves if len(lines.get(move.column, ())) != move.distance]
        if not self._open:
            return False
        column = self._open.pop(0)
        bounds = partial(self._bounds, min(self.solver.nodes() + LINE_NODES, self.limit))
        after, score = self.board.after(column), self.moves.bounds()[column][0]
        lines[column] = (column, *best_line(after, -score, bounds, after.rules.cells, self.book))
        return True

    def _bounds(self, end: int, own: int, mask: int, low: int, high: int) -> tuple[int, int]:
        """Bounds of a score, exact between `low` and `high`. end: a number of nodes of the solver."""
        lower, upper = self.solver.solve(own, mask, low, high, end, self.poll, self.timer.milliseconds())
        return lower, upper


def _best_unknown(moves: Sequence[MoveStats]) -> tuple[int, int, int] | None:
    """(column, threshold - 1, threshold): the next question is whether that column scores at least the threshold.

    None if the best column is known. For a winner: a faster win than the fastest known, first in the column of that
    win. For a loser: whether the slowest loss that is still possible holds. A draw has nothing to refine.
    """
    lower, upper = max([move.lower for move in moves]), max([move.upper for move in moves])
    if lower >= upper or lower == 0:
        return None
    threshold = lower + 1 if lower > 0 else upper
    able = [move for move in moves if move.upper >= threshold]
    best = max(able, key=lambda move: (move.lower, move.visits))  # of equals the first column
    return best.column, threshold - 1, threshold
