"""solve: the exact score of a position and of every column."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from .._backend import Backend, BackendName, load, thread_count
from .._timer import Timer
from .._validation import UNLIMITED, flag, function, positive, positive_seconds
from ..board.board import Board
from ..board.validation import unfinished
from ..rules import Rules, fits_word
from .book import Book, book_for
from .scores import plies_of, win_score

POLL_EVERY = {"native": 1 << 12, "pure": 1 << 8}  # at most so many nodes between two calls of `poll`: about 1 ms, 15 ms
INFINITY = 1 << 12  # larger than every score


@dataclass(frozen=True, slots=True)
class Solution:
    """The outcome of a position under perfect play of both sides, on Pascal Pons' scale.

    A game that ends with n discs on a board of c cells counts (c + 2 - n) / 2, rounded down, for the winner: so the
    score is positive if the player to move wins, larger if sooner, and 0 for a draw.
    """

    board: Board  # a copy
    score: int | None  # None if a limit ended the search before it was known
    columns: tuple[int | None, ...] | None  # by column, for the player to move; None for a full or unsolved column
    best: tuple[int, ...]  # the columns with the highest score; empty unless the scores of all columns are known
    nodes: int  # positions searched
    seconds: float

    @property
    def distance(self) -> int | None:
        """Plies to the end of the game if both sides play for the score: fast wins, late losses."""
        if self.score is None:
            return None
        empty = self.board.rules.cells - self.board.ply
        return plies_of(self.score, empty)


def solve(
    board: Board,
    *,
    columns: bool = True,
    book: bool | Book = True,
    max_nodes: int | None = None,
    seconds: float | None = None,
    on_progress: Callable[[int], object] | None = None,
    threads: int = 1,
    backend: BackendName = "auto",
) -> Solution:
    """Solve a position by alpha-beta search, or look it up in a book.

    columns: True scores every column; False scores the position alone, which is faster. book: True uses the book of the
    package, which holds the scores of all positions on 7 x 6 with up to 8 discs; False always searches; a Book of your
    own must be for the same rules (see docs/guide/solving.md). max_nodes, seconds: limits, by default none; scores that
    are not known by then are None in the Solution. on_progress is called with the number of nodes about ten times a
    second, and ends the search as a limit does if it returns true. Ctrl-C, and an exception in on_progress, end it
    within 50 ms (native) and are raised here.

    threads: how many threads solve the position together, up to 256 (native backend only). They share one table. The
    scores are those of one thread. The nodes are the sum over all threads: they differ from call to call and are, in
    total, some percent more than with one thread.

    The result is the same on both backends, and so are the nodes of one thread. Boards of more than 64 bits,
    width * (height + 1), are always solved by the pure backend. On 7 x 6 the native table takes 4 MB from ply 8 on. It
    takes at most 256 MB: with more than 38 empty cells, and on boards of 57 bits or more, whose keys are long.

    Raises GameOverError for a finished game, TypeError or ValueError naming the argument.
    """
    board, columns = unfinished(board), flag("columns", columns)
    if on_progress is not None:
        function("on_progress", on_progress)
    max_nodes = UNLIMITED if max_nodes is None else min(positive("max_nodes", max_nodes), UNLIMITED)
    if seconds is not None:
        seconds = positive_seconds("seconds", seconds)
    known = book_for(book, board.rules)
    solver_backend = _backend_for(board.rules, backend)
    threads = thread_count(threads, solver_backend)
    run = _Run(board, known, max_nodes, Timer(seconds), on_progress, threads, solver_backend)
    scores: list[int | None] = [None] * board.rules.width
    score = None
    if columns:
        for column in board.legal_columns:
            scores[column] = run.score_of(board, column)
        solved = [value for value in scores if value is not None]
        if len(solved) == len(board.legal_columns):
            score = max(solved)
    else:
        score = run.score(board)
    best = tuple(column for column, value in enumerate(scores) if columns and score is not None and value == score)
    return Solution(board, score, tuple(scores) if columns else None, best, run.nodes(), run.timer.elapsed)


class _Run:
    """One call of solve: its limits, and its solver, whose table serves all columns."""

    def __init__(
        self,
        board: Board,
        book: Book | None,
        max_nodes: int,
        timer: Timer,
        on_progress: Callable[[int], object] | None,
        threads: int,
        backend: Backend,
    ) -> None:
        self.timer = timer
        self._book = book
        self._max_nodes = max_nodes
        self._new_solver = partial(new_solver, backend, board.rules, table_bits(board.rules.cells - board.ply), threads)
        self._solver: Any = None  # made when the book does not answer: its table may be large
        self._is_stopped = False

        def report(on_progress: Callable[[int], object]) -> None:
            self._is_stopped = bool(on_progress(self.nodes()))

        self._report = None if on_progress is None else partial(report, on_progress)

    def score_of(self, board: Board, column: int) -> int | None:
        """Score of a column for the player to move."""
        after = board.copy()
        after.push(column)
        outcome = after.outcome()
        if outcome is not None:
            return 0 if outcome.winner is None else win_score(board.rules.cells, after.ply)
        score = self.score(after)
        return None if score is None else -score

    def score(self, board: Board) -> int | None:
        """Score of a position for its player to move; None if a limit was reached first."""
        known = None if self._book is None else self._book.score(board)
        if known is not None:
            return known
        if self._solver is None:
            self._solver = self._new_solver()
        lower, upper = self._solver.solve(board.own, board.mask, -INFINITY, INFINITY, self._max_nodes, self._poll)
        return int(lower) if lower == upper else None

    def nodes(self) -> int:
        """Nodes searched so far."""
        return 0 if self._solver is None else int(self._solver.nodes())

    def _poll(self) -> bool:
        """Report progress if a report is due; returns whether time is up, or the report has ended the search."""
        return self._is_stopped or self.timer.poll(self._report) or self._is_stopped


def new_solver(backend: Backend, rules: Rules, table_bits: int, threads: int = 1) -> Any:
    """A solver of a backend. table_bits: logarithm of the bytes of its table (native). threads: see solve."""
    return backend.solver.Solver(rules, table_bits, POLL_EVERY[backend.name], threads)


def _backend_for(rules: Rules, name: BackendName) -> Backend:
    """The backend of that name, or the pure one where the board is too large for the native solver."""
    backend = load(name)
    return backend if fits_word(rules) else load("pure")


def table_bits(empty: int) -> int:
    """Logarithm of the bytes of the table for so many empty cells.

    Measured: larger tables save few nodes and lose more in cache misses.
    """
    for max_empty, bits in ((24, 16), (30, 20), (34, 22), (36, 24), (38, 26)):
        if empty <= max_empty:
            return bits
    return 28
