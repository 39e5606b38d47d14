"""The checkpoint of a long solve: a file with the null windows that are done, and the table of the solver."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn

import numpy as np

from .._files import StrPath, pack_into, path_of, regular, replacing, unpacked
from .._validation import UNLIMITED, between, real_number
from ..board.board import Board
from ..errors import CheckpointError, SaveError
from ..executors.checkpoint import LockedFile, require_equal

FORMAT = 2  # of the file, and of the keys and entries of the table
KIND = "solve"
MAX_BYTES = 1 << 28  # of a table
FIELDS = ("windows", "nodes", "seconds")


class Windows(NamedTuple):
    """How far a call of Solver.solve with a checkpoint has come."""

    done: int  # null windows
    lower: int  # bounds of the score of the position that is being searched, for its player to move
    upper: int
    nodes: int  # searched so far, those of earlier calls included
    seconds: float  # those of earlier calls included


class SolveCheckpoint:
    """What is known of a position, in a file from which the same call continues. Made by `opened`.

    A window is one question to the solver: whether the score of the position, or of one after it, is above a number.
    """

    def __init__(self, path: str, board: Board) -> None:
        self.path = path
        self.nodes = 0  # of the calls before this one
        self.seconds = 0.0
        self.table = np.empty(0, np.uint8)  # see AlphaBetaSolver.words
        self._facts = {"format": FORMAT, "kind": KIND, "rules": str(board.rules), "position": board.to_fen()}
        self._best = board.rules.cells // 2 + 1
        self._done = 0
        self._bounds = {}
        for column in (None, *board.legal_columns):
            after = board.copy()
            if column is not None:
                after.push(column)
            self._bounds[after.own, after.mask] = -self._best, self._best
        self.latest = self._best, -self._best  # the bounds that were asked for last

    def bounds(self, board: Board) -> tuple[int, int]:
        """Bounds of the score of the position, or of one after it, for its player to move."""
        self.latest = self._bounds[board.own, board.mask]
        return self.latest

    def add(self, board: Board, lower: int, upper: int) -> None:
        """Note what a window has found out."""
        self._done += 1
        self.latest = self._bounds[board.own, board.mask] = lower, upper

    def windows(self, nodes: int, seconds: float) -> Windows:
        """How far the solve has come. nodes, seconds: of this call."""
        return Windows(self._done, *self.latest, self.nodes + nodes, self.seconds + seconds)

    def save(self, table: bytes, nodes: int, seconds: float) -> None:
        """Write the file atomically. table: that of the solver. nodes, seconds: of this call. OSError."""
        windows = [self._done, [list(bounds) for bounds in self._bounds.values()]]
        found = {"windows": windows, "nodes": self.nodes + nodes, "seconds": self.seconds + seconds}
        with replacing(self.path) as file:
            pack_into(file, {**self._facts, **found}, {"table": np.frombuffer(table, np.uint8)}, level=0)

    def read(self) -> None:
        """Read the file, if there is one. CheckpointError, OSError."""
        wrong = f"checkpoint {self.path} is damaged, or not one of solve"
        try:
            with open(self.path, "rb", opener=regular) as file, unpacked(file, wrong) as archive:
                about = archive.about()
                found = {name: about.pop(name) for name in FIELDS}
                table = archive.array("table", np.uint8, (range(MAX_BYTES + 1),), max_ratio=2)
        except FileNotFoundError:
            return
        except SaveError as error:
            raise CheckpointError(str(error)) from None
        except ValueError as error:
            raise CheckpointError(f"checkpoint {self.path} can't be continued: {error}") from None
        require_equal(about, self._facts, f"checkpoint {self.path} is of another solve")
        self._take(found)
        self.table = table

    def _take(self, found: dict[str, Any]) -> None:
        """Take over what a file holds. CheckpointError for bounds that the solver can't work with."""
        best = self._best
        try:
            done, bounds = found["windows"]
            pairs = [(between("windows", low, -best, best), between("windows", up, low, best)) for low, up in bounds]
            self._done, self._bounds = done, dict(zip(self._bounds, pairs, strict=True))
            self.nodes = between("nodes", found["nodes"], 0, UNLIMITED)
            self.seconds = real_number("seconds", found["seconds"])
        except (TypeError, ValueError) as error:
            raise CheckpointError(f"checkpoint {self.path} is damaged: {error}") from None

    def refuse_table(self) -> NoReturn:
        """CheckpointError, since the solver has refused the table."""
        reason = "the table has scores or a size that no table has"
        raise CheckpointError(f"checkpoint {self.path} can't be continued: {reason}")


@contextmanager
def opened(path: StrPath, board: Board) -> Iterator[SolveCheckpoint]:
    """The checkpoint of a position, which no other call can use until the block ends.

    The lock is a separate file, since each save replaces the checkpoint. TypeError, ValueError,
    CheckpointError, OSError.
    """
    checkpoint = SolveCheckpoint(path_of("checkpoint", path), board)
    with LockedFile(checkpoint.path + ".lock") as lock:
        try:
            checkpoint.read()
            yield checkpoint
        finally:
            if not lock.closed:
                lock.remove()
