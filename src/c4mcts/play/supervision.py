"""Calls of a player that may raise anything, answer anything or never return."""

import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any

from .._validation import shown
from ..board.board import Board
from ..executors.background import POLL_SECONDS, Check
from .players import Player

MAX_REASON = 300  # characters that are kept of the message of an error


class Forfeit(Exception):
    """The player has lost the game; the message says why."""


class SupervisedPlayer:
    """A player, made and called in other threads, each of which may take `seconds`.

    A call that takes longer is given up: it can't be ended, so its thread goes on in the background as long as the
    process lives. `check` is called while a call runs. All methods raise Forfeit.
    """

    def __init__(self, make: Callable[[], Player], seconds: float | None, check: Check) -> None:
        self._limit = seconds
        self._check = check
        self.seconds = 0.0  # time of all calls of choose
        self._player: Player = self._call(make, "prepare for the game")

    def begin(self, seed: Any) -> None:
        """Prepare for the game."""
        self._call(lambda: self._player.begin(seed), "prepare for the game")

    def move(self, board: Board) -> None:
        """Play the player's move on the board."""
        start = perf_counter()
        try:
            column = self._call(lambda: self._player.choose(board.copy()), f"choose move {board.ply + 1}")
        finally:
            self.seconds += perf_counter() - start
        try:
            board.push(column)
        except (TypeError, ValueError) as error:
            raise Forfeit(_printable(f"chose {shown(column)}: {error}")) from None

    def _call(self, function: Callable[[], Any], what: str) -> Any:
        """The result of a function that runs in a thread of its own."""
        answers: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        threading.Thread(target=_answer, args=(function, answers), name="c4mcts player", daemon=True).start()
        start = perf_counter()
        while True:
            answer = None
            with suppress(Empty):
                answer = answers.get(timeout=POLL_SECONDS)
            self._check()
            if self._limit is not None and perf_counter() - start > self._limit:
                raise Forfeit(f"took longer than {self._limit:g} s to {what}")
            if answer is not None:
                break
        value, error = answer
        if error is not None:
            raise Forfeit(_described(error))
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
    return _printable(text)


def _printable(text: str) -> str:
    """A text in one line, without what a terminal obeys or a file can't hold, shortened if it is long."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:MAX_REASON])[:MAX_REASON]
