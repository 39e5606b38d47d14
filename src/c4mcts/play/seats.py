"""The seats of a game: an error of a player there loses the game, and does no other harm."""

from collections.abc import Callable
from contextlib import suppress
from math import inf
from time import perf_counter
from typing import Any

import numpy as np

from .._validation import described
from ..board.board import Board
from ..errors import IllegalMoveError, PlayerError
from ..executors.cancellation import Cancelled
from .player import Player, push_choice

MAX_REASON = 300  # characters that are kept of the message of an error


def ask(player: Any, method: str, *arguments: Any) -> Any:
    """Call a player's method, if it has it."""
    bound = getattr(player, method, None)
    return bound(*arguments) if callable(bound) else None


class Forfeit(Exception):
    """A player has lost the game; the message says why, in one line that can be printed and saved."""


class Seat:
    """A Player that makes another one when the game begins, whose errors and illegal moves become a Forfeit.

    seconds: the limit for a move; None: no limit. overage: more seconds for the game, of which slower moves take. The
    player is told both before each move (see Player); that it keeps them is enforced elsewhere.
    """

    def __init__(self, make: Callable[[], Player], seconds: float | None = None, overage: float = 0.0) -> None:
        self._make = make
        self._limit, self._bank = inf if seconds is None else seconds, overage
        self._player: Any = None
        self.seconds = 0.0  # time of all calls of choose, of each no more than was allowed
        self.longest = 0.0  # of these calls
        self.reason = ""  # why the player has lost

    def begin(self, seed: np.random.SeedSequence) -> None:
        self._ask("begin", seed)

    def choose(self, board: Board) -> int:
        """The player's move, which is legal."""
        start = perf_counter()
        try:
            chosen = self._ask("choose", board.copy())
        finally:
            taken = min(perf_counter() - start, self._limit + self._bank)
            self.seconds += taken
            self.longest = max(self.longest, taken)
            self._bank -= max(0.0, taken - self._limit)
        try:
            return push_choice(board, chosen)
        except IllegalMoveError as error:
            raise self._forfeit(str(error)) from None

    def answer(self, board: Board, seed: np.random.SeedSequence) -> int:
        """The player's move in a position at which a game begins, and ends with that move, which is played."""
        try:
            self.begin(seed)
            return self.choose(board)
        finally:
            self.end()

    def played(self, move: int) -> None:
        self._ask("played", move)

    def end(self) -> None:
        """Tell the player that the game is over. An error in it changes nothing any more."""
        reason = self.reason
        with suppress(Forfeit, PlayerError):
            self._ask("end")
        self.reason = reason

    def _ask(self, method: str, *arguments: Any) -> Any:
        try:
            return self._send(method, *arguments)
        except (Cancelled, KeyboardInterrupt):
            raise
        except BaseException as error:  # SystemExit, too
            raise self._forfeit(str(error) if isinstance(error, Forfeit) else described(error)) from None

    def _send(self, method: str, *arguments: Any) -> Any:
        if method == "begin":
            self._player = self._make()
        if method == "choose" and self._limit < inf:
            ask(self._player, "time_limit", self._limit, self._bank)
        return ask(self._player, method, *arguments)

    def _forfeit(self, reason: str) -> Exception:
        # without what a terminal obeys or a file can't hold
        printable = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in reason[:MAX_REASON])
        self.reason = printable[:MAX_REASON]
        return Forfeit(self.reason)


class RequiredSeat(Seat):
    """A seat in games that need all moves of its player: where it would forfeit, a PlayerError names it."""

    def __init__(self, name: str, make: Callable[[], Player]) -> None:
        super().__init__(make)
        self._name = name

    def _forfeit(self, reason: str) -> Exception:
        return PlayerError(f"player {self._name} fails: {super()._forfeit(reason)}")
