"""A player in a process of its own, which can be stopped: the only way to enforce limits of time and memory."""

import json
import os
import pickle
import signal
import socket
import sys
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import parent_process, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread
from time import perf_counter
from typing import Any

from .._validation import described
from ..executors.cancellation import POLL_SECONDS
from .player import Player
from .seats import Forfeit, Seat

MAX_ANSWER = 1 << 13  # bytes; the message of an error has MAX_REASON characters of up to 12 bytes
SIZE = 8  # bytes of the number of bytes, with which a message to a process begins
LONGEST_MOVE = 86_400.0  # seconds, where there is no limit
BEGIN_SECONDS = 60.0  # to make a player, which may load other modules, and to prepare it
DOING = {"begin": "prepare for the game", "choose": "choose a move", "played": "hear of a move", "end": "end the game"}


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Limits on a player's process. They stop accidents and pranks, not attackers.

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
    """A process that runs one player at a time. RuntimeError if it can't start; what `check` raises meanwhile.

    The code in it is not trusted: what it sends is read as text, up to a size and a time, and never unpickled.
    """

    def __init__(self, sandbox: Sandbox | None, check: Callable[[], object]) -> None:
        self._socket, theirs = socket.socketpair()
        self._process = Follower(target=serve, args=(theirs, sandbox), name="c4mcts player", daemon=True)
        self._process.start()
        theirs.close()
        try:
            self.receive(perf_counter() + BEGIN_SECONDS, check)
        except BaseException as error:
            self.end()
            if not isinstance(error, EOFError | OSError):
                raise
            text = "a process for a player did not start; a script must have `if __name__ == '__main__':`"
            raise RuntimeError(text) from None

    def send(self, message: bytes, seconds: float) -> None:
        """Send a message. TimeoutError, ConnectionError."""
        self._socket.settimeout(seconds)
        self._socket.sendall(len(message).to_bytes(SIZE, "big") + message)

    def receive(self, until: float, check: Callable[[], object]) -> tuple[int | None, str]:
        """An answer: a column or None, and an error or "".

        until: a time of perf_counter. Raises what `check` raises, which is called all the time; TimeoutError; EOFError,
        ConnectionError; ValueError, TypeError or RecursionError for anything else than one answer.
        """
        self._socket.settimeout(POLL_SECONDS)
        line = b""
        while not line.endswith(b"\n") and len(line) <= MAX_ANSWER:
            check()
            if perf_counter() > until:
                raise TimeoutError
            with suppress(TimeoutError):
                part = self._socket.recv(MAX_ANSWER)
                if not part:
                    raise EOFError
                line += part
        answer, error = json.loads(line)
        if type(error) is not str or not (answer is None or type(answer) is int):
            raise ValueError
        return answer, error

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def end(self, seconds: float = 0.0) -> int | None:
        """Wait for the process, at most this long, then kill it; its exit code."""
        self._socket.close()
        self._process.join(seconds)
        self._process.kill()
        self._process.join()
        return self._process.exitcode


# for the next games, as a process takes half a second to start; those with a sandbox belong to one player
_idle: dict[Hashable, list[PlayerProcess]] = {}


class RemoteSeat(Seat):
    """A Seat whose player is in a process, which is killed when a move takes longer than allowed, or `check` raises.

    make: picklable and, with a sandbox, hashable.
    """

    def __init__(
        self,
        make: Callable[[], Player],
        seconds: float | None,
        check: Callable[[], object],
        sandbox: Sandbox | None = None,
        overage: float = 0.0,
    ) -> None:
        super().__init__(make, seconds, overage)
        self._sandbox = sandbox
        self._owner: Hashable = None if sandbox is None else (make, sandbox)
        self._check = check
        self._process: PlayerProcess | None = None  # during a game, unless it had to be killed

    def _send(self, method: str, *arguments: Any) -> Any:
        seat = Seat(self._make, self._limit, self._bank) if method == "begin" else None
        message = pickle.dumps((seat, method, *arguments))
        if method == "begin":
            with suppress(LookupError):
                while self._process is None:  # of those that wait, one that nothing has ended meanwhile
                    idle = _idle[self._owner].pop()
                    if idle.is_alive():
                        self._process = idle
                    else:
                        idle.end()
            if self._process is None:
                end_idle(keep=(None, self._owner))  # a class has many bots, which play one after the other
                self._process = PlayerProcess(self._sandbox, self._check)
        process, self._process = self._process, None
        if process is None:
            return None  # the game is over
        answer, error = self._answer(process, method, message)
        if method == "end":
            _idle.setdefault(self._owner, []).append(process)
        else:
            self._process = process
        if error:
            raise Forfeit(error)
        return answer

    def _answer(self, process: PlayerProcess, method: str, message: bytes) -> tuple[int | None, str]:
        """The reply of the process: the column, and an error. Forfeit if nothing comes, or something else."""
        allowed = {"begin": max(self._limit, BEGIN_SECONDS), "choose": self._limit + self._bank}
        seconds = min(allowed.get(method, self._limit), LONGEST_MOVE)
        until = perf_counter() + seconds
        try:
            process.send(message, seconds)
            return process.receive(until, self._check)
        except (EOFError, ConnectionError):
            raise Forfeit(f"its process ended with exit code {process.end(1.0)}") from None
        except BaseException as error:
            process.end()
            if isinstance(error, TimeoutError):
                raise Forfeit(f"took longer than {round(seconds, 3):g} s to {DOING[method]}") from None
            if isinstance(error, ValueError | TypeError | RecursionError):
                raise Forfeit("its process sent something other than one answer") from None
            raise


def end_idle(keep: tuple[Hashable, ...] = ()) -> None:
    """End the processes that wait for another game, except these owners'."""
    for owner in list(_idle):
        for process in _idle.pop(owner, []) if owner not in keep else []:
            process.end(1.0)


def serve(connection: socket.socket, sandbox: Sandbox | None) -> None:
    """Run players in this process as the messages say, until the other end of the connection is closed.

    A message is a pickle after its size, an answer a line of JSON.
    """
    follow_parent()
    if sandbox is not None:
        sandbox.enter()
    seat: Seat | None = None
    with connection, connection.makefile("rb") as messages, suppress(ConnectionError):
        connection.sendall(_line(None, ""))  # it is ready
        while size := messages.read(SIZE):
            column, error = None, ""
            try:
                new, method, *arguments = pickle.loads(messages.read(int.from_bytes(size, "big")))
                seat = seat if new is None else new
                column = getattr(seat, method)(*arguments)
            except BaseException as failure:  # SystemExit, too: the process belongs to the player
                error = str(failure) if isinstance(failure, Forfeit) else described(failure)
            connection.sendall(_line(column, error))


def _line(column: int | None, error: str) -> bytes:
    """An answer as `PlayerProcess.receive` reads it."""
    return f"{json.dumps([column, error])}\n".encode()


class Follower(SpawnProcess):  # the same on all platforms; a fork would copy the locks of other threads
    """A process that calls `follow_parent`, and has no Ctrl-C before that either, while it loads modules."""

    def start(self) -> None:
        if not hasattr(signal, "pthread_sigmask"):  # Windows
            return super().start()
        resource_tracker.ensure_running()  # or `start` does that, and lets signals through again
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # the process inherits it
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


class Followers(SpawnContext):
    """A context for pools of followers."""

    Process = Follower


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
