"""Engine: a search that can be limited, stopped, continued and moved along a game."""

import os
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import asdict

import numpy as np
import numpy.typing as npt

from .. import _files
from .._backend import BackendName, load
from .._layout import MAX_THREADS
from .._validation import between, function
from ..board.board import Board
from ..board.validation import search_params, unfinished
from ..executors.background import Mailbox, watch
from ..seeds import Seed, generator_state
from . import serialization as saving
from .evaluators import Evaluator, fitting
from .limits import UNLIMITED, Limits, Pace, positive_seconds
from .params import SearchParams
from .results import SearchResult
from .tree import Tree

REPORT_EVERY = 0.1  # seconds between two calls of on_progress


class Engine:
    """Monte Carlo tree search on one tree, which is kept from search to search where the positions allow.

    params: a SearchParams; the default is the preset "strong". seed: None, an int, a NumPy SeedSequence or Generator;
    the same seed and the same calls with limits in simulations or nodes give the same trees, on every platform and
    backend. backend: "native", "pure" or "auto".

    threads: how many grow the tree together, in the native engine; more than one find more in the same time, but no two
    searches are the same. (Trees of their own, which are the same again, side by side: search_ensemble.)

    evaluator: for params with selection="puct", a function evaluator(planes, legal) -> (priors, values) of B positions.
    planes: float32 of shape (B, 2, height, width), the discs of the player to move before those of the other, row 0 on
    top; with planes="signed" of shape (B, height, width, 1), 1 for the one and -1 for the other. legal: bool of shape
    (B, width). priors: shape (B, width), not negative; they are taken as shares of the sum over the legal columns.
    values: shape (B,), in [-1, 1], for the player to move. Arrays are new for each call. What it raises, and ValueError
    for a wrong answer, ends the search and is raised there; the tree stays whole.

    An engine serves one call at a time: another thread gets a RuntimeError, except for `stop`, which any thread may
    call at any time. Use one engine a thread; native searches run without the GIL.
    """

    def __init__(
        self,
        params: SearchParams | None = None,
        *,
        seed: Seed = None,
        backend: BackendName = "auto",
        threads: int = 1,
        evaluator: Evaluator | None = None,
    ) -> None:
        self._params = SearchParams() if params is None else search_params(params)
        self._asked_backend = backend
        self._backend = load(backend)
        self._threads = _threads(threads, self._backend.name)
        self._evaluator = fitting(evaluator, self._params.selection == "puct", self._threads)
        self._state = generator_state(seed)
        self._tree = self._new_tree()
        self._lock = threading.Lock()
        self._stop = False
        self._before = 0  # visits of the root when the search began

    def _new_tree(self) -> Tree:
        return Tree(self._backend, self._params, self._threads, self._state, self._evaluator)

    @property
    def backend(self) -> str:
        """The engine at work: "native" or "pure"."""
        return self._backend.name

    @property
    def params(self) -> SearchParams:
        """The parameters; an engine with others is a new engine."""
        return self._params

    @property
    def board(self) -> Board | None:
        """The position at the root of the tree, a copy; None while there is no tree."""
        root = self._tree.board
        return None if root is None else root.copy()

    @property
    def nbytes(self) -> int:
        """Bytes of memory that tree and tables take: measured in the native engine, estimated in the pure one."""
        return self._tree.nbytes()

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
        if on_progress is not None:
            function("on_progress", on_progress)
        limits = Limits(simulations, seconds, nodes)
        return self._search(unfinished(board), limits, on_progress, REPORT_EVERY)

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
        board = unfinished(board)

        def work(box: Mailbox[SearchResult]) -> None:
            box.replace(self._search(board, limits, box.replace, interval, box.is_left))

        return watch(work)

    def _search(
        self,
        board: Board,
        limits: Limits,
        on_progress: Callable[[SearchResult], object] | None,
        interval: float,
        is_left: Callable[[], bool] = bool,
    ) -> SearchResult:
        """on_progress: called every `interval` seconds. is_left: whether to end, as `stop` does for any search."""
        with self._alone():
            self._stop = False
            pace = Pace(limits, cut=self._threads == 1)
            self._tree.place(board)
            self._before = self._tree.visits()
            self._run(pace, on_progress, interval, is_left)
            return self._result(pace)

    def stop(self) -> None:
        """End the running search soon (native: within 50 ms, unless it has more threads than there are processors).

        It returns its result. Any thread may call this. With an evaluator the batch under way comes first.

        Between searches it does nothing: the next search starts as if it had not been called.
        """
        self._stop = True

    def advance(self, column: int) -> None:
        """Play a move at the root and keep its subtree, so that the next search of that position starts from it.

        Raises ValueError if nothing has been searched yet, IllegalMoveError for an illegal column.
        """
        with self._alone():
            if self._tree.board is None:
                raise ValueError("there is no tree to advance: search a position first")
            board = self._tree.board.copy()
            board.push(column)
            self._tree.move(board, [board.peek()])

    def reset(self) -> None:
        """Forget the tree, free its memory, and set the generator back to the seed."""
        with self._alone():
            self._tree = self._new_tree()

    def tree(self) -> npt.NDArray[np.void]:
        """A copy of all nodes, in pool order: a structured array of shape (nodes,), the root first.

        Fields: visits; value_sum, in reward units, for the player who moved into the node; children, the index of the
        first of `size` children that lie side by side, in column order; proof; column (see docs/guide/search.md). With
        an evaluator also value, its mean in [-1, 1], and prior; value_sum then counts the evaluations in the mean.
        Turn a field into an int before you calculate with it: they are unsigned and narrow. Empty before the first
        search.
        """
        with self._alone():
            used = self._tree.used()
            return self._tree.rows(0, used).copy() if used else np.zeros(0, dtype=self._tree.dtype)

    def __repr__(self) -> str:
        return f"<c4mcts.Engine {self.backend}, {self._tree.used():,} nodes>"

    def check(self) -> None:
        """Look at every node of the tree; RuntimeError, with what is wrong, if it can't be so. For tests."""
        with self._alone():
            fault = self._tree.fault()
        if fault:
            raise RuntimeError(fault)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the engine to a file: parameters, tree, generator, and the solver's table.

        An engine loaded from it goes on exactly as this one would, whatever their backends. NumPy can read the file
        too, whatever its name: it is an .npz. A file that is there already is replaced when the new one is complete,
        not before. Raises OSError.
        """
        where = _files.path_of("path", path)
        with self._alone():
            _files.write(where, self._packed())

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        backend: BackendName = "auto",
        threads: int = 1,
        evaluator: Evaluator | None = None,
    ) -> "Engine":
        """The engine that was saved there; an evaluator is not saved, and must be given again.

        All of it is checked, so that no file does harm; but counts, bounds and proofs that are wrong and might be right
        can't be told from right ones: an engine from an untrusted file may be mistaken, or slow.

        Raises SaveError (a ValueError) for anything else, OSError.
        """
        with _files.opened(_files.path_of("path", path)) as file:
            saved = saving.read(file)
        return cls._of(saved, backend, threads, evaluator)

    def __reduce__(self) -> tuple[Callable[..., "Engine"], tuple[bytes, str, int, Evaluator | None]]:
        """Pickled, and copied, by way of what `save` writes; with the evaluator."""
        with self._alone():
            return Engine._unpacked, (self._packed(), self._asked_backend, self._threads, self._evaluator)

    def _packed(self) -> bytes:
        facts, nodes, table = self._tree.written()
        return saving.pack(saving.Saved({"params": asdict(self._params), **facts}, nodes, table))

    @classmethod
    def _unpacked(
        cls, data: bytes, backend: BackendName, threads: int = 1, evaluator: Evaluator | None = None
    ) -> "Engine":
        return cls._of(saving.unpack(data), backend, threads, evaluator)

    @classmethod
    def _of(cls, saved: saving.Saved, backend: BackendName, threads: int, evaluator: Evaluator | None) -> "Engine":
        engine = cls(saving.params_of(saved.facts), backend=backend, threads=threads, evaluator=evaluator)
        try:
            engine._tree.take_over(saved.facts, saved.nodes, saved.table)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise saving.damaged(error) from None
        engine._state = engine._tree.seed
        return engine

    def _alone(self) -> threading.Lock:
        """The lock to hold during a call; a lock of C, so that Ctrl-C finds no gap between taking it and the block."""
        if self._lock.locked():
            raise RuntimeError("this engine is at work, in another thread or in its own callback: use one a thread")
        return self._lock

    def _run(
        self,
        pace: Pace,
        on_progress: Callable[[SearchResult], object] | None,
        interval: float,
        is_left: Callable[[], bool],
    ) -> None:
        """Simulations, in stretches between which the interpreter answers signals and other threads."""
        reported = pace.start

        def poll() -> bool:
            nonlocal reported
            if on_progress is not None and time.monotonic() - reported >= interval:
                on_progress(self._result(pace))
                reported = time.monotonic()
            return self._stop or is_left() or pace.is_over()

        tree = self._tree
        while not tree.is_proven() and (stretch := min(pace.stretch(), tree.room())):
            pace.done(tree.simulate(stretch, min(pace.left(), tree.room()), pace.nodes, poll))
            if tree.used() >= pace.nodes or poll():
                return
        if tree.is_proven():
            tree.narrow(pace.left(), poll)

    def _result(self, pace: Pace) -> SearchResult:
        tree = self._tree
        simulations = tree.visits() - self._before
        return tree.reader().result(tree.next_word(), simulations=simulations, nodes=tree.used(), seconds=pace.seconds)


def _threads(threads: object, backend: str) -> int:
    """The number of threads, checked."""
    number = between("threads", threads, 1, MAX_THREADS)
    if number > 1 and backend == "pure":
        raise ValueError(f"threads must be 1 for the pure engine, not {number}")
    return number
