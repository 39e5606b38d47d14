"""solve(board): the exact score of a position and of every column."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .._backend import Backend, BackendName, load
from .._validation import flag, function, positive
from ..board.board import Board
from ..board.validation import unfinished
from ..rules import Rules
from ..search.limits import UNLIMITED, Limits
from .scores import plies_of, win_score

REPORT_EVERY = 0.1  # seconds between two calls of on_progress
STRIDE = {"native": 1 << 12, "pure": 1 << 8}  # most nodes between two looks at the clock: about 1 ms, 15 ms
FAR = 1 << 12  # beyond every score


@dataclass(frozen=True, slots=True)
class Solution:
    """The outcome of a position under perfect play of both sides, on Pascal Pons' scale.

    A game that ends with n discs on a board of c cells counts (c + 2 - n) / 2, rounded down, for the winner: so the
    score is positive if the player to move wins, larger if sooner, and 0 for a draw.
    """

    board: Board  # a copy
    score: int | None  # None if a limit ended the search before it was known
    columns: tuple[int | None, ...] | None  # by column, for the player to move; None for a full or unsolved one
    best: tuple[int, ...]  # the columns with the highest score, if all were asked for and are known
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
    max_nodes: int | None = None,
    seconds: float | None = None,
    on_progress: Callable[[int], object] | None = None,
    backend: BackendName = "auto",
) -> Solution:
    """Solve a position by alpha-beta search, without a book.

    columns: score every column; else the position alone, which is faster. max_nodes, seconds: limits, by default none;
    what is not known by then is None in the Solution. on_progress is called with the number of nodes about ten times a
    second. Ctrl-C, and what on_progress raises, end it within 50 ms (native).

    The result and its nodes are the same on both backends. Boards of more than 64 bits, width * (height + 1), are
    always solved by the pure one. The native table takes 4 MB from ply 8 on, and 256 MB at most, with over 38 empty
    cells (and on boards of 57 bits or more, whose keys are long).

    Raises GameOverError for a finished game, TypeError or ValueError naming the argument.
    """
    board, columns = unfinished(board), flag("columns", columns)
    if on_progress is not None:
        function("on_progress", on_progress)
    limits = _limits(max_nodes, seconds)
    run = _Run(board.rules, board.rules.cells - board.ply, limits, on_progress, _engine(backend, board.rules))
    scores: list[int | None] = [None] * board.rules.width
    score = None
    if columns:
        for column in board.legal_columns:
            scores[column] = run.score_of(board, column)
        known = [value for value in scores if value is not None]
        if len(known) == len(board.legal_columns):
            score = max(known)
    else:
        score = run.score(board)
    best = tuple(column for column, value in enumerate(scores) if columns and score is not None and value == score)
    return Solution(board, score, tuple(scores) if columns else None, best, run.nodes(), run.seconds())


class _Run:
    """One call of solve: its solver, which remembers from column to column, and its limits."""

    def __init__(
        self,
        rules: Rules,
        empty: int,
        limits: Limits,
        on_progress: Callable[[int], object] | None,
        engine: Backend,
    ) -> None:
        self._start = self._reported = time.monotonic()
        self._deadline = None if limits.seconds is None else self._start + limits.seconds
        self._budget = limits.nodes or UNLIMITED
        self._on_progress = on_progress
        self._solver = new_solver(engine, rules, _size_bits(empty))

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
        """Score of a position for its player to move; None if a limit came first."""
        lower, upper = self._solver.solve(board.own, board.mask, -FAR, FAR, self._budget, self._poll)
        return int(lower) if lower == upper else None

    def nodes(self) -> int:
        """Nodes searched so far."""
        return int(self._solver.nodes())

    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start

    def _poll(self) -> bool:
        """Whether time is up; tells of the progress."""
        now = time.monotonic()
        if self._on_progress is not None and now - self._reported >= REPORT_EVERY:
            self._reported = now
            self._on_progress(self.nodes())
        return self._deadline is not None and now >= self._deadline


def new_solver(engine: Backend, rules: Rules, size_bits: int) -> Any:
    """A solver of an engine, with a table of about 2**size_bits bytes in the native one."""
    return engine.solver.Solver(rules, size_bits, STRIDE[engine.name])


def fits_word(rules: Rules) -> bool:
    """Whether the board fits a word of 64 bits, which the native solver needs."""
    return rules.width * (rules.height + 1) <= 64


def _limits(max_nodes: int | None, seconds: float | None) -> Limits:
    """The limits, checked; none at all is allowed here."""
    return Limits(nodes=UNLIMITED if max_nodes is None else positive("max_nodes", max_nodes), seconds=seconds)


def _engine(backend: BackendName, rules: Rules) -> Backend:
    """The engine asked for, or the pure one where the board is too large for native words."""
    engine = load(backend)
    return engine if fits_word(rules) else load("pure")


def _size_bits(empty: int) -> int:
    """Logarithm of the bytes of the table. Measured: larger ones save few nodes, and lose more to the cache."""
    for most, bits in ((24, 16), (30, 20), (34, 22), (36, 24), (38, 26)):
        if empty <= most:
            return bits
    return 28
