"""The checkpoint of a long solve: a store with the null windows that are done, and the table of the solver."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from .._files import StrPath
from .._validation import naming
from ..board.board import Board
from ..errors import CheckpointError
from ..executors.store import Store

FORMAT = 2  # of the keys and entries of the table
PART = 1 << 24  # bytes of the table in one row of the store, which copies each row


class SolveCheckpoint:
    """Bounds and table of an unfinished solve, in a store from which the same call continues.

    A window is one question to the solver: whether the score of the position, or of one after it, is above a number.
    """

    def __init__(self, store: Store, board: Board) -> None:
        self._store = store
        best = board.rules.cells // 2 + 1
        after = [board, *(board.after(column) for column in board.legal_columns)]
        state = [0, 0, 0.0, [(-best, best)] * len(after)]
        self._done, self._nodes, self._seconds, bounds = store.results.pop(0, state)
        self._bounds = {
            (each.own, each.mask): (lower, upper) for each, (lower, upper) in zip(after, bounds, strict=True)
        }
        parts = [store.results[number] for number in sorted(store.results)]
        store.results.clear()
        self.table = np.frombuffer(b"".join(parts), np.uint8)  # see AlphaBetaSolver.words

    def bounds(self, own: int, mask: int) -> tuple[int, int]:
        """Bounds of the score of the position, or of one after it, for its player to move."""
        return self._bounds[own, mask]

    def add(self, own: int, mask: int, lower: int, upper: int) -> None:
        """Note the result of a window."""
        self._done += 1
        self._bounds[own, mask] = lower, upper

    def totals(self, nodes: int, seconds: float) -> tuple[int, float]:
        """Nodes and seconds of this call, and of all earlier ones."""
        return self._nodes + nodes, self._seconds + seconds

    def save(self, table: bytes, nodes: int, seconds: float) -> None:
        """Write the file. table: the solver's. nodes, seconds: of this call. OSError."""
        state = [self._done, *self.totals(nodes, seconds), list(self._bounds.values())]
        parts = (table[start : start + PART] for start in range(0, len(table), PART))
        self._store.update({0: state, **dict(enumerate(parts, 1))})
        self._store.results.clear()


@contextmanager
def opened(path: StrPath, board: Board) -> Iterator[SolveCheckpoint]:
    """The checkpoint of a position, which no other call can use until the block ends. Raises as Store."""
    identity = {"rules": str(board.rules), "position": board.to_fen(), "table": FORMAT}
    with Store(path, "solve", identity, seed=0) as store:
        with naming(f"checkpoint {path} is damaged: ", CheckpointError):
            checkpoint = SolveCheckpoint(store, board)
        yield checkpoint
