"""A player in a process of its own, which can be stopped: the only way to enforce a limit of time."""

import os
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from threading import Thread
from time import perf_counter
from typing import Any

from ..executors.background import POLL_SECONDS
from .players import Player
from .seats import Forfeit, LocalPlayer, described

BEGIN_SECONDS = 60.0  # to make a player, which may load other modules, and to prepare it
DOING = {"begin": "prepare for the game", "choose": "choose a move", "played": "hear of a move", "end": "end the game"}


class PlayerProcess:
    """A process that runs one player at a time. RuntimeError if it can't start."""

    def __init__(self) -> None:
        context = get_context("spawn")  # the same on all platforms; a fork would copy the locks of other threads
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs,), name="c4mcts player", daemon=True)
        self._process.start()
        theirs.close()
        try:
            self.connection.recv()  # it is ready
        except EOFError:
            words = "a process for a player did not start; a script must have `if __name__ == '__main__':`"
            raise RuntimeError(words) from None

    def end(self, seconds: float = 0.0) -> int | None:
        """Wait for the process, at most this long, then kill it; its exit code."""
        self._process.join(seconds)
        self._process.kill()
        self._process.join()
        return self._process.exitcode


_idle: list[PlayerProcess] = []  # for the next games: a process takes half a second to start


class RemotePlayer:
    """As LocalPlayer, in a process that is killed when a move takes longer than `seconds`, or `check` raises.

    make: can be pickled.
    """

    def __init__(self, make: Callable[[], Player], seconds: float, check: Callable[[], object]) -> None:
        self._make = make
        self._seconds = seconds
        self._check = check
        self._process: PlayerProcess | None = None  # during a game, unless it had to be killed

    def ask(self, method: str, *arguments: Any) -> Any:
        """What the player's method returns. Forfeit."""
        if method == "begin":
            with suppress(IndexError):
                self._process = _idle.pop()
            self._process = self._process or PlayerProcess()
        process, self._process = self._process, None
        if process is None:
            return None  # the game is over
        answer, error = self._answer(process, method, *arguments)
        if method == "end":
            _idle.append(process)
        else:
            self._process = process
        if error is not None:
            raise Forfeit(error)
        return answer

    def _answer(self, process: PlayerProcess, method: str, *arguments: Any) -> tuple[Any, str | None]:
        """What the process sends back: what the method returns, or its error."""
        seconds = max(self._seconds, BEGIN_SECONDS) if method == "begin" else self._seconds
        until = perf_counter() + seconds
        try:
            process.connection.send((self._make if method == "begin" else None, method, *arguments))
            while not process.connection.poll(POLL_SECONDS):
                self._check()
                if perf_counter() > until:
                    raise Forfeit(f"took longer than {seconds:g} s to {DOING[method]}")
            answer: tuple[Any, str | None] = process.connection.recv()
            return answer
        except (EOFError, ConnectionError):
            raise Forfeit(f"its process ended with exit code {process.end(1.0)}") from None
        except BaseException:
            process.end()
            raise


def end_idle() -> None:
    """End the processes that wait for another game."""
    while _idle:
        process = _idle.pop()
        process.connection.close()
        process.end(1.0)


def serve(connection: Connection) -> None:
    """Run players in this process as the messages say, until the other end of the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that has started this one
    Thread(target=_end_with_parent, daemon=True).start()
    connection.send(None)
    player: Any = None
    while True:
        try:
            message = connection.recv_bytes()
        except (EOFError, ConnectionError):
            return
        try:
            make, method, *arguments = pickle.loads(message)
            player = player if make is None else LocalPlayer(make)
            connection.send((player.ask(method, *arguments), None))
        except BaseException as error:  # SystemExit, too: the process belongs to the player
            connection.send((None, described(error)))


def _end_with_parent() -> None:
    """End this process, whatever its player does, when the one that has started it is gone."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
