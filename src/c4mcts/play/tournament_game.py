"""One game of a tournament: a job for an executor, which a player can lose, but not make fail."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TypedDict, get_args

import numpy as np

from .. import _platform
from .._backend import BackendName
from .._validation import positive, positive_seconds, word
from ..board.board import Board
from ..errors import IllegalMoveError
from ..executors.background import Cancellation, Cancelled
from ..solver.solver import solve
from .arena import moves_of
from .forfeit import Forfeit, described, printable
from .player_specs import Contestant
from .players import Player, push_choice


class GameJson(TypedDict):
    """A finished game, in JSON types."""

    moves: list[int]  # since the empty board
    winner: int | None  # 0: who moved first on the empty board, 1: the other; None: a draw
    end: str  # see tournament_result.TournamentGame
    reason: str
    seconds: list[float]


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a tournament.

    adjudicate: once this many discs are on the board, the exact score decides the game, from the book or the solver;
    None: all games are played out. move_seconds: a slower player forfeits the game; each player then has a process of
    its own, which is killed. None: no limit. backend: of the solver, and of players that a text names.

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


def play(
    players: tuple[Contestant, Contestant],
    start: Board,
    terms: Terms,
    seed: np.random.SeedSequence,
    check: Cancellation,
) -> GameJson:
    """Play one game; check: raises Cancelled when the game is no longer wanted."""
    board = start.copy()
    seats = [Seat(player.make, terms.move_seconds, check) for player in players]
    with suppress(Forfeit), closing(moves_of(board, seats, seed)) as moves:
        for _ in moves:
            check()
            if terms.adjudicate is not None and board.ply >= terms.adjudicate:
                break
    reasons = [seat.reason for seat in seats]
    if (outcome := board.outcome()) is not None:
        winner, end = outcome.winner, "full board" if outcome.winner is None else "line"
        reasons = []  # a player that fails when it hears of the last move has played it
    elif any(reasons):
        winner, end = int(bool(reasons[0])), "forfeit"
    else:
        winner, end = _exact_winner(board, terms, check), "adjudication"
    seconds = [round(seat.seconds, 6) for seat in seats]
    return {"moves": list(board.moves), "winner": winner, "end": end, "reason": "".join(reasons), "seconds": seconds}


def _exact_winner(board: Board, terms: Terms, check: Cancellation) -> int | None:
    score = solve(board, columns=False, on_progress=check, backend=terms.backend).score
    assert score is not None
    return None if score == 0 else board.turn if score > 0 else 1 - board.turn


class Seat:
    """A player of one game, which is made when the game begins; what fails in it is its Forfeit.

    seconds: for each call, in a process of its own; None: no limit, in this process.
    """

    def __init__(self, make: Callable[[], Player], seconds: float | None, check: Cancellation) -> None:
        self._make = make
        self._player: Any = None
        if seconds is not None:
            from .player_process import PlayerProcess  # imported here: not every platform has processes

            self._player = PlayerProcess(make, seconds, check)
        self.seconds = 0.0  # time of all calls of choose
        self.reason = ""  # why the player has lost

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Make the player, and prepare it for the game."""
        with self._forfeits():
            if self._player is None:
                self._player = self._make()
            self._player.begin(seed)

    def choose(self, board: Board) -> int:
        """The player's move, which is legal."""
        start = perf_counter()
        with self._forfeits():
            try:
                chosen = self._player.choose(board.copy())
            finally:
                self.seconds += perf_counter() - start
            return push_choice(board, chosen)

    def played(self, move: int) -> None:
        """Tell the player a move, if it wants to know."""
        if callable(listen := getattr(self._player, "played", None)):
            with self._forfeits():
                listen(move)

    def end(self) -> None:
        """Tell the player that the game is over, if it wants to know. An error in it changes nothing any more."""
        if callable(end := getattr(self._player, "end", None)):
            reason = self.reason
            with suppress(Forfeit), self._forfeits():
                end()
            self.reason = reason

    @contextmanager
    def _forfeits(self) -> Iterator[None]:
        try:
            yield
        except (Cancelled, KeyboardInterrupt):
            raise
        except BaseException as error:  # SystemExit, too
            is_said = isinstance(error, Forfeit | IllegalMoveError)
            self.reason = printable(str(error) if is_said else described(error))
            raise Forfeit from None
