"""RootBounds: what is certain of the scores of a position's columns."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..board.board import Board
from ..solver.book import Book
from ..solver.solution import plies_of, win_score
from .move_order import Proof

Bounds = tuple[int, int]  # lowest and highest possible score of a move, for the player who makes it


@dataclass(frozen=True, slots=True)
class RootBounds:
    """Bounds of the scores of all legal columns, for the player to move. A value: changes make a new one."""

    cells: int  # of the board
    ply: int
    forced: tuple[int, ...]  # the winning columns, else those that stop an immediate threat; empty: all may be played
    columns: Mapping[int, Bounds]

    @classmethod
    def of(cls, board: Board, book: Book | None = None, checks: bool = True) -> "RootBounds":
        """Bounds from the position alone: immediate wins, threats, remaining plies, and a book for its rules.

        checks: whether to look for wins and threats (see SearchParams).
        """
        cells, ply = board.rules.cells, board.ply
        if not checks:
            loose = -win_score(cells, ply + 2), win_score(cells, ply + 1)
            bounds = cls(cells, ply, (), dict.fromkeys(board.legal_columns, loose))
            return bounds if book is None or ply > book.last_ply else bounds._narrowed_by(book, board)
        wins = board.winning_columns()
        columns = {}
        for column in board.legal_columns:
            if column in wins:
                columns[column] = win_score(cells, ply + 1), win_score(cells, ply + 1)
            elif ply + 1 == cells:
                columns[column] = 0, 0
            else:
                # at worst the opponent wins with the next disc, at best this player with the one after
                columns[column] = -win_score(cells, ply + 2), win_score(cells, ply + 3)
        bounds = cls(cells, ply, tuple(wins or board.threatened_columns()), columns)
        return bounds if book is None or ply > book.last_ply else bounds._narrowed_by(book, board)

    def _narrowed_by(self, book: Book, board: Board) -> "RootBounds":
        """A copy with what a book says of the position and of those after it."""
        bounds = self
        best = book.score(board)
        for column, (lower, upper) in self.columns.items():
            after = board.copy()
            after.push(column)
            reply = None if after.is_over() else book.score(after)
            if reply is not None:
                bounds = bounds.narrowed(column, (-reply, -reply))
            elif best is not None:
                bounds = bounds.narrowed(column, (lower, min(upper, best)))
        return bounds

    def contradicts(self, column: int, bounds: Bounds) -> bool:
        """Whether no score of the column lies within these bounds too."""
        lower, upper = self.columns[column]
        return max(lower, bounds[0]) > min(upper, bounds[1])

    def narrowed(self, column: int, bounds: Bounds) -> "RootBounds":
        """These bounds with those of a column, which has both.

        Bounds that contradict the old ones, which happens only in a forged file, replace them.
        """
        if not self.contradicts(column, bounds):
            lower, upper = self.columns[column]
            bounds = max(lower, bounds[0]), min(upper, bounds[1])
        if bounds == self.columns[column]:
            return self
        return replace(self, columns={**self.columns, column: bounds})

    def with_proof(self, column: int, proof: Proof | None, distance: int | None) -> "RootBounds":
        """A copy narrowed by a proof of this column from another tree."""
        if proof is None or distance is None:
            return self
        score = win_score(self.cells, self.ply + distance)
        lower, upper = self.columns[column]
        return self.narrowed(column, {"win": (score, upper), "draw": (0, 0), "loss": (lower, -score)}[proof])

    def contenders(self) -> list[int]:
        """The columns of which one may be the best: by outcome, not by distance."""
        best = max(_sign(lower) for lower, _ in self.columns.values())
        return [
            column
            for column, (lower, upper) in self.columns.items()
            if (_sign(upper) > best or _sign(lower) == best >= 0) and (not self.forced or column in self.forced)
        ]

    def proof(self, column: int | None = None) -> tuple[Proof | None, int | None]:
        """What is proven of a column, or of the position, and the plies to the end of the game."""
        bounds = list(self.columns.values()) if column is None else [self.columns[column]]
        lower, upper = max(low for low, _ in bounds), max(high for _, high in bounds)
        empty = self.cells - self.ply
        if lower > 0:
            return "win", plies_of(lower, empty)
        if upper < 0:
            return "loss", plies_of(upper, empty)
        return ("draw", empty) if lower == upper else (None, None)


def _sign(score: int) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)
