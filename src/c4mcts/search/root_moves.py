"""MoveStats: a move, its statistics and bounds. RootMoves: the moves of a position, by the rules in a `moves` module.

Bounds of a move are scores on Pascal Pons' scale (see Solution) for the player who makes it: above 0 it wins, the
higher the sooner; below 0 it loses.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from .. import _layout
from .._backend import Backend
from ..board.board import Board
from ..solver.book import Book
from ..solver.solution import scores_of_moves
from ..solver.verdict import Judged, Proof, Verdict, sign

Bounds = tuple[int, int]  # lowest and highest possible score of a move
_JUDGED = ("column", "visits", "value", "prior", "proof", "distance", "bound")
JSON_KEYS = (*_JUDGED, "lower", "upper", "pv", "short_win", "weight")  # of a move


class _Statistics(NamedTuple):
    column: int
    visits: int
    value: float | None  # mean reward in [0, 1], or the exact value if the move is proven; None without either
    prior: float | None  # None where no evaluator gave one
    lower: int  # lowest and highest possible score, on Pons' scale
    upper: int
    empty: int  # cells before the move
    pv: tuple[int, ...] = ()  # principal variation: this column and the best replies; see SearchResult
    ucb: float | None = None  # in a TreeNode: what the next selection compares; None where it compares nothing
    short_win: int | None = None  # plies to the soonest win in a simulation; counted for choice="ucb_short_win"
    weight: float | None = None  # in the policy; None: its visits. See SearchResult.policy


class MoveStats(_Statistics, Judged):
    """Statistics and bounds of a legal move, for the player who makes it. Distances count from before the move."""

    __slots__ = ()

    @property
    def verdict(self) -> Verdict:
        """The proven bounds of the move."""
        return Verdict(self.lower, self.upper, self.empty)

    def to_dict(self) -> dict[str, Any]:
        """Numbers, strings, lists and None, ready for JSON; without `ucb`."""
        return {name: getattr(self, name) for name in JSON_KEYS} | {"pv": list(self.pv)}

    def __repr__(self) -> str:
        fields = {name: value for name, value in self.to_dict().items() if value is not None}
        return f"MoveStats({', '.join(f'{name}={value!r}' for name, value in fields.items())})"


class RootMoves:
    """The legal moves of a position, for the player to move. A search of it narrows their bounds."""

    def __init__(
        self,
        backend: Backend,
        board: Board,
        *,
        checks: bool = True,
        book: Book | None = None,
        only: Sequence[int] | None = None,
    ) -> None:
        """Bounds from the position alone: immediate wins, threats, remaining plies, and a book for its rules.

        checks: whether to look for wins and threats (see SearchParams). only: the legal columns that count as moves.
        """
        self.empty = board.rules.cells - board.ply
        self._columns = board.legal_columns if only is None else list(only)
        wins, answers = (board.winning_columns(), board.threatened_columns()) if checks else ([], [])
        # empty: all may be played
        self._forced = [column for column in wins or answers if column in self._columns]
        self._moves: Any = backend.moves.MoveList(board.rules.cells, board.ply, self._columns, wins, answers, checks)
        if book is not None:
            self.narrow_by_book(book, board)

    def narrow_by_book(self, book: Book, board: Board) -> None:
        """Narrow the bounds by what a book says of the position and of those after it."""
        if board.ply > book.last_ply:
            return
        best = book.find(board.own, board.mask)
        scores = scores_of_moves(board.rules, board.own, board.mask, book.find)
        for column, (lower, upper) in self.bounds().items():
            if (score := scores[column]) is not None:
                self.narrow(column, (score, score))
            elif best is not None:
                self.narrow(column, (lower, min(upper, best)))

    def moves(
        self, line: Callable[[int, int, int], tuple[int, ...]] | None = None, *, has_weights: bool = False
    ) -> tuple[MoveStats, ...]:
        """Statistics and bounds of the moves, by column.

        line: returns the principal variation of a column with these bounds; by default just the column. has_weights:
        whether the weights in the policy are other numbers than the visits.
        """
        return tuple(
            [
                MoveStats(
                    column,
                    visits,
                    None if value < 0 else value,
                    None if prior < 0 else prior,
                    lower,
                    upper,
                    self.empty,
                    (column,) if line is None else line(column, lower, upper),
                    None,
                    short_win or None,
                    weight if has_weights else None,
                )
                for column, visits, value, prior, lower, upper, short_win, weight in self._moves.rows()
            ]
        )

    def bounds(self) -> dict[int, Bounds]:
        return {column: (lower, upper) for column, _, _, _, lower, upper, _, _ in self._moves.rows()}

    def narrow(self, column: int, bounds: Bounds) -> None:
        self._moves.narrow(self._columns.index(column), *bounds)

    def set_statistics(self, move: MoveStats) -> None:
        """Set what several searches have found of a move."""
        value = -1.0 if move.value is None else move.value
        weight = move.visits if move.weight is None else move.weight
        self._moves.set_statistics(self._columns.index(move.column), move.visits, value, weight, move.short_win or 0)

    def read_tree(self, searcher: Any) -> None:
        """Narrow the bounds by what the tree of the position proves, and read its statistics."""
        self._moves.read_tree(searcher)

    def contenders(self) -> list[MoveStats]:
        """The moves of which one may be the best: by outcome, not by distance."""
        moves = self.moves()
        best = max(sign(move.lower) for move in moves)
        return [
            move
            for move in moves
            if (sign(move.upper) > best or sign(move.lower) == best >= 0)
            and (not self._forced or move.column in self._forced)
        ]

    def choose(self, settings: _layout.Settings, random_bits: int) -> int:
        """The index of the move to play. random_bits: 64 of them, for ties and temperature."""
        return int(self._moves.choose(settings, random_bits))


def position_verdict(moves: Sequence[MoveStats]) -> Verdict:
    """The verdict on a position that follows from all its legal moves."""
    lower, upper = max(map(attrgetter("lower"), moves)), max(map(attrgetter("upper"), moves))
    return Verdict(lower, upper, moves[0].empty)


def exact_value(proof: Proof, settings: _layout.Settings) -> float:
    """The value of a proven move, in [0, 1]."""
    return {"win": 1.0, "draw": settings.draw / settings.win, "loss": 0.0}[proof]


def best_first(moves: Iterable[MoveStats], chosen: int | None = None) -> list[MoveStats]:
    """The moves in the order in which they are shown: the chosen one, then by proofs, then by visits.

    Of equal proofs exact ones come first.
    """
    return sorted(
        moves,
        key=lambda move: (move.column == chosen, move.verdict.order, move.visits),
        reverse=True,
    )
