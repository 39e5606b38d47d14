"""From a proven outcome to the exact score: the second phase of a search, in which wins get fast and losses long."""

from collections.abc import Callable
from typing import Any

from ..board.board import Board
from ..solver.scores import plies_of, win_score
from .limits import UNLIMITED
from .results import Proof

Bounds = tuple[int, int]  # of a column's score, for the player to move


class Narrowing:
    """Bounds of the scores of all columns of a position, and how to narrow them until a best column is certain."""

    def __init__(self, board: Board) -> None:
        self._board = board
        cells, ply = board.rules.cells, board.ply
        wins = board.winning_columns()
        self.urgent = wins or board.threatened_columns()  # columns of which one must be played; empty: any may be
        self._bounds = {}
        for column in board.legal_columns:
            if column in wins:
                self._bounds[column] = (win_score(cells, ply + 1), win_score(cells, ply + 1))
            elif ply + 1 == cells:
                self._bounds[column] = (0, 0)
            else:
                # at worst the opponent wins with the next disc, at best this player with the one after
                self._bounds[column] = (-win_score(cells, ply + 2), win_score(cells, ply + 3))

    def bounds(self, column: int) -> Bounds:
        """What is known of a column."""
        return self._bounds[column]

    def add_proof(self, column: int, proof: Proof | None, distance: int | None) -> None:
        """Take note of what `proof` said of a column elsewhere."""
        if proof is None or distance is None:
            return
        score = win_score(self._board.rules.cells, self._board.ply + distance)
        lower, upper = self._bounds[column]
        self.add(column, {"win": (score, upper), "draw": (0, 0), "loss": (lower, -score)}[proof])

    def proof(self, column: int | None = None) -> tuple[Proof | None, int | None]:
        """What is proven of a column, or of the position, and within how many plies."""
        bounds = list(self._bounds.values()) if column is None else [self._bounds[column]]
        lower, upper = max(low for low, _ in bounds), max(high for _, high in bounds)
        empty = self._board.rules.cells - self._board.ply
        if lower > 0:
            return "win", plies_of(lower, empty)
        if upper < 0:
            return "loss", plies_of(upper, empty)
        return ("draw", empty) if lower == upper else (None, None)

    def all_bounds(self) -> dict[int, Bounds]:
        """What is known of every legal column."""
        return dict(self._bounds)

    def add(self, column: int, bounds: Bounds) -> bool:
        """Take note of what is known from elsewhere; whether it goes with what is known here.

        If not, which a forged file can bring about, it takes the place of that.
        """
        lower = max(self._bounds[column][0], bounds[0])
        upper = min(self._bounds[column][1], bounds[1])
        self._bounds[column] = (lower, upper) if lower <= upper else bounds
        return lower <= upper

    def run(self, solver: Any, order: list[int], budget: int, poll: Callable[[], object]) -> None:
        """Narrow the bounds until some column is known to be the best, for at most `budget` nodes of the solver.

        order: which column to try first. poll: called all the while; true stops it.
        """
        end = min(solver.nodes() + budget, UNLIMITED)
        while (question := self._question(order)) is not None:
            column, threshold = question
            after = self._board.copy()
            after.push(column)
            lower, upper = solver.solve(after.own, after.mask, -threshold, 1 - threshold, end, poll)
            before = self._bounds[column]
            if not self.add(column, (-upper, -lower)) or self._bounds[column] == before:
                return  # nothing can be relied upon, or a limit came first

    def _question(self, order: list[int]) -> tuple[int, int] | None:
        """The next column, and the score of which to ask whether it reaches it; None if all is known that matters.

        A winner asks for a faster win than the fastest known, first of the column that has it. A loser asks whether the
        longest resistance that is not refuted really holds. A draw is a draw.
        """
        lower = max(low for low, _ in self._bounds.values())
        upper = max(high for _, high in self._bounds.values())
        if lower >= upper or lower == 0:
            return None
        threshold = lower + 1 if lower > 0 else upper
        able = [column for column in order if self._bounds[column][1] >= threshold]
        return max(able, key=lambda column: self._bounds[column][0]), threshold  # of equals the first in the order
