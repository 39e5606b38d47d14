"""What is found out of a position once its outcome is proven: exact scores of its columns, and lines of best play.

The search proves a win or a loss with a number of plies that is only an upper limit. The solver, and a book where it
reaches, find the exact number.
"""

from collections.abc import Callable, Generator
from typing import Any

from .. import _platform
from .._validation import UNLIMITED
from ..board.board import Board
from ..solver.book import Book
from ..solver.solver import from_the_middle
from .root_moves import RootMoves, Row, best_first

LINE_NODES = 1_000_000  # of the solver for one line, which then ends; native: 0.25 s, and 4 of 5 lines need 0.1 s


class Refinement:
    """Narrows the bounds of the moves of a position, and finds lines of best play; for one search of it.

    All of it is done in slices: generators that yield after each call of the solver.

    board: the position of the moves. solver: that of a backend. book: for the same rules, or None. max_nodes: of the
    solver, for everything together. poll: called every few milliseconds; returns true to stop.
    """

    def __init__(
        self,
        moves: RootMoves,
        board: Board,
        solver: Any,
        max_nodes: int,
        poll: Callable[[], object],
        book: Book | None = None,
    ) -> None:
        self._moves = moves
        self._board = board
        self._solver = solver
        self._poll = poll
        self._book = book
        self._limit = min(solver.nodes() + max_nodes, UNLIMITED)

    def refine_best(self) -> Generator[None, None, bool]:
        """Narrow bounds until one column is known to be the best; False if a limit is reached first."""
        while (question := _next_question(self._moves.rows())) is not None:
            column, threshold = question
            if not (yield from self._ask(column, threshold - 1, threshold)):
                return False
        return True

    def refine_columns(self) -> Generator[None, None, bool]:
        """Find the exact scores of all columns, the best first; False if a limit is reached first."""
        if self._book is not None:
            self._moves.narrow_by_book(self._book, self._board)
        if not (yield from self.refine_best()):
            return False
        for row in best_first(self._moves.rows()):
            lower, upper = row.lower, row.upper
            while lower < upper:
                if not (yield from self._ask(row.column, lower, upper)):
                    return False
                lower, upper = self._moves.bounds()[row.column]
        return True

    def line(self, column: int) -> Generator[None, None, tuple[int, ...]]:
        """A move with an exact score and best play of both sides after it, as far as LINE_NODES suffice."""
        score = self._moves.bounds()[column][0]
        limit, board = min(self._solver.nodes() + LINE_NODES, self._limit), self._board.copy()
        line: list[int] = []
        next_column: int | None = column
        while next_column is not None:
            board.push(next_column)
            line.append(next_column)
            score = -score
            known = [] if self._book is None else self._book.line(board)
            next_column = known[0] if known else (yield from self._best_column(board, score, limit))
        return tuple(line)

    def _best_column(self, board: Board, score: int, limit: int) -> Generator[None, None, int | None]:
        """The first column with the score of the position, from the middle outwards; None at the end, or at a limit."""
        for column in from_the_middle(board):
            reaches = yield from self._reaches(board, column, score, limit)
            if reaches is None:
                return None
            if reaches:
                return column
        return None

    def _reaches(self, board: Board, column: int, score: int, limit: int) -> Generator[None, None, bool | None]:
        """Whether a column has the score of the position; None at a limit."""
        after = board.copy()
        after.push(column)
        outcome = after.outcome()
        if outcome is not None:  # no move of the position wins sooner than its score says
            return outcome.winner is not None or score == 0
        lower, upper = yield from self._solved(after, -score, 1 - score, limit)
        return True if upper <= -score else False if lower > -score else None

    def _ask(self, column: int, low: int, high: int) -> Generator[None, None, bool]:
        """Ask the solver for the score of a column as far as it lies between these; False if it did not find out."""
        after = self._board.copy()
        after.push(column)
        lower, upper = yield from self._solved(after, -high, -low, self._limit)
        known, answer = self._moves.bounds(), (-upper, -lower)
        contradiction = self._moves.contradicts(column, answer)
        self._moves.narrow(column, answer)
        return not contradiction and self._moves.bounds() != known  # a forged table, or a limit was reached

    def _solved(self, board: Board, low: int, high: int, limit: int) -> Generator[None, None, tuple[int, int]]:
        """Bounds of the score of a position, as far as it lies between these."""
        while True:
            # A slice ends by its nodes, not by the clock: max_nodes counts those of every slice, and the result of a
            # search must not depend on the speed of the machine.
            end = limit if _platform.HAS_THREADS else min(limit, self._solver.nodes() + _platform.PAUSE_NODES)
            lower, upper = self._solver.solve(board.own, board.mask, low, high, end, self._poll)
            yield
            if self._solver.nodes() < end or end == limit:
                return lower, upper


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
