"""Engine: a search that can be limited, stopped, continued and moved along a game."""

import threading
import time
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _layout
from ._backend import load
from .board import Board
from .errors import GameOverError
from .interrupts import deferred
from .limits import Limits, Pace
from .params import SearchParams
from .reading import TreeReader
from .result import SearchResult
from .seeds import Seed, generator_state

NODE = np.dtype(_layout.NODE_FIELDS)
FARTHEST = 6  # plies over which a position is looked for in the old tree
REPORT_EVERY = 0.1  # seconds between two calls of on_progress


class Engine:
    """Monte Carlo tree search on one tree, which is kept from search to search where the positions allow.

    params: a SearchParams; the default is plain UCT. seed: None, an int, a NumPy SeedSequence or Generator; the same
    seed and the same calls with limits in simulations or nodes give the same trees, on every platform and backend.
    backend: "native", "pure" or "auto".

    An engine serves one call at a time: another thread gets a RuntimeError, except for `stop`, which any thread may
    call at any time. Use one engine a thread; native searches run without the GIL.
    """

    def __init__(
        self,
        params: SearchParams | None = None,
        *,
        seed: Seed = None,
        backend: Literal["auto", "native", "pure"] = "auto",
    ) -> None:
        if params is None:
            params = SearchParams()
        if not isinstance(params, SearchParams):
            raise TypeError(f"params must be a SearchParams, not {params!r}")
        self.params = params
        self._backend = load(backend)
        self._state = generator_state(seed)
        self._lock = threading.Lock()
        self._stop = False
        self._searcher: Any = None
        self._board: Board | None = None  # the root of the tree

    @property
    def backend(self) -> str:
        """The engine at work: "native" or "pure"."""
        return self._backend.name

    def search(
        self,
        board: Board,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        on_progress: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        """Search a position until the first of the limits is reached (see Limits), and say what to play.

        A position that lies in the tree of the last search keeps its subtree; the same position goes on where it was.
        on_progress is called with a SearchResult about ten times a second; what it raises ends the search and is
        raised here. Ctrl-C does the same within 50 ms; the tree stays whole and usable in either case.

        Raises GameOverError for a finished game, TypeError or ValueError for bad limits.
        """
        if not isinstance(board, Board):
            raise TypeError(f"board must be a Board, not {board!r}")
        limits = Limits(simulations, seconds, nodes)
        if board.is_over():
            raise GameOverError(f"the game is over, there is nothing to search: {board!r}")
        with self._alone():
            self._stop = False
            pace = Pace(limits)
            with deferred():
                self._set_root(board)
            reported = pace.start
            while (stretch := min(pace.stretch(), self._room())) and not (self._stop and pace.simulations):
                pace.done(self._simulate(stretch, pace.nodes))
                if self._searcher.used() >= pace.nodes:
                    break
                if on_progress is not None and time.monotonic() - reported >= REPORT_EVERY:
                    on_progress(self._result(pace))
                    reported = time.monotonic()
            return self._result(pace)

    def stop(self) -> None:
        """End the running search soon (within 50 ms, native); it returns its result. Any thread may call this."""
        self._stop = True

    def advance(self, column: int) -> None:
        """Play a move at the root and keep its subtree, so that the next search of that position starts from it.

        Raises ValueError if nothing has been searched yet, IllegalMoveError for an illegal column.
        """
        with self._alone():
            if self._board is None:
                raise ValueError("there is no tree to advance: search a position first")
            board = self._board.copy()
            board.push(column)
            with deferred():
                if not self._searcher.advance([board.peek()]):
                    self._searcher.set_root(board.own, board.mask)
                self._board = board

    def reset(self) -> None:
        """Forget the tree, free its memory, and set the generator back to the seed."""
        with self._alone():
            self._searcher = None
            self._board = None

    def tree(self) -> npt.NDArray[np.void]:
        """A copy of all nodes, in pool order: a structured array of shape (nodes,), the root first.

        The fields are those of _layout.NODE_FIELDS: visits; value_sum, in reward units, for the player who moved into
        the node; children, the index of the first of `size` children that lie side by side, in column order; proof;
        column. Turn a field into an int before you calculate with it: they are unsigned and narrow. Empty before the
        first search.
        """
        with self._alone():
            if self._searcher is None:
                return np.zeros(0, dtype=NODE)
            return self._rows(0, self._searcher.used()).copy()

    def __repr__(self) -> str:
        nodes = 0 if self._searcher is None else self._searcher.used()
        return f"<c4mcts.Engine {self.backend}, {nodes:,} nodes>"

    def _alone(self) -> "_Alone":
        return _Alone(self._lock)

    def _rows(self, first: int, count: int) -> npt.NDArray[np.void]:
        """Copies of nodes, for reading."""
        return np.frombuffer(self._searcher.rows(first, count), dtype=NODE)

    def _simulate(self, count: int, enough: int) -> int:
        """A stretch of simulations, after which Ctrl-C is answered."""
        with deferred():
            try:
                return int(self._searcher.simulate(count, enough))
            except BaseException:
                # another signal's handler has raised inside a pure simulation: better no tree than half a one
                self._searcher = self._board = None
                raise

    def _set_root(self, board: Board) -> None:
        """Make the board the root: of the old tree's subtree if it holds the position, else of a new tree."""
        if self._board is not None and self._board.rules == board.rules:
            line = self._line_to(board)
            if line is not None:
                if line:  # compacting renumbers the nodes: not where nothing is dropped
                    self._searcher.advance(line)
                    self._board = board.copy()
                return
        if self._searcher is None or self._board is None or self._board.rules != board.rules:
            state = self._state if self._searcher is None else self._searcher.state()
            self._searcher = self._backend.search.Searcher(board.rules, self.params.settings(), state)
        self._searcher.set_root(board.own, board.mask)
        self._board = board.copy()

    def _line_to(self, board: Board) -> list[int] | None:
        """Moves from the root through visited nodes to a position up to FARTHEST plies on; None if there is none."""
        assert self._board is not None
        if not 0 <= board.ply - self._board.ply <= FARTHEST:
            return None
        target = _discs(board)
        seen = set()
        stack: list[tuple[Any, Board, list[int]]] = [(self._rows(_layout.ROOT, 1)[0], self._board, [])]
        while stack:
            node, here, line = stack.pop()
            if here == board:
                return line
            if here in seen or any(discs & ~wanted for discs, wanted in zip(_discs(here), target, strict=True)):
                continue
            seen.add(here)
            for child in self._rows(int(node["children"]), int(node["size"])):
                if child["visits"] and not child["proof"]:
                    after = here.copy()
                    after.push(int(child["column"]))
                    stack.append((child, after, [*line, after.peek()]))
        return None

    def _room(self) -> int:
        """How many more visits the root can count without overflow of its sums."""
        root = self._rows(_layout.ROOT, 1)[0]
        return _layout.MAX_VALUE_SUM // self.params.settings().win - int(root["visits"])

    def _result(self, pace: Pace) -> SearchResult:
        assert self._board is not None
        # a look at the generator's next word, not a draw: reports must not change the search
        (word,), _ = self._backend.rng.stream(self._searcher.state(), 1)
        reader = TreeReader(self._rows, self._board, self.params)
        nodes = self._searcher.used()
        return reader.result(word, simulations=pace.simulations, nodes=nodes, seconds=pace.seconds)


class _Alone:
    """A lock that is an error when it is taken."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(
                "this engine is at work in another thread (or in its own callback): use one engine a thread"
            )

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _discs(board: Board) -> tuple[int, int]:
    """Discs of the first and of the second player."""
    other = board.own ^ board.mask
    return (board.own, other) if board.turn == 0 else (other, board.own)
