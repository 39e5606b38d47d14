"""solve, and the Solver: exact scores of positions and of their columns, by the alpha-beta search of the backends."""

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from .._backend import BackendName, load, load_solver, thread_count
from .._files import StrPath
from .._hints import with_hints
from .._layout import UNLIMITED
from .._timer import Timer
from .._validation import callback, flag, must_be, positive, positive_seconds
from ..board.arguments import AnyBoard, a_board, unfinished
from ..board.board import Board
from ..errors import CheckpointError
from ..executors.threads import unlocked
from ..rules import Rules, rules_or_default
from .book import Book, book_option
from .lines import best_line, best_reply, reaches
from .scores import Scores
from .solution import Solution, scores_of_moves

if TYPE_CHECKING:
    from .checkpoint import SolveCheckpoint

INFINITY = 1 << 12  # larger than every score
SAVE_EVERY = 60.0  # seconds from one save of a checkpoint to the next

AT_WORK = "the solver is at work; it takes one position at a time"

Columns = bool | Literal["best"]


@with_hints
def solve(
    board: AnyBoard,
    *,
    columns: Columns = True,
    book: bool | Book = True,
    max_nodes: int | None = None,
    seconds: float | None = None,
    on_progress: Callable[[int], object] | None = None,
    checkpoint: StrPath | None = None,
    threads: int = 1,
    backend: BackendName = "auto",
) -> Solution:
    """Solve a position by alpha-beta search, or look it up in a book.

    columns: True scores every column; False scores the position alone, which is faster; "best" scores the position and
    finds its best columns, which takes about half the time of True. book: True uses the book of the package, which
    holds the scores of all positions on 7 x 6 with up to 12 discs; False always searches; your own Book must be for the
    same rules (see https://github.com/c4mcts/c4mcts/blob/main/docs/guide/solving.md). max_nodes, seconds: limits, by
    default none; scores that are not known by then are None in the Solution. on_progress is called with the number of
    nodes about ten times a second, and ends the search as a limit does if it returns true. Ctrl-C, and an exception in
    on_progress, end it within 50 ms (native) and are raised here.

    checkpoint: a file, for solves that take hours. It receives the bounds so far and the table, once a minute and at
    the end, also after an exception. Another call for the same position continues from it, also after kill -9, with
    other limits or columns; nodes and seconds of the Solution count all calls, limits one. It has up to 256 MB, its
    journal as much, and writing it takes twice as much memory. The file stays at the end.

    threads: how many threads solve the position together, up to 256 (native backend only). They share one table. The
    scores are the same as with one thread. The nodes are the sum over all threads: they differ from call to call, and
    are a few percent more than with one thread.

    The result is the same on both backends, and so are the nodes of one thread. Boards of more than 128 bits,
    width * (height + 1), are always solved by the pure backend, a hundred times slower, with a RuntimeWarning. The
    native table begins with 64 kB and grows with the search to at most 256 MB.

    For many positions of a game use a Solver, for many of different games solve_many.

    Raises GameOverError for a finished game, CheckpointError and OSError for the file.
    """
    board = a_board(board)
    solver = Solver(board.rules, book=book, threads=threads, backend=backend)
    return solver.solve(
        board,
        columns=columns,
        max_nodes=max_nodes,
        seconds=seconds,
        on_progress=on_progress,
        checkpoint=checkpoint,
    )


class Solver:
    """Solves positions of one rule set, one after the other. It keeps its table, since the positions of a game share
    many continuations.

        solver = Solver()
        [solver.solve(Board.from_moves(game[:ply])).score for ply in reversed(range(len(game)))]

    rules: 7 x 6 by default. book, threads, backend: as for solve. The scores equal solve's; the nodes depend on
    the positions before. The table is not pickled. One thread may use a Solver at a time.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        book: bool | Book = True,
        threads: int = 1,
        backend: BackendName = "auto",
    ) -> None:
        self.rules = rules_or_default(rules)
        self._book, self._asked_backend = book_option(book), backend
        module = load(backend)
        self._threads = thread_count(threads, module if module.solver_for(self.rules) else load("pure"))
        self._scores = Scores(self.rules, self._book, partial(_new_solver, backend, self.rules, self._threads))
        self._lock = threading.Lock()

    @with_hints
    def solve(
        self,
        board: AnyBoard,
        *,
        columns: Columns = True,
        max_nodes: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[int], object] | None = None,
        checkpoint: StrPath | None = None,
    ) -> Solution:
        """Solve a position; see the function solve. A checkpoint that is continued replaces the table.

        Raises GameOverError for a finished game, RuntimeError if the solver is at work, in another thread or because
        on_progress calls it, CheckpointError and OSError for the file.
        """
        board, columns = self._own(board), _columns(columns)
        with unlocked(self._lock, AT_WORK), _opened(checkpoint, board) as saved:
            call = _Call(self, max_nodes, seconds, on_progress, saved)
            try:
                score, scores, best = call.scores(board, columns)
                nodes, total = call.totals()
            finally:
                call.save()
            return Solution(board, score, scores, best, nodes, total)

    def best_column(
        self,
        board: AnyBoard,
        columns: Sequence[int] | None = None,
        *,
        on_progress: Callable[[int], object] | None = None,
    ) -> int | None:
        """The first of the columns that has the score of the position, in a fraction of the time that all scores take.

        columns: legal ones, in the order in which they are tried; by default all, from the middle outwards. None if no
        column has the score, or if on_progress has ended the search. Raises as solve does.
        """
        board = self._own(board)
        with unlocked(self._lock, AT_WORK):
            call = _Call(self, None, None, on_progress)
            score = call.score(board.own, board.mask)
            return None if score is None else best_reply(board, score, call.bounds, columns)

    def reaches(self, board: AnyBoard, score: int, *, max_nodes: int | None = None) -> bool | None:
        """Whether the score of a position is at least this one: a single question, quicker than the score itself.

        None if max_nodes were reached before. Raises as solve does.
        """
        board = self._own(board)
        with unlocked(self._lock, AT_WORK):
            lower, upper = _Call(self, max_nodes, None, None).bounds(board.own, board.mask, score - 1, score)
        return True if lower >= score else False if upper < score else None

    def line(
        self,
        board: AnyBoard,
        plies: int | None = None,
        *,
        max_nodes: int | None = None,
        on_progress: Callable[[int], object] | None = None,
    ) -> list[int]:
        """The columns of best play of both sides from a position to the end of the game, or for `plies` plies.

        Shorter if max_nodes or on_progress has ended the search. Raises as solve does.
        """
        board = self._own(board)
        plies = self.rules.cells if plies is None else positive("plies", plies)
        with unlocked(self._lock, AT_WORK):
            call = _Call(self, max_nodes, None, on_progress)
            score = call.score(board.own, board.mask)
            return [] if score is None else best_line(board, score, call.bounds, plies)

    def _own(self, board: object) -> Board:
        """A copy of a board, if it is one for this solver. GameOverError, TypeError, ValueError."""
        own = unfinished(board, rules=self.rules)
        if own.rules != self.rules:
            raise ValueError(f"board has the rules {own.rules}, the solver is for {self.rules}")
        return own

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Solver, book=self._book, threads=self._threads, backend=self._asked_backend), (self.rules,)

    def __repr__(self) -> str:
        return f"<c4mcts.Solver for {self.rules}>"


class _Call:
    """One call of a solver: its limits, its reports and its checkpoint. The twin asks `poll` every few milliseconds."""

    def __init__(
        self,
        solver: Solver,
        max_nodes: int | None,
        seconds: float | None,
        on_progress: Callable[[int], object] | None,
        checkpoint: "SolveCheckpoint | None" = None,
    ) -> None:
        self._scores = solver._scores
        self._on_progress = callback("on_progress", on_progress)
        self._max_nodes = UNLIMITED if max_nodes is None else min(positive("max_nodes", max_nodes), UNLIMITED)
        self._timer = Timer(None if seconds is None else positive_seconds("seconds", seconds))
        self._is_stopped = False  # by on_progress
        self._checkpoint, self._save_timer = checkpoint, Timer(None, SAVE_EVERY)
        if checkpoint is not None and checkpoint.table.size:
            twin = self._scores.new_solver()
            if not twin.set_words(checkpoint.table):
                raise CheckpointError("the table of the checkpoint has scores or a size that no table has")
            self._scores.solver, checkpoint.table = twin, checkpoint.table[:0]
        self._start = self._scores.nodes()

    def scores(
        self, board: Board, columns: Columns
    ) -> tuple[int | None, tuple[int | None, ...] | None, tuple[int, ...]]:
        """The scores of the position and of its columns, and the best columns, as in a Solution."""
        if columns is not True:
            score = self.score(board.own, board.mask)
            if not columns:
                return score, None, ()
            reaching = {} if score is None else {c: reaches(board, c, score, self.bounds) for c in board.legal_columns}
            is_complete = None not in reaching.values()
            return score, None, tuple(column for column, is_best in reaching.items() if is_complete and is_best)
        rules = board.rules
        moves: dict[int, Any] = scores_of_moves(rules, board.own, board.mask, self.score)
        highest = None if None in moves.values() else max(moves.values())
        best = [] if highest is None else [column for column, score in moves.items() if score == highest]
        return highest, tuple(map(moves.get, range(rules.width))), tuple(best)

    def score(self, own: int, mask: int) -> int | None:
        """Score of a position for its player to move; None if a limit was reached first."""
        score = self._scores.in_book(own, mask)
        if score is not None:
            return score
        lower, upper = self.bounds(own, mask, -INFINITY, INFINITY)
        return lower if lower == upper else None

    def bounds(self, own: int, mask: int, low: int, high: int) -> tuple[int, int]:
        """Bounds of a position's score: equal, or both at least `high`, or both at most `low`, or wider at a limit."""
        if self._checkpoint is None:
            return self._within_limits(own, mask, low, high)
        lower, upper = self._checkpoint.bounds(own, mask)
        while lower < upper and lower < high and upper > low:
            alpha = min(max(0, lower, low), upper - 1, high - 1)  # the windows of a search without a checkpoint
            least, most = self._within_limits(own, mask, alpha, alpha + 1)
            lower, upper = max(lower, least), min(upper, most)
            if lower <= alpha < upper:  # a limit was reached
                break
            self._checkpoint.add(own, mask, lower, upper)
        return lower, upper

    def _within_limits(self, own: int, mask: int, low: int, high: int) -> tuple[int, int]:
        """Bounds of a position's score by the book or the solver, within the limits of the call."""
        budget = 0 if self._is_stopped else min(self._start + self._max_nodes, UNLIMITED)
        return self._scores.bounds(own, mask, low, high, budget, self.poll, self._timer.milliseconds())

    def poll(self) -> bool:
        """Report progress if a report is due; returns whether time is up, or the report has ended the search."""
        if self._checkpoint is not None:
            self._save_timer.poll(self.save)
        return self._is_stopped or self._timer.poll(self._report) or self._is_stopped

    def _report(self) -> None:
        self._is_stopped = bool(self._on_progress(self._nodes()))

    def _nodes(self) -> int:
        return self._scores.nodes() - self._start

    def totals(self) -> tuple[int, float]:
        """Nodes and seconds of this call, and of earlier ones with the same checkpoint."""
        own = self._nodes(), self._timer.elapsed
        return own if self._checkpoint is None else self._checkpoint.totals(*own)

    def save(self) -> None:
        """Write the checkpoint, if there is one. OSError."""
        if self._checkpoint is not None:
            table = b"" if self._scores.solver is None else bytes(self._scores.solver.words())
            self._checkpoint.save(table, self._nodes(), self._timer.elapsed)


def _new_solver(backend: BackendName, rules: Rules, threads: int) -> Any:
    return load_solver(backend, rules).new_solver(rules, threads)


def _opened(path: StrPath | None, board: Board) -> "AbstractContextManager[SolveCheckpoint | None]":
    """The checkpoint of a position, locked until the block ends; None without a path."""
    if path is None:
        return nullcontext()
    from .checkpoint import opened  # which needs modules that most programs don't

    return opened(path, board)


def _columns(columns: object) -> Columns:
    if isinstance(columns, str) and columns == "best":
        return "best"
    try:
        return flag("columns", columns)
    except TypeError:
        raise TypeError(must_be("columns", 'True, False or "best"', columns)) from None
