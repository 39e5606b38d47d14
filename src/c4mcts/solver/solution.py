"""Solution: what the solver has found out of a position."""

from dataclasses import dataclass

from ..board.board import Board
from .scores import plies_of


@dataclass(frozen=True, slots=True)
class Solution:
    """The outcome of a position under perfect play of both sides, on Pascal Pons' scale.

    A game that ends with n discs on a board of c cells counts (c + 2 - n) / 2, rounded down, for the winner: so the
    score is positive if the player to move wins, larger if sooner, and 0 for a draw.
    """

    board: Board  # a copy
    score: int | None  # None if a limit ended the search before it was known
    columns: tuple[int | None, ...] | None  # by column, for the player to move; None for a full or unsolved column
    best: tuple[int, ...]  # the columns with the highest score; empty if they were not asked for, or are not known
    nodes: int  # positions searched
    seconds: float

    @property
    def distance(self) -> int | None:
        """Plies to the end of the game if both sides play for the score: fast wins, late losses."""
        if self.score is None:
            return None
        empty = self.board.rules.cells - self.board.ply
        return plies_of(self.score, empty)

    def _repr_svg_(self) -> str:
        from ..view.solution_svg import solution_svg

        return solution_svg(self)
