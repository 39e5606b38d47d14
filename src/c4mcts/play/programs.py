"""Programs in any language as players: a program reads the moves of the game as a line, and answers with a column.

https://github.com/c4mcts/c4mcts/blob/main/docs/guide/programs.md has the protocol, and a bot in C and in JavaScript.
"""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from math import inf
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Any, TextIO

import numpy as np

from .._validation import callback
from ..board.board import Board
from ..board.notation import PONS_COLUMNS, write_moves
from ..executors.cancellation import POLL_SECONDS
from ..rules import Rules
from .seats import Forfeit

LONGEST_LINE, MOST_LINES = 100, 100  # characters, and lines that wait: no more is read
SEED = "C4MCTS_SEED"  # the variable of the environment from which a program may take its random choices
END_SECONDS = 1.0  # that a program has to end after its input


@dataclass(frozen=True, slots=True)
class Program:
    """A maker of a ProgramPlayer for each game.

    command: the program and its arguments. check: called all the time while the program thinks; an exception in it
    ends the program.
    """

    command: tuple[str, ...]
    check: Callable[[], object] | None = None

    @property
    def fingerprint(self) -> str:
        """The digest of the files that the command names. See play.identity."""
        from .identity import file_digest  # imported here: few programs need it

        files = [word for word in self.command if os.path.isfile(word)]
        return sha256(repr([self.command, [file_digest(file) for file in files]]).encode()).hexdigest()

    def __call__(self) -> "ProgramPlayer":
        if shutil.which(self.command[0]) is None:
            raise ValueError(f"there is no program {self.command[0]} that can be run")
        return ProgramPlayer(self)


class ProgramPlayer:
    """A program that plays: a process for each game, which is asked for each of its moves.

    `choose` raises Forfeit if the program ends, takes too long, or answers with anything but one legal column.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._check = callback("check", program.check)
        self._seconds = inf  # for the next move
        self._process: Any = None  # during a game
        self._lines = SimpleQueue[str]()  # that it has written; "" at their end

    def begin(self, seed: np.random.SeedSequence) -> None:
        """Start the process. OSError."""
        self.end()
        self._lines = SimpleQueue()
        self._process = subprocess.Popen(
            self.program.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, SEED: f"{seed.generate_state(1)[0]}"},
            start_new_session=True,  # Ctrl-C is for this process, which then ends the program
        )
        Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True).start()

    def time_limit(self, seconds: float, overage: float) -> None:
        """Set the limit for the next move; see Player."""
        self._seconds = seconds + overage

    def choose(self, board: Board) -> int:
        """The column that the program answers with."""
        line = line_for(board)
        if self._process is None:
            self.begin(np.random.SeedSequence())
        early = None if self._lines.empty() else self._lines.get()
        if early:
            raise Forfeit(f"wrote more than one line for a move: {early.rstrip()!r}")
        with suppress(OSError):  # it has ended, which `_answer` says
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        answer = self._answer(early).strip()
        first = 0 if board.rules.width > PONS_COLUMNS else 1
        columns = {f"{column + first}": column for column in board.legal_columns}
        if answer not in columns:
            raise Forfeit(f"answered {answer!r}, not one of the columns {', '.join(columns)}")
        return columns[answer]

    def _answer(self, line: str | None) -> str:
        """The next line, unless it is there already. Forfeit."""
        until = perf_counter() + self._seconds
        try:
            while line is None:
                self._check()
                if perf_counter() > until:
                    raise Forfeit(f"took longer than {round(self._seconds, 3):g} s to choose a move")
                with suppress(Empty):
                    line = self._lines.get(timeout=POLL_SECONDS)
        except BaseException:
            self._kill()
            raise
        if line:
            return line
        process = self._process
        self.end()
        raise Forfeit(f"its process ended with exit code {process.returncode}")

    def end(self) -> None:
        """End the input of the program; kill it if it has not ended a second later."""
        if self._process is not None:
            with suppress(OSError):
                self._process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(END_SECONDS)
            self._kill()

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process.poll() is None:
            # with what a script has started
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
            process.wait()
        with suppress(OSError):
            process.stdin.close()

    def __repr__(self) -> str:
        return f"ProgramPlayer({' '.join(self.program.command)!r})"


def command_of(text: str) -> tuple[str, ...] | None:
    """The command in the text of a player, "./bot" or "program:node bot.mjs"; None if it has none. ValueError."""
    kind, _, rest = text.partition(":")
    if kind == "program":
        return tuple(shlex.split(rest)) or None
    is_program = os.path.dirname(text) and os.path.isfile(text) and os.access(text, os.X_OK)
    return (os.path.abspath(text),) if is_program and not text.endswith((".py", ".tar.gz")) else None


def line_for(board: Board) -> str:
    """The line for a position: the moves of the game, after its rules if they are not 7 x 6 with four in a row.

    ValueError for a game that did not begin on an empty board.
    """
    if len(board.moves) != board.ply:
        raise ValueError("a program reads the moves of a game, which must begin on an empty board")
    rules = "" if board.rules == Rules() else str(board.rules).replace(" ", "-") + ":"
    return rules + write_moves(board.moves, board.rules)


def _read(output: TextIO, lines: SimpleQueue[str]) -> None:
    """Hand over the output of a program, until it ends, or has written far more than it was asked for."""
    with output:
        while lines.qsize() < MOST_LINES and (line := output.readline(LONGEST_LINE)):
            lines.put(line)
    lines.put("")
