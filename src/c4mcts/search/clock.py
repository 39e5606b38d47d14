"""Clock: how much of a player's time for a game its next move gets."""

from collections.abc import Sequence
from dataclasses import dataclass

from .._validation import members, must_be, positive_seconds
from .validators import finite_from_0

RESERVE = 0.05  # seconds of the clock that are never planned: a search may end late, a tree may be moved to a new root
DECISIVE = 0.2  # of the moves that a player may still make, the fraction after which the outcome is usually proven
LAST = 4  # the clock is planned for at least this many moves, unless fewer are left
LONGEST = 2.0  # a close decision may take this multiple of the planned time
CLOSE = 0.1  # a decision is close if the second move has at least this fraction of the visits of the first


@dataclass(frozen=True, slots=True)
class Clock:
    """A player's clock: seconds left for all its moves, and seconds that it gains with each move."""

    remaining: float
    increment: float

    @classmethod
    def of(cls, value: object) -> "Clock":
        """Check a pair (remaining, increment). TypeError, ValueError."""
        requirement = "a pair (remaining, increment) of seconds"
        pair = members("clock", value, requirement, 2)
        if len(pair) != 2:
            raise ValueError(must_be("clock", requirement, value))
        remaining = positive_seconds("clock: remaining", pair[0])
        return cls(remaining, finite_from_0("clock: increment", pair[1]))

    def share(self, moves: int, proofs: bool) -> "Share":
        """The share of the clock for the next move, if the player has at most `moves` moves left.

        proofs: whether the search proves outcomes. Then the decisions come early in a game, and the clock is planned
        for the moves up to the proof.
        """
        usable = max(self.remaining - RESERVE, 0.0)
        maximum = usable if moves == 1 else usable / 2
        planned_moves = max(min(moves, LAST), DECISIVE * moves) if proofs else moves
        planned = min(usable / planned_moves + self.increment, maximum)
        return Share(planned, min(LONGEST * planned, maximum))


@dataclass(frozen=True, slots=True)
class Share:
    """Seconds for one move: planned, and at most."""

    planned: float
    maximum: float

    def is_enough(self, seconds: float, simulations: int, is_proven: bool, visits: Sequence[int]) -> bool:
        """Whether to move now, after this number of seconds and simulations.

        is_proven: whether the outcome of the position is. visits: of each move that has not been proven inferior,
        in descending order.

        A forced move is played at once. A proven outcome, of which only the exact distance is open, takes at most half
        of the plan. A close decision takes up to the maximum. Any other takes the plan, or less once the second move
        can't overtake the first within the plan any more.
        """
        if is_proven:
            return seconds >= self.planned / 2
        if len(visits) < 2:
            return True
        if visits[1] >= CLOSE * visits[0]:
            return seconds >= self.maximum
        # the simulations until the plan is over, at the speed so far: simulations / seconds * (planned - seconds)
        return (visits[0] - visits[1]) * seconds >= max(simulations, 1) * (self.planned - seconds)
