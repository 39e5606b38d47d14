"""Tic-tac-toe, the smallest Game (see games): an example, and the game of the experiments of one prior system."""

from collections.abc import Iterable
from typing import Self, SupportsIndex

from ._validation import brief, members, whole_number
from .errors import IllegalMoveError

LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


class TicTacToe:
    """Tic-tac-toe, a Game. Cells, and so moves, count from 0 in the upper left corner to 8 in the lower right.

    Player 0 moves first and is drawn x, player 1 is o.

    >>> print(TicTacToe([4, 0]))
    o 1 2
    3 x 5
    6 7 8
    """

    def __init__(self, moves: Iterable[SupportsIndex] = ()) -> None:
        """The position after these moves; raises as `push` does."""
        self.moves: list[int] = []
        self.is_won = False  # by the player who moved last
        for move in members("moves", moves, "cells", 9):
            self.push(move)

    @property
    def turn(self) -> int:
        """The player to move, 0 or 1; when the game is over, the one who would be next."""
        return len(self.moves) % 2

    def copy(self) -> Self:
        """An independent copy."""
        game = type(self)()
        game.moves, game.is_won = self.moves.copy(), self.is_won
        return game

    @property
    def legal_moves(self) -> list[int]:
        """Empty cells, ascending; none when the game is over."""
        return [] if self.is_won else [cell for cell in range(9) if cell not in self.moves]

    def push(self, move: SupportsIndex) -> None:
        """Mark a cell. IllegalMoveError and TypeError leave the game unchanged."""
        cell = whole_number("move", move)
        if cell not in self.legal_moves:
            raise IllegalMoveError(f"cell {brief(cell)} can't be marked in {self!r}")
        self.moves.append(cell)
        marked = set(self.moves[::-2])  # by the same player
        self.is_won = any(line <= marked for line in LINES)

    def is_over(self) -> bool:
        """Whether a player has three in a row or all cells are marked."""
        return self.is_won or len(self.moves) == 9

    def result(self, player: int) -> int:
        """1 if the player has three in a row, -1 if the other has, otherwise 0."""
        return 0 if not self.is_won else -1 if player == self.turn else 1

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.moves or ''})"

    def __str__(self) -> str:
        """Three rows; empty cells show their number."""
        signs = list("012345678")
        for i, cell in enumerate(self.moves):
            signs[cell] = "xo"[i % 2]
        return "\n".join(" ".join(signs[row : row + 3]) for row in (0, 3, 6))
