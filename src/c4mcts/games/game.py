"""What the search asks of a game: Game. TicTacToe is one; ConnectGame shows a Board as one."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Protocol, Self, SupportsIndex, TypeVar

from .._validation import between, members, refused, whole_number
from ..board.board import Board
from ..board.validation import a_board
from ..errors import IllegalMoveError

Move = TypeVar("Move", bound=Hashable)

LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)  # of tic-tac-toe: bit m is cell m
CELLS = range(9)


class Game(Protocol[Move]):
    """A position in a game of two players, 0 and 1, who take turns, without chance and with nothing hidden.

    Any object with these five methods and the attribute `turn` is one; there is nothing to inherit. A player who may
    have to pass needs a move for that.

    A game may also have the attribute `max_moves`, an int: no position of it has more legal moves. It only saves time.
    """

    @property
    def turn(self) -> int:
        """The player to move, 0 or 1: it changes with every move. When the game is over, it does not matter."""

    def clone(self) -> Self:
        """An independent copy: what is played on one changes nothing in the other."""

    def legal_moves(self) -> Sequence[Move]:
        """The moves that `turn` has, in an order that depends on nothing but the position; for unfinished games.

        At least one, none of them twice; a move is whatever can be a key of a dictionary: a number, a string, a tuple.
        """

    def play(self, move: Move) -> None:
        """Play one of the legal moves."""

    def is_over(self) -> bool:
        """Whether the game has ended."""

    def result(self, player: int) -> int:
        """How a finished game ended for a player: 1 if they have won, -1 if the other has, 0 for a draw.

        What a win, a draw and a loss are worth is SearchParams.rewards.
        """


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
            self.play(move)

    @property
    def turn(self) -> int:
        """The player to move, 0 or 1; when the game is over, the one who would be next."""
        return len(self._moves) & 1

    def clone(self) -> Self:
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

    def play(self, move: SupportsIndex) -> None:
        """Mark a cell. IllegalMoveError or TypeError leave the game as it was."""
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
        """Whether somebody has three in a row or all cells are marked."""
        return self._won or len(self._moves) == len(CELLS)

    def result(self, player: int) -> int:
        """1 if the player has three in a row, -1 if the other has, else 0."""
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


class ConnectGame:
    """A connect-k Board, shown as a Game. Moves are columns.

    For comparison: from one seed, with parameters that both know, GameSearch grows the tree on it that Engine grows on
    the board, only much slower.
    """

    __slots__ = ("board",)

    def __init__(self, board: Board) -> None:
        """board: kept, not copied."""
        self.board = a_board(board)

    @property
    def max_moves(self) -> int:
        """The width of the board."""
        return self.board.rules.width

    @property
    def turn(self) -> int:
        """The player to move, 0 or 1."""
        return self.board.turn

    def clone(self) -> Self:
        """An independent copy."""
        return type(self)(self.board.copy())

    def legal_moves(self) -> list[int]:
        """Open columns, ascending."""
        return self.board.legal_columns

    def play(self, move: SupportsIndex) -> None:
        """Drop a disc; raises as Board.push does."""
        self.board.push(move)

    def is_over(self) -> bool:
        """Whether somebody has won or the board is full."""
        return self.board.is_over()

    def result(self, player: int) -> int:
        """1 if the player has won, -1 if the other has, 0 for a draw and while the game goes on."""
        player, outcome = between("player", player, 0, 1), self.board.outcome()
        if outcome is None or outcome.winner is None:
            return 0
        return 1 if player == outcome.winner else -1

    def __repr__(self) -> str:
        return f"ConnectGame({self.board!r})"

    def __str__(self) -> str:
        return str(self.board)
