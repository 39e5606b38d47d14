"""One game of a tournament: a job for an executor, which no player can make fail.

Players may raise anything, answer anything or never return.
"""

import threading
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any, TypedDict, get_args

import numpy as np

from .. import _platform
from .._backend import BackendName
from .._validation import positive, positive_seconds, word
from ..board.board import Board
from ..errors import IllegalMoveError
from ..executors.background import POLL_SECONDS, Cancellation
from ..solver.solver import solve
from .arena import moves_of
from .player_specs import Contestant
from .players import Player, push_choice

MOVE_SECONDS = 60.0  # default limit for a move
MAX_REASON = 300  # characters that are kept of the message of an error


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
    None: all games are played out. move_seconds: a slower player forfeits the game; None: no limit. backend: of the
    solver, and of players that a text names.

    Raises TypeError or ValueError naming the field.
    """

    adjudicate: int | None = None
    move_seconds: float | None = MOVE_SECONDS
    backend: BackendName = "auto"

    def __post_init__(self) -> None:
        if self.adjudicate is not None:
            object.__setattr__(self, "adjudicate", positive("adjudicate", self.adjudicate))
        if self.move_seconds is not None:
            object.__setattr__(self, "move_seconds", positive_seconds("move_seconds", self.move_seconds))
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
    seats = [SupervisedPlayer(player.make, terms.move_seconds, check) for player in players]
    forfeit = None
    try:
        with closing(moves_of(board, seats, seed)) as moves:
            for _ in moves:
                if terms.adjudicate is not None and board.ply >= terms.adjudicate:
                    break
    except Forfeit as error:
        forfeit = error
    if (outcome := board.outcome()) is not None:
        return _played(board, outcome.winner, "full board" if outcome.winner is None else "line", "", seats)
    if forfeit is not None:
        return _played(board, 1 - seats.index(forfeit.player), "forfeit", str(forfeit), seats)
    return _played(board, _exact_winner(board, terms, check), "adjudication", "", seats)


def _played(board: Board, winner: int | None, end: str, reason: str, seats: "list[SupervisedPlayer]") -> GameJson:
    seconds = [round(seat.seconds, 6) for seat in seats]
    return {"moves": list(board.moves), "winner": winner, "end": end, "reason": reason, "seconds": seconds}


def _exact_winner(board: Board, terms: Terms, check: Cancellation) -> int | None:
    score = solve(board, columns=False, on_progress=check, backend=terms.backend).score
    assert score is not None
    return None if score == 0 else board.turn if score > 0 else 1 - board.turn


class Forfeit(Exception):
    """The player has lost the game; the message says why."""

    def __init__(self, player: "SupervisedPlayer", reason: str) -> None:
        super().__init__(reason)
        self.player = player


class SupervisedPlayer:
    """A player that makes another one, and calls it in other threads, each of which may take `seconds`.

    A call that takes longer is given up: it can't be ended, so its thread keeps running in the background as long as
    the process lives. Where there are no threads, its end is waited for.

    `check` is called while a call runs. `begin`, `choose` and `played` raise Forfeit.
    """

    def __init__(self, make: Callable[[], Player], seconds: float | None, check: Cancellation) -> None:
        self._make = make
        self._limit = seconds
        self._check = check
        self.seconds = 0.0  # time of all calls of choose
        self._player: Any = None  # a Player, once it is made
        self._played: Callable[[int], object] | None = None
        self._end: Callable[[], object] | None = None

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Make the player, and prepare it for the game."""

        def prepare() -> tuple[Player, Any, Any]:
            player = self._make()
            player.begin(seed)
            return player, getattr(player, "played", None), getattr(player, "end", None)

        self._player, self._played, self._end = self._call(prepare, "prepare for the game")

    def choose(self, board: Board) -> int:
        """The player's move, which is legal."""
        start = perf_counter()
        try:
            chosen = self._call(lambda: self._player.choose(board.copy()), f"choose move {board.ply + 1}")
        finally:
            self.seconds += perf_counter() - start
        try:
            return push_choice(board, chosen)
        except IllegalMoveError as error:
            raise Forfeit(self, printable(str(error))) from None

    def played(self, move: int) -> None:
        """Tell the player a move, if it wants to know."""
        if self._played is not None:
            self._call(partial(self._played, move), "hear of a move")

    def end(self) -> None:
        """Tell the player that the game is over, if it wants to know. An error in it changes nothing any more."""
        if self._end is not None:
            with suppress(Forfeit):
                self._call(self._end, "end the game")

    def _call(self, function: Callable[[], Any], what: str) -> Any:
        """The result of a function, run in its own thread."""
        answers: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        start = perf_counter()
        if _platform.HAS_THREADS:
            threading.Thread(target=_answer, args=(function, answers), name="c4mcts player", daemon=True).start()
        else:
            _answer(function, answers)
        while True:
            answer = None
            with suppress(Empty):
                answer = answers.get(timeout=POLL_SECONDS)
            self._check()
            if self._limit is not None and perf_counter() - start > self._limit:
                raise Forfeit(self, f"took longer than {self._limit:g} s to {what}")
            if answer is not None:
                break
        value, error = answer
        if error is not None:
            raise Forfeit(self, _described(error))
        return value


def _answer(function: Callable[[], Any], answers: "SimpleQueue[tuple[Any, BaseException | None]]") -> None:
    try:
        answers.put((function(), None))
    except BaseException as error:  # SystemExit, too: the thread belongs to the player
        answers.put((None, error))


def _described(error: BaseException) -> str:
    """The kind and the message of an error. Never raises."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:
        text = type(error).__name__
    return printable(text)


def printable(text: str) -> str:
    """A text in one line, without what a terminal obeys or a file can't hold, shortened if it is long."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:MAX_REASON])[:MAX_REASON]
