"""PlayedGame: a finished game, and how it ended."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

RESULTS = {0: "1-0", 1: "0-1", None: "1/2-1/2"}  # by the winner, as in chess


class End(StrEnum):
    """How a game ended, in the words of files and JSON."""

    LINE = "line"
    FULL_BOARD = "full board"  # a draw
    ADJUDICATION = "adjudication"  # by the exact score
    FORFEIT = "forfeit"  # a player chose an illegal move, failed or took too long
    RESIGNATION = "resignation"
    TIME = "time"  # on a player's clock


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game, and the moves that led to it from the start position."""

    game: Any  # a Board, or the kind of Game that was given
    moves: tuple[Any, ...]
    winner: int | None  # player 0 or 1 of the game; None for a draw
    end: End
    reason: str = ""  # why the loser forfeited the game; else empty
    seconds: tuple[float, ...] = ()  # that player 0 and player 1 thought; empty where nobody measured them

    @classmethod
    def over(cls, game: Any, moves: Iterable[Any] = (), seconds: Iterable[float] = ()) -> Self:
        """A game that is over by its rules."""
        winner = {1: 0, 0: None, -1: 1}[game.result(0)]
        end = End.FULL_BOARD if winner is None else End.LINE
        return cls(game, tuple(moves), winner, end, seconds=tuple(seconds))

    @property
    def result(self) -> str:
        """ "1-0", "0-1" or "1/2-1/2"."""
        return RESULTS[self.winner]

    def record(self) -> dict[str, Any]:
        """The game without its board, as checkpoints have it; in JSON types if its moves are."""
        moves, seconds = list(self.moves), list(self.seconds)
        return {"moves": moves, "winner": self.winner, "end": self.end, "reason": self.reason, "seconds": seconds}
