"""TicTacToe: tic-tac-toe as a Game."""

from collections.abc import Iterable
from typing import Self, SupportsIndex

from .._validation import between, members, refused, whole_number
from ..errors import IllegalMoveError

LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)  # bit m is cell m
CELLS = range(9)


class TicTacToe:
    """Tic-tac-toe, a Game. Cells, and so moves, count from 0 in the upper left corner to 8 in the lower right.

    Player 0 moves first and is drawn x, player 1 is o.

    >>> print(TicTacToe([4, 0]))
    o 1 2
    3 x 5
    6 7 8
    """

    __slots__ = ("_marks", "_moves", "_won")

    max_moves = 9

    def __init__(self, moves: Iterable[SupportsIndex] = ()) -> None:
        """The position after these moves; raises as `play` does."""
        self._marks = [0, 0]  # sets of cells
        self._moves: list[int] = []
        self._won = False  # by the player who moved last
        for move in members("moves", moves, "cells", len(CELLS)):
            self.push(move)

    @property
    def turn(self) -> int:
        """The player to move, 0 or 1; when the game is over, the one who would be next."""
        return len(self._moves) & 1

    def copy(self) -> Self:
        """An independent copy."""
        game = type(self)()
        game._marks = self._marks.copy()
        game._moves = self._moves.copy()
        game._won = self._won
        return game

    def legal_moves(self) -> list[int]:
        """Empty cells, ascending; none when the game is over."""
        if self._won:
            return []
        marks = self._marks[0] | self._marks[1]
        return [cell for cell in CELLS if not marks >> cell & 1]

    def push(self, move: SupportsIndex) -> None:
        """Mark a cell. IllegalMoveError and TypeError leave the game unchanged."""
        cell = whole_number("move", move)
        if cell not in CELLS:
            raise IllegalMoveError(refused("move", "0 to 8", cell))
        if self.is_over():
            raise IllegalMoveError(f"cell {cell} can't be marked: the game is over")
        if cell in self._moves:
            raise IllegalMoveError(f"cell {cell} is marked already")
        player = self.turn
        self._marks[player] |= 1 << cell
        self._moves.append(cell)
        self._won = any(self._marks[player] & line == line for line in LINES)

    def is_over(self) -> bool:
        """Whether a player has three in a row or all cells are marked."""
        return self._won or len(self._moves) == len(CELLS)

    def result(self, player: int) -> int:
        """1 if the player has three in a row, -1 if the other has, otherwise 0."""
        player = between("player", player, 0, 1)
        if not self._won:
            return 0
        return -1 if player == self.turn else 1

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._moves or ''})"

    def __str__(self) -> str:
        """Three rows; empty cells show their number."""
        signs = [str(cell) for cell in CELLS]
        for i, cell in enumerate(self._moves):
            signs[cell] = "xo"[i & 1]
        return "\n".join(" ".join(signs[row : row + 3]) for row in (0, 3, 6))
