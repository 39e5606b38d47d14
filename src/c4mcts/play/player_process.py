"""A player in a process of its own, which can be stopped: the only way to enforce a limit of time."""

import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from ..board.board import Board
from ..executors.background import POLL_SECONDS
from .forfeit import Forfeit, described
from .players import Player


class PlayerHost:
    """A process that runs one player at a time. RuntimeError if it can't start."""

    def __init__(self) -> None:
        context = get_context("spawn")  # the same on all platforms; a fork would copy the locks of other threads
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs,), name="c4mcts player", daemon=True)
        self.process.start()
        theirs.close()
        try:
            self.connection.recv()  # it is ready
        except EOFError:
            words = (
                "the process of a player ended at its start; a script must call this below `if __name__ == '__main__':`"
            )
            raise RuntimeError(words) from None


class PlayerProcess:
    """A Player whose calls may take `seconds` each. One that takes longer loses, and its process is killed.

    make: makes the player, and can be pickled. check: called while a call runs, every 20 ms. The methods raise Forfeit.
    """

    _idle: ClassVar[list[PlayerHost]] = []  # of earlier games: a process takes half a second to start

    def __init__(self, make: Callable[[], Player], seconds: float, check: Callable[[], object]) -> None:
        self._make = make
        self._limit = seconds
        self._check = check
        self._host: PlayerHost | None = None  # None once it was killed
        with suppress(IndexError):
            self._host = self._idle.pop()
        if self._host is None:
            self._host = PlayerHost()

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Make the player, and prepare it for the game."""
        self._call("prepare for the game", "begin", self._make, seed)

    def choose(self, board: Board) -> Any:
        """What the player answers."""
        return self._call(f"choose move {board.ply + 1}", "choose", board)

    def played(self, move: int) -> None:
        """Tell the player a move."""
        self._call("hear of a move", "played", move)

    def end(self) -> None:
        """Tell the player that the game is over. The process is kept for other games, if it is still there."""
        try:
            if self._host is not None:
                self._call("end the game", "end")
        finally:
            if self._host is not None:
                self._idle.append(self._host)

    def _call(self, what: str, *message: Any) -> Any:
        """Send a message; the answer to it. what: the player is asked to do."""
        host, self._host = self._host, None
        assert host is not None
        until = perf_counter() + self._limit
        try:
            host.connection.send(message)
            while not host.connection.poll(POLL_SECONDS):
                self._check()
                if perf_counter() > until:
                    raise Forfeit(f"took longer than {self._limit:g} s to {what}")
            answer, error = host.connection.recv()
        except (EOFError, ConnectionError):
            host.process.join()
            raise Forfeit(f"its process ended with exit code {host.process.exitcode}") from None
        except BaseException:
            host.process.kill()
            host.process.join()
            raise
        self._host = host
        if error is not None:
            raise Forfeit(error)
        return answer


def serve(connection: Connection) -> None:
    """Run players in this process as the messages say, until the other end of the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that has started this one
    connection.send(None)
    player: Any = None
    while True:
        try:
            name, *arguments = connection.recv()
        except EOFError:
            return
        try:
            if name == "begin":
                player = arguments.pop(0)()
            method = getattr(player, name, None)
            connection.send((method(*arguments) if callable(method) else None, None))
        except BaseException as error:  # SystemExit, too: the process belongs to the player
            connection.send((None, described(error)))
