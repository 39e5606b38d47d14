"""Review, MoveReview: what each move of a game was worth.

A *half point* is the difference between a win and a draw, or between a draw and a loss.
"""

from dataclasses import dataclass
from math import isnan, nan
from statistics import fmean
from typing import Any, Literal

from .._files import json_types
from ..board.board import Board

Kind = Literal["only", "best", "good", "inaccuracy", "mistake", "missed win", "blunder"]

# What people see first, whatever the scores: a win in one move that was not taken, a threat to win at once that was not
# stopped, a disc on top of which the opponent wins.
Oversight = Literal["overlooked win", "unblocked threat", "disc under a win"]

# The kinds that change the result, or go with an oversight.
CHANGES: tuple[Kind, ...] = ("mistake", "missed win", "blunder")

MARKS = {"inaccuracy": "?!", "mistake": "?", "missed win": "?", "blunder": "??"}
NAMES = ("yellow", "red")


@dataclass(frozen=True, slots=True)
class MoveReview:
    """One move of a game. Scores and values are for the player who made it; scores as in Solution, values in [0, 1]."""

    ply: int  # discs on the board before the move
    player: int  # 0 moves first
    column: int
    best: tuple[int, ...]  # the best columns
    score_before: int | None  # of the best column; None where the position could not be solved
    score_after: int | None  # of the column played
    value_before: float  # 0 for a loss, 0.5 for a draw, 1 for a win; the search's where there is no score
    value_after: float
    kind: Kind
    # The columns that keep the result, the best among them; where it was searched, only those.
    keeping: tuple[int, ...] = ()
    line: tuple[int, ...] = ()  # what should have been played instead of a move that changed the result
    refutation: tuple[int, ...] = ()  # how the opponent punishes such a move: best play of both sides after it
    oversight: Oversight | None = None

    @property
    def is_exact(self) -> bool:
        """Whether the kind follows from exact scores."""
        return self.score_before is not None

    @property
    def lost_half_points(self) -> int:
        """0, 1 or 2."""
        return round(2 * (self.value_before - self.value_after)) if self.is_exact else 0

    @property
    def accuracy(self) -> float:
        """From 0 to 1, see Review.accuracy."""
        if self.score_before is None or self.score_after is None:
            return 1 - max(0.0, self.value_before - self.value_after)
        if self.lost_half_points:
            return 1 - self.lost_half_points / 2
        return 1 - min(self.score_before - self.score_after, 10) / 20


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a game."""

    board: Board  # the end of the game, with its moves
    moves: tuple[MoveReview, ...]

    @property
    def is_exact(self) -> bool:
        """Whether all scores are exact; False where a search had to stand in."""
        return all(move.is_exact for move in self.moves)

    @property
    def exact_from(self) -> int:
        """The ply from which on all scores are exact, 0 for the empty board; that of the end if the last is not."""
        start = self.board.ply - len(self.moves)
        return max((move.ply + 1 for move in self.moves if not move.is_exact), default=start)

    def accuracy(self, player: int) -> float:
        """The mean accuracy of a player's moves in percent; NaN without moves.

        A move that loses half a point has 50 %, one that loses a whole point 0 %. Of those that keep the result, the
        best have 100 %, and others 5 % less for each point of score, at least 50 %. Where the search replaces the
        solver, it is 100 % minus the difference to the value of the best move.
        """
        accuracies = [move.accuracy for move in self.moves if move.player == player]
        return 100 * fmean(accuracies) if accuracies else nan

    def lost_half_points(self, player: int) -> int:
        """How many half points a player's moves have lost."""
        return sum(move.lost_half_points for move in self.moves if move.player == player)

    def counts(self, player: int) -> dict[Kind, int]:
        """How many of a player's moves are of each kind; kinds without moves are left out."""
        kinds = [move.kind for move in self.moves if move.player == player]
        return {kind: kinds.count(kind) for kind in Kind.__args__ if kind in kinds}  # type: ignore[attr-defined]

    @property
    def turning_points(self) -> tuple[MoveReview, ...]:
        """The moves that changed the result, or overlooked a win, a threat, or a cell under a win."""
        return tuple(move for move in self.moves if move.kind in CHANGES)

    def to_dict(self) -> dict[str, Any]:
        """Numbers, strings, lists and None, ready for JSON."""
        return {
            "start": self.board.start.to_fen(),
            "board": self.board.to_fen(),
            "exact": self.is_exact,
            "exact_from": self.exact_from,
            "moves": json_types(self.moves),
            "players": [
                {
                    "accuracy": None if isnan(self.accuracy(player)) else self.accuracy(player),
                    "lost_half_points": self.lost_half_points(player),
                    "counts": self.counts(player),
                }
                for player in (0, 1)
            ],
        }


def percent(review: Review, player: int) -> str:
    accuracy = review.accuracy(player)
    return "no moves" if isnan(accuracy) else f"{accuracy:.0f} %"
