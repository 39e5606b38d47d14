"""Engine: a search that can be limited, stopped, continued and moved along a game."""

import os
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _layout, saving
from ._backend import BackendName, load
from .board import Board
from .errors import GameOverError, SaveError
from .limits import UNLIMITED, Limits, Pace, positive_seconds
from .narrowing import Narrowing
from .params import SearchParams
from .reading import TreeReader, line_between
from .result import SearchResult
from .seeds import Seed, generator_state
from .solver import fits_word, new_solver
from .watching import watch

NODE = np.dtype(_layout.NODE_FIELDS)
REPORT_EVERY = 0.1  # seconds between two calls of on_progress


class Engine:
    """Monte Carlo tree search on one tree, which is kept from search to search where the positions allow.

    params: a SearchParams; the default is the preset "strong". seed: None, an int, a NumPy SeedSequence or Generator;
    the same seed and the same calls with limits in simulations or nodes give the same trees, on every platform and
    backend. backend: "native", "pure" or "auto".

    An engine serves one call at a time: another thread gets a RuntimeError, except for `stop`, which any thread may
    call at any time. Use one engine a thread; native searches run without the GIL.
    """

    def __init__(
        self,
        params: SearchParams | None = None,
        *,
        seed: Seed = None,
        backend: BackendName = "auto",
    ) -> None:
        if params is None:
            params = SearchParams()
        if not isinstance(params, SearchParams):
            raise TypeError(f"params must be a SearchParams, not {params!r}")
        self._params = params
        self._settings = params.settings()
        self._asked_backend = backend
        self._backend = load(backend)
        self._state = generator_state(seed)
        self._lock = threading.Lock()
        self._stop = False
        self._searcher: Any = None
        self._solver: Any = None  # for probes; its table is kept from move to move
        # The root of the tree; None while there is no tree, or one that is not to be trusted.
        self._board: Board | None = None
        self._narrowing: Narrowing | None = None  # what is known of its columns
        self._before = 0  # visits of the root when the search began

    @property
    def backend(self) -> str:
        """The engine at work: "native" or "pure"."""
        return self._backend.name

    @property
    def params(self) -> SearchParams:
        """The parameters; an engine with others is a new engine."""
        return self._params

    @property
    def nbytes(self) -> int:
        """Bytes of memory that tree and tables take: measured in the native engine, estimated in the pure one."""
        return sum(part.nbytes() for part in (self._searcher, self._solver) if part is not None)

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

        A position that lies in the tree of the last search, up to six plies on, keeps its subtree; the same position
        goes on where it was. on_progress is called with a SearchResult about ten times a second; what it raises ends
        the search and is raised here, and so does Ctrl-C, within 50 ms. The engine stays usable; a native tree stays
        whole, a pure one may be started anew. (Moving a tree to a new root is not cut short; it takes 0.04 s for 4
        million nodes.)

        Raises GameOverError for a finished game, TypeError or ValueError for bad arguments.
        """
        if on_progress is not None and not callable(on_progress):
            raise TypeError(f"on_progress must be callable, not {on_progress!r}")
        limits = Limits(simulations, seconds, nodes)
        return self._search(_searchable(board), limits, on_progress, REPORT_EVERY)

    def analysis(
        self,
        board: Board,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        interval: float = REPORT_EVERY,
    ) -> Generator[SearchResult, None, None]:
        """Watch one growing search: a SearchResult every `interval` seconds, and the final one.

            for info in engine.analysis(board):
                print(info.column, info.value)
                if info.simulations > 1_000_000:
                    break

        The search runs in a thread of its own, from the first result on that is asked for, and the loop may take its
        time: it always gets the latest state. Leaving the loop, or `close()`, ends the search; so do the limits, if
        there are any, `stop()`, and a proven outcome. What goes wrong in the search is raised in the loop. Afterwards
        the same engine goes on from the same tree.

        Raises as `search` does.
        """
        if simulations is None and seconds is None and nodes is None:
            simulations = UNLIMITED
        limits = Limits(simulations, seconds, nodes)
        interval = positive_seconds("interval", interval)
        board = _searchable(board)
        return watch(lambda show: self._search(board, limits, show, interval), self.stop)

    def _search(
        self, board: Board, limits: Limits, on_progress: Callable[[SearchResult], object] | None, interval: float
    ) -> SearchResult:
        with self._alone():
            self._stop = False
            pace = Pace(limits)
            self._set_root(board)
            self._before = self._visits()
            self._run(pace, on_progress, interval)
            return self._result(pace)

    def stop(self) -> None:
        """End the running search soon (within 50 ms, native); it returns its result. Any thread may call this.

        Between searches it does nothing: the next search starts as if it had not been called.
        """
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
            self._move_root(board, [board.peek()])

    def reset(self) -> None:
        """Forget the tree, free its memory, and set the generator back to the seed."""
        with self._alone():
            self._board = None
            self._searcher = self._solver = None

    def tree(self) -> npt.NDArray[np.void]:
        """A copy of all nodes, in pool order: a structured array of shape (nodes,), the root first.

        Fields: visits; value_sum, in reward units, for the player who moved into the node; children, the index of the
        first of `size` children that lie side by side, in column order; proof; column (docs/search.md says more).
        Turn a field into an int before you calculate with it: they are unsigned and narrow. Empty before the first
        search.
        """
        with self._alone():
            if self._searcher is None:
                return np.zeros(0, dtype=NODE)
            return self._rows(0, self._searcher.used()).copy()

    def __repr__(self) -> str:
        searcher = self._searcher
        return f"<c4mcts.Engine {self.backend}, {0 if searcher is None else searcher.used():,} nodes>"

    def check(self) -> None:
        """Look at every node of the tree; RuntimeError, with what is wrong, if it can't be so. For tests."""
        with self._alone():
            if self._board is not None:
                fault, node = self._searcher.check()
                if fault:
                    raise RuntimeError(f"node {node}: {_layout.FAULTS[fault]}")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the engine to a file: parameters, tree, generator, and the solver's table.

        An engine loaded from it goes on exactly as this one would, whatever their backends. A file that is there
        already is replaced when the new one is complete, not before. Raises OSError.
        """
        with self._alone():
            saving.write(path, self._packed())

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, backend: BackendName = "auto") -> "Engine":
        """The engine that was saved there. Raises SaveError (a ValueError) for anything else, OSError."""
        return cls._unpacked(Path(path).read_bytes(), backend)

    def __reduce__(self) -> tuple[Callable[..., "Engine"], tuple[bytes, str]]:
        """Pickled, and copied, by way of what `save` writes."""
        with self._alone():
            return Engine._unpacked, (self._packed(), self._asked_backend)

    def _packed(self) -> bytes:
        facts: dict[str, Any] = {"params": asdict(self._params), "seed": self._state}
        nodes = table = b""
        if self._searcher is not None:
            facts["state"] = self._searcher.state()
        if self._board is not None and self._narrowing is not None:
            facts["board"] = self._board.to_fen()
            facts["bounds"] = list(self._narrowing.all_bounds().items())
            nodes = self._rows(0, self._searcher.used()).astype(NODE.newbyteorder("<")).tobytes()
            table = b"" if self._solver is None else self._solver.words()
        return saving.pack(saving.Saved(facts, nodes, table))

    @classmethod
    def _unpacked(cls, data: bytes, backend: BackendName) -> "Engine":
        saved = saving.unpack(data)
        try:
            params = SearchParams(**saved.facts["params"])
            engine = cls(params, backend=backend)
            engine._state = _two_words(saved.facts["seed"])
            if "board" in saved.facts:
                engine._take_over(saved)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise SaveError(f"the saved engine is damaged: {error}") from None
        return engine

    def _take_over(self, saved: saving.Saved) -> None:
        """Make a saved tree the engine's own; it is not trusted, every node is looked at."""
        board = Board.from_fen(saved.facts["board"])
        self._move_root(board, None)
        self._board = None
        nodes = np.frombuffer(saved.nodes, dtype=NODE.newbyteorder("<")).astype(NODE).tobytes()
        fault, node = self._searcher.restore(board.own, board.mask, _two_words(saved.facts["state"]), nodes)
        if not fault and board.is_over() and self._searcher.used() > 1:
            fault = _layout.FAULTS.index("it has children, though the game is over there")
        if fault:
            raise ValueError(f"node {node}: {_layout.FAULTS[fault]}")
        if self._solver is not None and not self._solver.set_words(saved.table):
            raise ValueError("the solver's table has another size")
        narrowing = Narrowing(board)
        for column, (lower, upper) in saved.facts["bounds"]:
            narrowing.add(column, (int(lower), int(upper)))
        self._narrowing, self._board = narrowing, board

    def _alone(self) -> threading.Lock:
        """The lock to hold during a call; a lock of C, so that Ctrl-C finds no gap between taking it and the block."""
        if self._lock.locked():
            raise RuntimeError("this engine is at work, in another thread or in its own callback: use one a thread")
        return self._lock

    def _rows(self, first: int, count: int) -> npt.NDArray[np.void]:
        """Copies of nodes, for reading."""
        return np.frombuffer(self._searcher.rows(first, count), dtype=NODE)

    def _run(self, pace: Pace, on_progress: Callable[[SearchResult], object] | None, interval: float) -> None:
        """Simulations, in stretches between which the interpreter answers signals and other threads."""
        reported = pace.start

        def poll() -> bool:
            nonlocal reported
            if on_progress is not None and time.monotonic() - reported >= interval:
                on_progress(self._result(pace))
                reported = time.monotonic()
            return self._stop or pace.is_over()

        searcher = self._searcher
        while not searcher.is_proven() and (stretch := min(pace.stretch(), self._room())):
            pace.done(searcher.simulate(stretch, pace.nodes, poll))
            if searcher.used() >= pace.nodes or poll():
                return
        if searcher.is_proven() and self._solver is not None:
            self._narrow(pace, poll)

    def _narrow(self, pace: Pace, poll: Callable[[], object]) -> None:
        """Spend what is left of the limits on the exact score."""
        assert self._narrowing is not None
        moves = self._reader().moves()
        order = [move.column for move in sorted(moves, key=lambda move: -move.visits)]
        self._narrowing.run(self._solver, order, pace.left() * _layout.NEAR_PROBE_NODES, poll)

    def _set_root(self, board: Board) -> None:
        """Make the board the root: of the old tree's subtree if it holds the position, else of a new tree."""
        line = None if self._board is None else line_between(self._rows, self._board, board)
        if line != [] or self._room() == 0:
            self._move_root(board, line)

    def _move_root(self, board: Board, line: list[int] | None) -> None:
        """Move the tree along a line of moves to the board; without a line, or memory for it, start a new tree."""
        rules, self._board = self._board and self._board.rules, None  # until all is done, there is no tree
        try:
            kept = bool(line) and self._searcher.advance(line)
        except MemoryError:
            kept = False
        if not kept:
            if rules != board.rules:
                state = self._state if self._searcher is None else self._searcher.state()
                probes = self._params.probes and fits_word(board.rules)
                self._solver = new_solver(self._backend, board.rules, _layout.PROBE_TABLE_BITS) if probes else None
                self._searcher = self._backend.search.Searcher(board.rules, self._settings, state, self._solver)
            self._searcher.set_root(board.own, board.mask)
        self._narrowing = Narrowing(board)
        self._board = board

    def _room(self) -> int:
        """How many more visits the root can count without overflow of its sums."""
        return max(0, _layout.MAX_VALUE_SUM // self._settings.win - self._visits())

    def _visits(self) -> int:
        """Visits of the root."""
        return int(self._rows(_layout.ROOT, 1)[0]["visits"])

    def _result(self, pace: Pace) -> SearchResult:
        # a look at the generator's next word, not a draw: reports must not change the search
        (word,), _ = self._backend.rng.stream(self._searcher.state(), 1)
        simulations, nodes = self._visits() - self._before, self._searcher.used()
        return self._reader().result(word, simulations=simulations, nodes=nodes, seconds=pace.seconds)

    def _reader(self) -> TreeReader:
        assert self._board is not None
        assert self._narrowing is not None
        return TreeReader(self._rows, self._board, self._params, self._narrowing)


def _two_words(state: Any) -> tuple[int, int]:
    """A generator's state, checked."""
    a, b = state
    if type(a) is not int or type(b) is not int or not (0 <= a < 2**64 and 0 <= b < 2**64 and (a or b)):
        raise ValueError(f"the state of the generator is {state!r}")
    return a, b


def _searchable(board: Board) -> Board:
    """A copy of an unfinished board: whatever happens to the caller's meanwhile."""
    if not isinstance(board, Board):
        raise TypeError(f"board must be a Board, not {board!r}")
    board = board.copy()
    if board.own & ~board.mask:
        raise RuntimeError("the board was changed by another thread while it was read")
    if board.is_over():
        raise GameOverError(f"the game is over, there is nothing to search: {board!r}")
    return board
