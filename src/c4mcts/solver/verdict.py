"""Verdict: what is proven of a position or of a move.

Scores are on Pascal Pons' scale (see Solution) for the player to move: above 0 that player wins, the higher the sooner;
below 0 the opponent wins.
"""

from typing import TYPE_CHECKING, Literal, NamedTuple

Proof = Literal["win", "draw", "loss"]
Bound = Literal["exact", "at most"]  # what a distance is: a search proves a win or a loss within some number of plies
AT_MOST = "<="  # of a distance; "≤" where every character can be shown


class Verdict(NamedTuple):
    """Proven bounds of the exact score of a position, or of one of its moves, for the player to move.

    >>> verdict = Verdict(lower=3, upper=5, empty=20)
    >>> verdict.proof, verdict.distance, verdict.bound
    ('win', 15, 'at most')
    >>> print(verdict)
    win in <= 15
    """

    lower: int  # lowest and highest possible score, on Pons' scale
    upper: int
    empty: int  # cells of the position

    @property
    def proof(self) -> Proof | None:
        """The proven outcome: "win", "draw" or "loss"."""
        if self.lower > 0 or self.upper < 0:
            return "win" if self.lower > 0 else "loss"
        return "draw" if self.lower == self.upper else None

    @property
    def score(self) -> int:
        """The score that is certain to the winner, negative for a loss; 0 without one. The higher, the better."""
        return self.lower if self.lower > 0 else min(self.upper, 0)

    @property
    def distance(self) -> int | None:
        """If proven, the plies from the position to the end of the game, which the winner can reach: see bound."""
        return None if self.proof is None else plies_of(self.score, self.empty)

    @property
    def bound(self) -> Bound | None:
        """Whether the distance is "exact", or "at most" that, since the winner may be faster; None without proof."""
        if self.proof is None:
            return None
        return "exact" if self.lower == self.upper else "at most"

    @property
    def order(self) -> tuple[int, bool]:
        """A key for sorting: the better the proof, the higher, and of equal ones exact ones are higher."""
        return self.score, self.lower == self.upper

    def after_move(self) -> "Verdict":
        """The verdict on the position after a move, for the player to move there."""
        return Verdict(-self.upper, -self.lower, self.empty - 1)

    def plies(self, at_most: str = AT_MOST) -> str:
        """The distance in words: "3", "<= 36"."""
        return f"{self.distance}" if self.lower == self.upper else f"{at_most} {self.distance}"

    def text(self, at_most: str = AT_MOST) -> str:
        """ "win in 3", "loss in <= 36", "draw", or nothing."""
        return f"{self.proof} in {self.plies(at_most)}" if self.score else self.proof or ""

    def __str__(self) -> str:
        return self.text()


class Judged:
    """The proof, distance and bound of a verdict as attributes."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def verdict(self) -> Verdict: ...

    @property
    def proof(self) -> Proof | None:
        """The proven outcome: "win", "draw" or "loss"."""
        return self.verdict.proof

    @property
    def distance(self) -> int | None:
        """If proven, the plies to the end of the game: see bound."""
        return self.verdict.distance

    @property
    def bound(self) -> Bound | None:
        """Whether the distance is "exact", or "at most" that, since the winner may be faster; None without proof."""
        return self.verdict.bound


def sign(score: int) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)


def plies_of(score: int, empty: int) -> int:
    """Plies to the end of a game with that score for the player to move, from a position with `empty` empty cells."""
    if score == 0:
        return empty
    plies = empty + 2 - 2 * abs(score)  # or one less, since scores are rounded down
    is_odd = score > 0  # the player to move makes the last move of a game that they win
    return plies if plies % 2 == is_odd else plies - 1
