"""MoveStats: a move, and what is known of it. RootMoves: all moves of a position, by the rules in `moves` of a backend.

Bounds of a move are scores on Pascal Pons' scale (see Solution) for the player who makes it: above 0 it wins, the
higher the sooner; below 0 it loses.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from .. import _layout
from .._backend import Backend
from ..board.board import Board
from ..solver.book import Book
from ..solver.solution import plies_of, scores_of_moves, sign

Proof = Literal["win", "draw", "loss"]
Bound = Literal["exact", "at most"]  # what a distance is: a search proves a win or a loss within some number of plies
Bounds = tuple[int, int]  # lowest and highest possible score of a move
Proven = tuple[Proof | None, int | None, Bound | None]  # outcome, plies to the end, and whether these are exact


def proven(lower: int, upper: int, empty: int) -> Proven:
    """What bounds of a score prove, for the player to move. empty: cells of the position.

    The winner can end the game within the plies of the worse bound.
    """
    bound: Bound = "exact" if lower == upper else "at most"
    if lower > 0:
        return "win", plies_of(lower, empty), bound
    if upper < 0:
        return "loss", plies_of(upper, empty), bound
    return ("draw", empty, bound) if lower == upper else (None, None, None)


_JUDGED = ("column", "visits", "value", "prior", "proof", "distance", "bound")
JSON_KEYS = (*_JUDGED, "lower", "upper", "pv", "short_win", "weight")  # of a move


class MoveStats(NamedTuple):
    """What a search knows of a legal move, for the player who makes it."""

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

    @property
    def proof(self) -> Proof | None:
        """The proven outcome of the move: "win", "draw" or "loss"."""
        return proven(self.lower, self.upper, self.empty)[0]

    @property
    def distance(self) -> int | None:
        """If proven, the plies from the position before the move to the end of the game: see bound."""
        return proven(self.lower, self.upper, self.empty)[1]

    @property
    def bound(self) -> Bound | None:
        """Whether the distance is "exact", or "at most" that, since the winner may be faster; None without proof."""
        return proven(self.lower, self.upper, self.empty)[2]

    @property
    def proven_score(self) -> int:
        """The score of a proven win or loss, 0 for all others: the higher, the better."""
        return self.lower if self.lower > 0 else min(self.upper, 0)

    def to_dict(self) -> dict[str, Any]:
        """Numbers, strings, lists and None, ready for JSON; without `ucb`."""
        return {name: getattr(self, name) for name in JSON_KEYS} | {"pv": list(self.pv)}

    def __repr__(self) -> str:
        shown = {name: value for name, value in self.to_dict().items() if value is not None}
        return f"MoveStats({', '.join(f'{name}={value!r}' for name, value in shown.items())})"


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
        """What is known of the moves, by column.

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

    def set_statistics(self, found: MoveStats) -> None:
        """Set what several searches have found of a move."""
        value = -1.0 if found.value is None else found.value
        weight = found.visits if found.weight is None else found.weight
        self._moves.set_statistics(self._columns.index(found.column), found.visits, value, weight, found.short_win or 0)

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


def proven_position(moves: Iterable[MoveStats]) -> Proven:
    """What is proven of a position, for the player to move, by what is known of all its legal moves."""
    moves = list(moves)
    lower, upper = max(map(attrgetter("lower"), moves)), max(map(attrgetter("upper"), moves))
    return proven(lower, upper, moves[0].empty)


def exact_value(proof: Proof, settings: _layout.Settings) -> float:
    """The value of a proven move, in [0, 1]."""
    return {"win": 1.0, "draw": settings.draw / settings.win, "loss": 0.0}[proof]


def best_first(moves: Iterable[MoveStats], chosen: int | None = None) -> list[MoveStats]:
    """The moves in the order in which they are shown: the chosen one, then by what is proven, then by visits.

    Of equal proofs exact ones come first.
    """
    return sorted(
        moves,
        key=lambda move: (move.column == chosen, move.proven_score, move.lower == move.upper, move.visits),
        reverse=True,
    )


# What is said of moves and positions, by everything that shows results: what is proven, or else the value.

AT_MOST = "<="  # of a distance; "≤" where every character can be shown
Known = Any  # what is known of a move or a position, for the player to move: MoveStats, SearchResult or TreeNode


def proof_text(known: Known, at_most: str = AT_MOST) -> str:
    """ "win in 3", "loss in <= 36", "draw", or nothing."""
    proof: Proof | None = known.proof
    if proof is None or proof == "draw":
        return proof or ""
    return f"{proof} in {known.distance if known.bound == 'exact' else f'{at_most} {known.distance}'}"


def verdict(known: Known, at_most: str = AT_MOST) -> str:
    """What is proven, in words; otherwise the search's value: "value 0.532"."""
    if known.proof is not None:
        return proof_text(known, at_most)
    return "value unknown" if known.value is None else f"value {known.value:.3f}"
