"""RootMoves: the legal moves of a position, and what is known of them. The rules are in `moves` of the backends."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from .. import _layout
from .._backend import Backend
from ..board.board import Board
from ..solver.book import Book
from ..solver.solution import plies_of, sign, win_score

Proof = Literal["win", "draw", "loss"]
Bound = Literal["exact", "at most"]  # what a distance is: a search proves a win or a loss within some number of plies
Bounds = tuple[int, int]  # lowest and highest possible score of a move, for the player who makes it

# What the proof field of a node says; the other codes leave the outcome open.
OUTCOMES: dict[int, Proof] = {_layout.WON: "win", _layout.DRAWN: "draw", _layout.LOST: "loss"}


REVERSED: dict[Proof, Proof] = {"win": "loss", "draw": "draw", "loss": "win"}


class Proven(NamedTuple):
    """What is proven of a position or a move, for the player to move; all None if that is nothing."""

    proof: Proof | None
    distance: int | None  # plies to the end of the game, exact or at most
    bound: Bound | None  # which of the two; None without a distance

    def reversed(self) -> "Proven":
        """The same for the other player."""
        return self._replace(proof=None if self.proof is None else REVERSED[self.proof])


NOTHING = Proven(None, None, None)


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


@dataclass(frozen=True, slots=True)
class MoveStats:
    """Statistics of one legal column of the root, for the player to move there."""

    column: int
    visits: int
    value: float | None  # mean reward in [0, 1]; None without visits
    prior: float | None  # None where no evaluator gave one
    proof: Proof | None
    distance: int | None  # if proven, the plies from the root to the end of the game: see bound
    bound: Bound | None  # whether the distance is exact: with "at most" the winner may be faster; None without proof
    pv: tuple[int, ...]  # principal variation: this column and the best replies; see SearchResult
    short_win: int | None = None  # plies to the soonest win in a simulation; counted for choice="ucb_short_win"
    weight: float | None = None  # in the policy; None: its visits. See SearchResult.policy


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
        if book is not None:
            self.narrow_by_book(book, board)

    def narrow_by_book(self, book: Book, board: Board) -> None:
        """Narrow the bounds by what a book says of the position and of those after it."""
        if self._ply > book.last_ply:
            return
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
        return {row.column: (row.lower, row.upper) for row in self.rows()}

    def contradicts(self, column: int, bounds: Bounds) -> bool:
        """Whether no score of the column lies within these bounds too."""
        return bool(self._moves.contradicts(self._columns.index(column), *bounds))

    def narrow(self, column: int, bounds: Bounds) -> None:
        """Narrow the bounds of a column. Bounds that contradict them, which only a forged file has, replace them."""
        self._moves.narrow(self._columns.index(column), *bounds)

    def narrow_by_proof(self, column: int, proven: Proven) -> None:
        """Narrow the bounds of a column by what a search has proven of it."""
        if proven.proof is not None and proven.distance is not None:
            score = win_score(self._cells, self._ply + proven.distance)
            most = score if proven.bound == "exact" else self._cells
            self.narrow(column, {"win": (score, most), "draw": (0, 0), "loss": (-most, -score)}[proven.proof])

    def set_statistics(self, found: MoveStats) -> None:
        """Set what several searches have found of a move."""
        share = -1.0 if found.value is None else found.value
        weight = found.visits if found.weight is None else found.weight
        self._moves.set_statistics(self._columns.index(found.column), found.visits, share, weight, found.short_win or 0)

    def read_tree(self, searcher: Any) -> None:
        self._moves.read_tree(searcher)

    def proof(self) -> Proven:
        rows = self.rows()
        return self._proven(max(row.lower for row in rows), max(row.upper for row in rows))

    def proof_of(self, row: Row) -> Proven:
        return self._proven(row.lower, row.upper)

    def _proven(self, lower: int, upper: int) -> Proven:
        """What follows from bounds of a score. The winner can end the game within the plies of the worse one."""
        empty = self._cells - self._ply
        bound: Bound = "exact" if lower == upper else "at most"
        if lower > 0:
            return Proven("win", plies_of(lower, empty), bound)
        if upper < 0:
            return Proven("loss", plies_of(upper, empty), bound)
        return Proven("draw", empty, bound) if lower == upper else NOTHING

    def contenders(self) -> list[Row]:
        """The moves of which one may be the best: by outcome, not by distance."""
        rows = self.rows()
        best = max(sign(row.lower) for row in rows)
        return [
            row
            for row in rows
            if (sign(row.upper) > best or sign(row.lower) == best >= 0)
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


def best_first(rows: Sequence[Row], chosen: int | None = None) -> list[Row]:
    """The moves in the order in which they are shown: the chosen one, then by what is proven, then by visits.

    Of equal proofs exact ones come first.
    """
    return sorted(
        rows,
        key=lambda row: (row.column == chosen, row.rank, row.lower == row.upper, row.visits),
        reverse=True,
    )
