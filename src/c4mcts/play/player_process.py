"""A player in a process of its own, which can be stopped: the only way to enforce limits of time and memory."""

import os
import pickle
import signal
import sys
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from threading import Thread
from time import perf_counter
from typing import Any

from ..executors.background import POLL_SECONDS
from .players import Player
from .seats import Forfeit, Seat, ask, described

BEGIN_SECONDS = 60.0  # to make a player, which may load other modules, and to prepare it
DOING = {"begin": "prepare for the game", "choose": "choose a move", "played": "hear of a move", "end": "end the game"}


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What the process of a player is kept from. It stops accidents and pranks; it is no boundary for an attacker.

    In it nothing is printed, no file is written, and there is no network and no other process. memory: bytes that it
    may allocate, and files: how many it may have open, where the system has such limits (Linux; macOS: files only).
    """

    memory: int
    files: int

    def enter(self) -> None:
        """Restrict this process for good."""
        devnull = os.open(os.devnull, os.O_RDWR)
        for standard in range(3):
            os.dup2(devnull, standard)
        with suppress(ImportError):  # not on Windows
            import resource

            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_NOFILE, (self.files, self.files))
            if sys.platform == "linux":
                resource.setrlimit(resource.RLIMIT_DATA, (self.memory, self.memory))
        sys.addaudithook(_refuse)


# how the names of events begin
PROCESSES = ("subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.startfile", "os.kill")
FILES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "shutil.")
REFUSED = (*PROCESSES, *FILES, "socket.", "ctypes.")


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """The audit hook of a sandbox (see PEP 578 for its events). PermissionError."""
    if event == "open":
        name, mode, flags = arguments
        if (isinstance(mode, str) and set(mode) & set("wax+")) or flags & (os.O_WRONLY | os.O_RDWR):
            raise PermissionError(f"a player must not write to files: {name}")
    elif event.startswith(REFUSED):
        raise PermissionError(f"a player must not do this: {event}")


class PlayerProcess:
    """A process that runs one player at a time. RuntimeError if it can't start."""

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        context = get_context("spawn")  # the same on all platforms; a fork would copy the locks of other threads
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, sandbox), name="c4mcts player", daemon=True)
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


# for the next games, as a process takes half a second to start; those with a sandbox belong to one player
_idle: dict[Hashable, list[PlayerProcess]] = {}


class RemoteSeat(Seat):
    """A Seat whose player is in a process, which is killed when a move takes longer than `seconds`, or `check` raises.

    make: can be pickled; with a sandbox, also hashed.
    """

    def __init__(
        self,
        make: Callable[[], Player],
        seconds: float,
        check: Callable[[], object],
        sandbox: Sandbox | None = None,
    ) -> None:
        super().__init__(make)
        self._sandbox = sandbox
        self._owner: Hashable = None if sandbox is None else (make, sandbox)
        self._seconds = seconds
        self._check = check
        self._process: PlayerProcess | None = None  # during a game, unless it had to be killed

    def _send(self, method: str, *arguments: Any) -> Any:
        if method == "begin":
            with suppress(LookupError):
                self._process = _idle[self._owner].pop()
            if self._process is None:
                end_idle(keep=(None, self._owner))  # a class has many bots, which play one after the other
                self._process = PlayerProcess(self._sandbox)
        process, self._process = self._process, None
        if process is None:
            return None  # the game is over
        answer, error = self._answer(process, method, *arguments)
        if method == "end":
            _idle.setdefault(self._owner, []).append(process)
        else:
            self._process = process
        if error is not None:
            raise Forfeit(error)
        return answer

    def _answer(self, process: PlayerProcess, method: str, *arguments: Any) -> tuple[Any, str | None]:
        """What the process sends back: what the method returns, and its error. Forfeit if nothing comes."""
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


def end_idle(keep: tuple[Hashable, ...] = ()) -> None:
    """End the processes that wait for another game, but for those of these owners."""
    for owner in list(_idle):
        for process in _idle.pop(owner, []) if owner not in keep else []:
            process.connection.close()
            process.end(1.0)


def serve(connection: Connection, sandbox: Sandbox | None) -> None:
    """Run players in this process as the messages say, until the other end of the connection is closed."""
    follow_parent()
    if sandbox is not None:
        sandbox.enter()
    connection.send(None)
    player: Any = None
    while True:
        try:
            message = connection.recv_bytes()
        except (EOFError, ConnectionError):
            return
        try:
            make, method, *arguments = pickle.loads(message)
            if make is not None:
                player = None  # if this one can't be made, nothing goes to that of the last game
                player = make()
            connection.send((ask(player, method, *arguments), None))
        except BaseException as error:  # SystemExit, too: the process belongs to the player
            connection.send((None, described(error)))


def follow_parent() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the one that has started this, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process, whatever runs in it, when the one that has started it is gone."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
