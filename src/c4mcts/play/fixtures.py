"""Many games: each is a Fixture, a job that makes its players and plays; `play_games` runs them in an executor."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack, get_args

import numpy as np

from .. import _platform
from .._backend import BackendName
from .._validation import positive, positive_seconds, word
from ..board.board import Board
from ..executors.background import Cancellation
from ..executors.jobs import JobSet, WorkOptions, perform
from ..games import Game
from ..solver.solver import solve
from .arena import play_through, winner_of
from .players import Player
from .seats import Forfeit, LocalPlayer, Seat


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a tournament.

    adjudicate: once this many discs are on the board, the exact score decides the game, from the book or the solver;
    None: all games are played out. move_seconds: a player that takes longer for a move forfeits the game; each player
    then has a process of its own, which is killed. None: no limit. backend: of the solver, and of players that a text
    names.

    Raises TypeError or ValueError naming the field; RuntimeError for a limit where there are no processes.
    """

    adjudicate: int | None = None
    move_seconds: float | None = None
    backend: BackendName = "auto"

    def __post_init__(self) -> None:
        if self.adjudicate is not None:
            object.__setattr__(self, "adjudicate", positive("adjudicate", self.adjudicate))
        if self.move_seconds is not None:
            object.__setattr__(self, "move_seconds", positive_seconds("move_seconds", self.move_seconds))
            _platform.require_threads("move_seconds")
        word("backend", self.backend, get_args(BackendName))

    def seat(self, make: Callable[[], Player], check: Callable[[], object]) -> Seat:
        """A seat for a player, in this process or, with a limit of time, in another one. check: as for Fixture."""
        if self.move_seconds is None:
            return Seat(LocalPlayer(make))
        from .player_process import RemotePlayer  # imported here: not every platform has processes

        return Seat(RemotePlayer(make, self.move_seconds, check))


class FinishedGame(TypedDict):
    """A finished game, in JSON types if its moves are."""

    moves: list[Any]  # since the start
    winner: int | None  # player 0 or 1 of the game; None: a draw
    end: str  # "line", "full board", "adjudication" or "forfeit"
    reason: str  # why the loser forfeited the game; else empty
    seconds: list[float]  # that player 0 and player 1 thought; empty without terms


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to be played. Executors of processes pickle it.

    makers: make player 0 and player 1 of the game. start: the position. terms: of a Board; a player that fails then
    loses the game. None: its error is raised.
    """

    makers: tuple[Callable[[], Player], Callable[[], Player]]
    start: Game[Any]
    terms: Terms | None = None

    def __call__(self, seed: np.random.SeedSequence, check: Cancellation) -> FinishedGame:
        """Play. check: raises Cancelled when the game is no longer wanted."""
        game: Any = self.start.copy()
        terms = self.terms
        moves: list[Any] = []
        seats: list[Any] = [make() if terms is None else terms.seat(make, check) for make in self.makers]

        def is_decided(move: Any) -> bool:
            check()
            moves.append(move)
            return terms is not None and terms.adjudicate is not None and game.ply >= terms.adjudicate

        with suppress(Forfeit):
            play_through(game, seats, seed, is_decided)
        reason = ""
        if game.is_over():  # a player that fails when it hears of the last move has played it
            winner = winner_of(game)
            end = "full board" if winner is None else "line"
        elif failed := [player for player, seat in enumerate(seats) if seat.reason]:
            winner, end, reason = 1 - failed[0], "forfeit", seats[failed[0]].reason
        else:
            assert terms is not None
            winner, end = _exact_winner(game, terms, check), "adjudication"
        seconds = [] if terms is None else [round(seat.seconds, 6) for seat in seats]
        return {"moves": moves, "winner": winner, "end": end, "reason": reason, "seconds": seconds}


def _exact_winner(board: Board, terms: Terms, check: Cancellation) -> int | None:
    score = solve(board, columns=False, on_progress=check, backend=terms.backend).score
    assert score is not None
    return None if score == 0 else board.turn if score > 0 else 1 - board.turn


def play_games(
    work: JobSet, fixtures: Sequence[Fixture], **options: Unpack[WorkOptions]
) -> tuple[list[FinishedGame | None], int]:
    """Play games in an executor; their records in order, and the seed, of which game i gets the i-th child.

    work, options: as for executors.jobs.perform. A record is None where `work.until` made the game unnecessary.
    """
    try:
        return perform(work, fixtures, **options)
    finally:
        if any(fixture.terms is not None and fixture.terms.move_seconds is not None for fixture in fixtures):
            from .player_process import end_idle  # imported here: not every platform has processes

            end_idle()
