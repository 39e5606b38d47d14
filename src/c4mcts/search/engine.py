"""Engine: searches positions on one tree, which is kept from search to search."""

import io
import os
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import Any, BinaryIO, SupportsIndex, Unpack

import numpy as np
import numpy.typing as npt

from .. import _files, _platform
from .._backend import BackendName, load, thread_count
from .._hints import ExplainsNames, check_keywords, with_hints
from .._layout import UNLIMITED
from .._timer import REPORT_EVERY, Timer
from .._validation import an_instance, counted, flag, function, positive_seconds
from ..board.arguments import AnyBoard, unfinished
from ..board.board import Board
from ..errors import SaveError
from ..executors.threads import BackgroundThread, unlocked
from ..seeds import Seed, generator_state
from ..solver.book import Book
from . import serialization
from .clock import Clock
from .evaluation import Evaluator, suitable_evaluator
from .limits import LimitOptions, Limits, Simulations, check_budget
from .network import PolicyValueNetwork
from .params import NetworkParams, PuctParams, SearchParams, search_params
from .results import SearchResult
from .run import SearchRun, legal
from .tree import EngineTree
from .tree_reader import TreeNode


class Engine(ExplainsNames):
    """Monte Carlo tree search on one tree, which is kept from search to search where the positions allow it.

    params: UctParams, PuctParams, GumbelParams or NetworkParams. preset: instead of them the name of a preset (see
    c4mcts.presets); by default "strong", or with an evaluator PuctParams(), NetworkParams() for a PolicyValueNetwork.
    seed: None, an int, a NumPy SeedSequence or Generator; the same seed and the same calls with limits in simulations
    or nodes give the same trees, on every platform and backend. backend: "native", "pure" or "auto".

    threads: how many threads grow the tree together (native backend only). More threads make more simulations in the
    same time, but the results are not reproducible; search_ensemble, which grows several trees, has results that are.

    evaluator: for PuctParams and GumbelParams, a function evaluator(planes, legal) -> (priors, values) of B positions.
    planes: float32 of shape (B, 2, height, width), the discs of the player to move before the opponent's, row 0 on
    top; with the preset "puct-node" of shape (B, height, width, 1), 1 for the player to move and -1 for the other.
    legal: bool of shape (B, width). priors: shape (B, width), not negative; they are divided by their sum over the
    legal columns. values: shape (B,), in [-1, 1], for the player to move. Arrays are new for each call. An exception in
    the evaluator ends the search and is raised by it, and so is ValueError for a wrong answer; the tree stays valid.
    For NetworkParams a PolicyValueNetwork to use instead of the package's.

    book: for params with book=True, a Book to use on boards of its rules instead of the package's.

    An engine serves one call at a time: a call from another thread raises RuntimeError, except for `stop`,
    which any thread may call at any time. Use one engine per thread; native searches run without the GIL.
    """

    _pondering: BackgroundThread | None = None  # the last one, which may be over

    @with_hints
    def __init__(
        self,
        params: SearchParams | None = None,
        *,
        preset: str | None = None,
        seed: Seed = None,
        backend: BackendName = "auto",
        threads: int = 1,
        evaluator: Evaluator | None = None,
        book: Book | None = None,
    ) -> None:
        if preset is not None and params is not None:
            raise TypeError("give either params or preset, not both")
        if params is not None:
            self._params = search_params(params)
        elif preset is None and evaluator is not None:
            self._params = NetworkParams() if isinstance(evaluator, PolicyValueNetwork) else PuctParams()
        else:
            self._params = SearchParams.preset("strong" if preset is None else preset)
        loaded = load(backend)
        threads = thread_count(threads, loaded)
        suitable_evaluator(evaluator, self._params, threads)
        if book is not None:
            an_instance("book", book, Book, "a Book or None")
            if not self._params.book:
                raise ValueError("book needs params with book=True, as the preset perfect has")
        self._backend = loaded.name
        self._options = backend, threads, evaluator, book  # of copies, too
        self._tree = EngineTree(loaded, self._params, threads, generator_state(seed), evaluator, book)
        self._lock = threading.Lock()
        self._reporting: int | None = None  # the thread in which on_progress is being called
        self._stop = False

    @property
    def backend(self) -> str:
        """The backend in use: "native" or "pure"."""
        return self._backend

    @property
    def params(self) -> SearchParams:
        """The parameters, which can't be changed: make another engine."""
        return self._params

    @property
    def board(self) -> Board | None:
        """A copy of the position at the root of the tree; None while there is no tree."""
        root = self._tree.board
        return None if root is None else root.copy()

    @property
    def nbytes(self) -> int:
        """Bytes of memory that tree and tables take: measured by the native backend, estimated by the pure one."""
        return self._tree.nbytes()

    @with_hints
    def search(
        self,
        board: AnyBoard,
        *,
        simulations: Simulations | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        clock: tuple[float, float] | None = None,
        columns: bool = True,
        root_moves: Iterable[SupportsIndex] | None = None,
        on_progress: Callable[[SearchResult], object] | None = None,
        interval: float = REPORT_EVERY,
    ) -> SearchResult:
        """Search a position until the first of the limits is reached (see Limits), and say what to play.

        clock: (remaining, increment), for a game: the seconds that the player has left for all its moves, and the
        seconds that it gains with each move. The search decides how much of that this move is worth (see
        https://github.com/c4mcts/c4mcts/blob/main/docs/guide/search.md) and leaves a reserve of 0.05 s; `seconds` may
        limit it further.

        columns: once the outcome is proven, the rest of the limits goes into the exact distance of the position,
        then of all its columns, and into principal variations of best play; False stops after the first, as a search
        with a clock does. Only parameters with probes have the solver that this needs.

        root_moves: the legal columns to search, by default all. There are no others in the result: its move, value,
        proof and distance are the best among these. Such a tree is not saved.

        A position in the tree of the last search, at most six plies after its root, keeps its subtree; the same
        position continues the search (neither with keep_tree=False in the parameters). on_progress is called with a
        SearchResult every `interval` seconds. An exception in it ends the search and is raised here; so does Ctrl-C,
        within 50 ms. The engine stays usable afterwards: a native tree stays complete, a pure one may be discarded.
        (Moving a tree to a new root is not interrupted; it takes 0.04 s for 4 million nodes.)

        Raises GameOverError for a finished game; ValueError without a limit in simulations if the parameters are
        GumbelParams.
        """
        if on_progress is not None:
            function("on_progress", on_progress)
        columns, reports = flag("columns", columns), Timer(None, positive_seconds("interval", interval))
        times = None if clock is None else Clock.of(clock)
        options: LimitOptions = {"simulations": simulations, "seconds": seconds, "nodes": nodes}
        limits = Limits(**options) if times is None else self._optional_limits(Engine.search, options)

        def report() -> None:
            self._reporting = threading.get_ident()
            try:
                on_progress(run.result())  # type: ignore[misc]
            finally:
                self._reporting = None

        def is_stopped() -> bool:
            reports.poll(None if on_progress is None else report)
            return self._stop

        with self.begin(board, limits, is_stopped, root_moves, times, columns) as run:
            run.finish()
            return run.result()

    def _prepare(self) -> None:
        """Begin a search, with the lock held. It raises the exception that has ended the last pondering."""
        pondering, self._pondering = self._pondering, None
        if pondering is not None:
            pondering.raise_error()
        self._stop = False

    @contextmanager
    def begin(
        self,
        board: AnyBoard,
        limits: Limits,
        is_closed: Callable[[], bool] = bool,
        root_moves: Iterable[SupportsIndex] | None = None,
        clock: Clock | None = None,
        columns: bool = True,
    ) -> Iterator[SearchRun]:
        """A search to be made step by step by the block, for callers with other work in between.

        is_closed: called about every 10 ms; true ends the search. root_moves, clock, columns: as for `search`. The
        engine is at work until the block ends. Raises GameOverError, TypeError and ValueError as `search` does.
        """
        board = unfinished(board)
        check_budget(self._params, an_instance("limits", limits, Limits, "Limits").simulations)
        with self._alone():
            self._prepare()
            run = SearchRun(self._tree, board, limits, lambda: self._stop or is_closed(), clock, columns, root_moves)
            with closing(run):
                yield run

    def analysis(
        self,
        board: AnyBoard,
        *,
        root_moves: Iterable[SupportsIndex] | None = None,
        interval: float = REPORT_EVERY,
        **limits: Unpack[LimitOptions],
    ) -> Generator[SearchResult, None, None]:
        """Watch a search while it runs: yields a SearchResult every `interval` seconds, and the final one.

            for info in engine.analysis(board):
                print(info.column, info.value)
                if info.simulations > 1_000_000:
                    break

        The search runs while the loop waits for a result. Leaving the loop, or `close()`, ends the search; so do the
        limits, if there are any, `stop()`, and a proven outcome. Exceptions in the search are raised in the loop. The
        engine keeps its tree.

        Limits, root_moves, and what is raised: as for `search`.
        """
        ends, board = self._optional_limits(Engine.analysis, limits), unfinished(board)
        columns = None if root_moves is None else legal(board, root_moves)
        return self._watched(board, ends, positive_seconds("interval", interval), columns)

    def _watched(
        self, board: Board, limits: Limits, interval: float, root_moves: list[int] | None
    ) -> Generator[SearchResult, None, None]:
        reports = Timer(interval)
        with self.begin(board, limits, root_moves=root_moves) as run:
            while run.step():
                if reports.is_over():
                    yield run.result()
                    reports = Timer(interval)
            yield run.result()

    def ponder(self, board: AnyBoard, **limits: Unpack[LimitOptions]) -> None:
        """Search a position in the background, usually while the opponent thinks; returns at once.

            engine.ponder(board)        # the opponent is to move
            board.push(answer)
            engine.search(board, seconds=1)     # starts from the subtree of that move

        The next call of any other method ends the pondering and keeps its tree; so do `stop`, the limits, if there are
        any, and a proven outcome. It also ends with the engine and with the process. An exception in it, such as one
        of the evaluator, is raised by the next search, which is not made then. Without limits the tree grows to the
        `max_nodes` of the parameters. Pondering takes a processor, and its results depend on the time it gets: the
        searches after it are not reproducible.

        Raises as `search` does; ValueError if the parameters have opponent="random", whose trees serve one player, or
        keep_tree=False.
        """
        ends = self._optional_limits(Engine.ponder, limits)
        board = unfinished(board)
        check_pondering(self._params)
        _platform.require_threads("pondering")
        with self._alone():
            thread = BackgroundThread()
            self._prepare()
            run = SearchRun(self._tree, board, ends, thread.is_closed)
            self._pondering = thread
        thread.work = partial(_ponder, self._lock, run)
        thread.start()

    def _drop_pondering(self) -> None:
        """End the pondering, and drop the exception that has ended it: its traceback refers to the tree."""
        pondering, self._pondering = self._pondering, None
        if pondering is not None:
            pondering.closed, pondering.error = True, None

    __del__ = _drop_pondering

    def stop(self) -> None:
        """End the running search soon (native: within 50 ms, unless it has more threads than there are processors).

        The search returns its result; pondering just ends. Any thread may call this. With an evaluator the current
        batch is finished first.

        Between two searches this does nothing: it has no effect on the next one.
        """
        self._stop = True
        pondering = self._pondering
        if pondering is not None:
            pondering.closed = True

    def advance(self, column: int) -> None:
        """Play a move at the root and keep its subtree, so that the next search of that position starts from it.

        Raises ValueError if nothing has been searched yet, IllegalMoveError for an illegal column.
        """
        with self._alone():
            if self._tree.board is None:
                raise ValueError("there is no tree to advance: search a position first")
            board = self._tree.board.copy()
            board.push(column)
            self._tree.advance([board.peek()])

    def forget(self) -> None:
        """Discard the tree and free its memory.

        The generator keeps its state, so the next search does not repeat the last one."""
        with self._alone():
            self._drop_pondering()
            self._tree.forget()

    def reset(self) -> None:
        """Discard the tree, free its memory, and set the generator back to the seed."""
        with self._alone():
            self._drop_pondering()
            self._tree.reset()

    def tree(self) -> npt.NDArray[np.void]:
        """A copy of all nodes, in pool order: a structured array of shape (nodes,), the root first.

        Fields: visits; value_sum, in reward units, for the player who moved into the node; children, the index of the
        first of `size` children, which lie side by side in column order; proof; column (see
        https://github.com/c4mcts/c4mcts/blob/main/docs/internals/search.md#the-node). With an evaluator also value, its
        mean in [-1, 1], and prior; value_sum then counts the evaluations in the mean. Convert a field to int before you
        calculate with it: fields are unsigned and narrow. Empty before the first search.
        """
        with self._alone():
            count = self._tree.node_count()
            return self._tree.rows(0, count).copy() if count else np.zeros(0, dtype=self._params.node_type)

    def node(self, path: Iterable[SupportsIndex] = ()) -> TreeNode:
        """The node that a path of columns leads to from the root, and its children with the scores of their selection.

        The on_progress of a search may call this, too.

        Raises ValueError before the first search, and for a path that leaves the tree; TypeError.
        """
        if self._reporting == threading.get_ident():
            return self._tree.node(path)
        with self._alone():
            return self._tree.node(path)

    def __repr__(self) -> str:
        return f"<c4mcts.Engine {self.backend}, {counted(self._tree.node_count(), 'node')}>"

    def tree_svg(self, moves: int = 60) -> str:
        """The part of the tree that the search has visited most, as a picture.

        moves: how many to draw, up to 300. A disc is a move: it has the colour of its player and the number of its
        column, from 1, and its area grows with its visits. Below it are its value for that player, or the proof,
        and its visits, where there is space.

        Raises ValueError before the first search.
        """
        from .tree_svg import tree_svg

        return tree_svg(self.node, moves)

    def _repr_svg_(self) -> str | None:
        """The top of the tree; None before the first search, and while the engine searches or ponders."""
        with suppress(RuntimeError, ValueError):
            if self._pondering is None:  # a look would end it
                return self.tree_svg()
        return None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the engine to a file: parameters, tree, generator, and the solver's table.

        An engine loaded from it continues exactly as this one would, on either backend. NumPy can read the file too,
        an .npz under any name. A file that exists is replaced when the new one is complete. OSError.
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
        book: Book | None = None,
    ) -> "Engine":
        """Load an engine from a file that `save` wrote. An evaluator and a book are not saved: pass them again.

        The structure is checked completely, so no file can crash the process; counts, bounds and proofs are believed:
        an engine from an untrusted file may be mistaken, or slow.

        Raises SaveError (a ValueError) for any other file, OSError.
        """
        where = _files.path_of("path", path)
        try:
            return cls._read(where, backend, threads, evaluator, book)
        except SaveError as error:
            raise SaveError(f"{where}: {error}") from None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy what `save` writes, the evaluator and the book."""
        with self._alone():
            return Engine._read, (io.BytesIO(self._packed()), *self._options)

    def _packed(self) -> bytes:
        return serialization.pack(*self._tree.snapshot())

    @classmethod
    def _read(
        cls, file: BinaryIO | str, backend: BackendName, threads: int, evaluator: Evaluator | None, book: Book | None
    ) -> "Engine":
        """From a file that `_packed` makes, or from its path."""
        saved = serialization.read(file)
        params = SearchParams.from_dict(saved[0]["params"])
        engine = cls(params, backend=backend, threads=threads, evaluator=evaluator, book=book)
        with serialization.damage_refused():
            engine._tree.restore(*saved)
        return engine

    def _optional_limits(self, function: Callable[..., object], limits: LimitOptions) -> Limits:
        """Limits of a search that needs none, unless it needs a number of simulations. Raises as Limits does."""
        check_keywords(function, limits, LimitOptions)
        check_budget(self._params, limits.get("simulations"))
        if all(limit is None for limit in limits.values()):
            limits = {"simulations": UNLIMITED}
        return Limits(**limits)

    def _alone(self) -> threading.Lock:
        """The lock to hold during a call, after the end of the pondering. RuntimeError if it is held."""
        pondering = self._pondering
        if pondering is not None and pondering is not threading.current_thread():
            pondering.end()
        text = "this engine is at work, in another thread or in its own callback: use one engine per thread"
        return unlocked(self._lock, text)


def _ponder(lock: threading.Lock, run: SearchRun) -> None:
    """Search, unless the engine is at work again. Nothing here refers to the engine, so that it can be collected."""
    if lock.acquire(blocking=False):
        try:
            run.finish()
        finally:
            lock.release()


def check_pondering(params: SearchParams) -> None:
    """ValueError if a later search can't use the tree of an earlier one, or not for both players."""
    if params.opponent == "random":
        raise ValueError('pondering needs opponent="minimax", not "random": such a tree serves one player only')
    if not params.keep_tree:
        raise ValueError("pondering needs keep_tree=True, not False: the next search would not use its results")
