"""RootMoves: the legal moves of a position, and what is known of them. The rules are in `moves` of the backends."""

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, Protocol

from .. import _layout
from .._backend import Backend
from .._platform import Pause
from .._validation import UNLIMITED
from ..board.board import Board
from ..solver.book import Book
from ..solver.solution import plies_of, win_score

Proof = Literal["win", "draw", "loss"]
Bounds = tuple[int, int]  # lowest and highest possible score of a move, for the player who makes it

# What the proof field of a node says; the other codes leave the outcome open.
OUTCOMES: dict[int, Proof] = {_layout.WON: "win", _layout.DRAWN: "draw", _layout.LOST: "loss"}


class Row(NamedTuple):
    """What is known of a move: the fields of `moves.Move` in the backends."""

    column: int
    lower: int
    upper: int
    rank: int
    visits: int
    share: float
    prior: float
    weight: float
    short_win: int


class Statistics(Protocol):
    """What a search has found of a move: MoveStats."""

    @property
    def column(self) -> int: ...

    @property
    def visits(self) -> int: ...

    @property
    def value(self) -> float | None: ...

    @property
    def short_win(self) -> int | None: ...

    @property
    def weight(self) -> float | None: ...


class RootMoves:
    """The legal moves of a position, for the player to move. A search of it narrows their bounds."""

    def __init__(self, backend: Backend, board: Board, *, checks: bool = True, book: Book | None = None) -> None:
        """Bounds from the position alone: immediate wins, threats, remaining plies, and a book for its rules.

        checks: whether to look for wins and threats (see SearchParams).
        """
        self._cells, self._ply = board.rules.cells, board.ply
        self._columns = board.legal_columns
        wins, answers = (board.winning_columns(), board.threatened_columns()) if checks else ([], [])
        self._forced = wins or answers  # empty: all may be played
        self._moves: Any = backend.moves.MoveList(self._cells, self._ply, self._columns, wins, answers, checks)
        if book is not None and self._ply <= book.last_ply:
            self._narrow_by_book(book, board)

    def _narrow_by_book(self, book: Book, board: Board) -> None:
        """Narrow the bounds by what a book says of the position and of those after it."""
        best = book.score(board)
        for column, (lower, upper) in self.bounds().items():
            after = board.copy()
            after.push(column)
            reply = None if after.is_over() else book.score(after)
            if reply is not None:
                self.narrow(column, (-reply, -reply))
            elif best is not None:
                self.narrow(column, (lower, min(upper, best)))

    def rows(self) -> list[Row]:
        """All that is known of the moves, by column."""
        return [Row(*row) for row in self._moves.rows()]

    def bounds(self) -> dict[int, Bounds]:
        """The bounds of all moves."""
        return {row.column: (row.lower, row.upper) for row in self.rows()}

    def contradicts(self, column: int, bounds: Bounds) -> bool:
        """Whether no score of the column lies within these bounds too."""
        return bool(self._moves.contradicts(self._columns.index(column), *bounds))

    def narrow(self, column: int, bounds: Bounds) -> None:
        """Narrow the bounds of a column. Bounds that contradict them, which only a forged file has, replace them."""
        self._moves.narrow(self._columns.index(column), *bounds)

    def narrow_by_proof(self, column: int, proof: Proof | None, distance: int | None) -> None:
        """Narrow the bounds of a column by what a search has proven of it."""
        if proof is not None and distance is not None:
            score, most = win_score(self._cells, self._ply + distance), self._cells
            self.narrow(column, {"win": (score, most), "draw": (0, 0), "loss": (-most, -score)}[proof])

    def set_statistics(self, found: Statistics) -> None:
        """Set what several searches have found of a move."""
        share = -1.0 if found.value is None else found.value
        weight = found.visits if found.weight is None else found.weight
        self._moves.set_statistics(self._columns.index(found.column), found.visits, share, weight, found.short_win or 0)

    def read_tree(self, searcher: Any) -> None:
        """Read what a tree of the position has found and proven."""
        self._moves.read_tree(searcher)

    def proof(self) -> tuple[Proof | None, int | None]:
        """What is proven of the position, and the plies to the end of the game."""
        rows = self.rows()
        return self._proven(max(row.lower for row in rows), max(row.upper for row in rows))

    def proof_of(self, row: Row) -> tuple[Proof | None, int | None]:
        """What is proven of a move, and the plies to the end of the game."""
        return self._proven(row.lower, row.upper)

    def _proven(self, lower: int, upper: int) -> tuple[Proof | None, int | None]:
        empty = self._cells - self._ply
        if lower > 0:
            return "win", plies_of(lower, empty)
        if upper < 0:
            return "loss", plies_of(upper, empty)
        return ("draw", empty) if lower == upper else (None, None)

    def contenders(self) -> list[Row]:
        """The moves of which one may be the best: by outcome, not by distance."""
        rows = self.rows()
        best = max(_sign(row.lower) for row in rows)
        return [
            row
            for row in rows
            if (_sign(row.upper) > best or _sign(row.lower) == best >= 0)
            and (not self._forced or row.column in self._forced)
        ]

    def choose(self, settings: _layout.Settings, random_bits: int) -> int:
        """The column to play. random_bits: 64 of them, for ties and temperature."""
        chosen: int = self._moves.choose(settings, random_bits)
        return self._columns[chosen]

    def weigh(self, is_proven: bool, column: int, temperature: float) -> Sequence[float]:
        """The weights of the policy of a search that plays this column: see SearchResult.policy."""
        weights: list[float] = self._moves.weigh(is_proven, self._columns.index(column), temperature)
        return weights


def exact_value(proof: Proof, settings: _layout.Settings) -> float:
    """The value of a proven move, in [0, 1]."""
    return {"win": 1.0, "draw": settings.draw / settings.win, "loss": 0.0}[proof]


def _sign(score: int) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)


def refine(
    moves: RootMoves, board: Board, solver: Any, max_nodes: int, poll: Callable[[], object]
) -> Generator[None, None, None]:
    """Narrow bounds with the solver, in slices, until one column is known to be the best, or a limit is reached.

    board: the position of the moves. max_nodes: of the solver. poll: called every few milliseconds; returns true to
    stop.
    """
    budget = min(solver.nodes() + max_nodes, UNLIMITED)
    while (question := _next_question(moves.rows())) is not None:
        column, threshold = question
        after = board.copy()
        after.push(column)
        pause = Pause()
        ended = partial(_is_ended, poll, pause)
        lower, upper = solver.solve(after.own, after.mask, -threshold, 1 - threshold, budget, ended)
        known, answer = moves.bounds(), (-upper, -lower)
        contradiction = moves.contradicts(column, answer)
        moves.narrow(column, answer)
        if contradiction or (moves.bounds() == known and not pause.was_due):
            return  # a forged table, or a limit was reached
        yield


def _is_ended(poll: Callable[[], object], pause: Pause) -> bool:
    return bool(poll()) or pause.is_due()


def _next_question(rows: list[Row]) -> tuple[int, int] | None:
    """(column, threshold): the next solver question is whether that column scores at least the threshold.

    None if the best column is known. For a winner: a faster win than the fastest known, first in the column of that
    win. For a loser: whether the slowest loss that is still possible holds. A draw has nothing to refine.
    """
    lower, upper = max(row.lower for row in rows), max(row.upper for row in rows)
    if lower >= upper or lower == 0:
        return None
    threshold = lower + 1 if lower > 0 else upper
    able = [row for row in rows if row.upper >= threshold]
    return max(able, key=lambda row: (row.lower, row.visits)).column, threshold  # of equals the first column
