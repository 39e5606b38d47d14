"""Scores: what a book says of the score of a position, and where it has none, what a solver says."""

from collections.abc import Callable
from typing import Any

from ..rules import Rules
from .book import Book, book_for


class Scores:
    """The scores of unfinished positions of one rule set, as bitboards (Board.own, Board.mask), for the player to move.

    new_solver: makes the solver of a backend; called once the book does not answer. ValueError for a book of other
    rules.
    """

    def __init__(self, rules: Rules, book: bool | Book, new_solver: Callable[[], Any]) -> None:
        book_for(book, rules, rules.cells)
        self.new_solver, self._rules, self._book = new_solver, rules, book
        self._loaded: Book | None = None  # once a position may be in it
        self.solver: Any = None

    def in_book(self, own: int, mask: int) -> int | None:
        """The score that the book has, if any."""
        if self._loaded is None:
            self._loaded = book_for(self._book, self._rules, mask.bit_count())
        return None if self._loaded is None else self._loaded.find(own, mask)

    def bounds(self, own: int, mask: int, low: int, high: int, budget: int, *limits: Any) -> tuple[int, int]:
        """Bounds of a score: equal, or both at least `high`, or both at most `low`, or wider at a limit.

        budget: the value of nodes() at which the solver ends. limits: its other ones.
        """
        score = self.in_book(own, mask)
        if score is not None:
            return score, score
        if self.solver is None:
            self.solver = self.new_solver()
        lower, upper = self.solver.solve(own, mask, low, high, budget, *limits)
        return int(lower), int(upper)

    def nodes(self) -> int:
        """How many nodes the solver has searched."""
        return 0 if self.solver is None else int(self.solver.nodes())
