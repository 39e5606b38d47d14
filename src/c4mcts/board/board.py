"""The class Board: a position with moves and undo, the outcome, notations and pictures.

Columns count from 0 at the left, also in the numbers below a printed board; only strings of digits and pictures count
from 1. Player 0 moves first and is drawn as x, player 1 as o.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _backend
from .._validation import between, members, refused, shown, whole_number
from ..errors import IllegalMoveError, NotationError
from ..rules import Rules, discs, sound
from . import cells, notation

bitboard = _backend.load("pure").bitboard
measure = lru_cache(maxsize=64)(bitboard.geometry_of)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. winner: 0, 1, or None for a draw.

    cells: every cell of every winning line as (column, row), row 0 = bottom, sorted; empty for a draw.
    """

    winner: int | None
    cells: tuple[tuple[int, int], ...] = ()


class Board:
    """A position and the moves that led to it from the start position; mutable. It is a Game (see games.game).

    Boards are equal if their rules and discs are equal, whatever their moves. The hash depends on the position, so a
    board that is the key of a dict must not be changed.
    """

    __slots__ = ("_geometry", "_moves", "_position", "_rules", "_start", "_won")

    _rules: Rules
    _geometry: Any
    _position: Any
    _start: tuple[int, int]  # own, mask
    _moves: list[int]  # since the start position
    _won: bool  # by the player who moved last

    def __init__(self, rules: Rules | None = None) -> None:
        """The empty board; by default 7 x 6, four in a row."""
        self._assemble(_rules_or_default(rules), (0, 0), (0, 0), [])

    def _assemble(self, rules: Rules, start: tuple[int, int], now: tuple[int, int], moves: list[int]) -> Self:
        self._rules = rules
        self._geometry = measure(rules)
        self._position = bitboard.Position()
        bitboard.load(self._position, self._geometry, *now)
        self._start = start
        self._moves = moves
        self._won = (
            self._position.ply > self._geometry.first_win and cells.lines_of(now[0] ^ now[1], self._geometry) != 0
        )
        return self

    # the position

    @property
    def rules(self) -> Rules:
        """The rules: size of the board and what wins."""
        return self._rules

    @property
    def turn(self) -> int:
        """The player to move: 0 or 1. When the game is over, the player who did not move last."""
        return self.ply & 1

    @property
    def ply(self) -> int:
        """Number of discs on the board."""
        ply: int = self._position.ply
        return ply

    @property
    def own(self) -> int:
        """Discs of the player to move as a bitboard: column c, row r is bit c * (height + 1) + r."""
        own: int = self._position.own
        return own

    @property
    def mask(self) -> int:
        """All discs as a bitboard, in the layout of `own`."""
        mask: int = self._position.mask
        return mask

    def __getitem__(self, cell: tuple[SupportsIndex, SupportsIndex]) -> int | None:
        """The player whose disc is at (column, row), row 0 = bottom; None for an empty cell. IndexError, TypeError."""
        if not isinstance(cell, tuple) or len(cell) != 2:
            raise TypeError(f"a cell is board[column, row], not board[{shown(cell)}]")
        column, row = whole_number("column", cell[0]), whole_number("row", cell[1])
        if not (0 <= column < self._rules.width and 0 <= row < self._rules.height):
            raise IndexError(f"column {shown(column)}, row {shown(row)} is not on a board of {self._rules}")
        bit = column * (self._rules.height + 1) + row
        if not self.mask >> bit & 1:
            return None
        return self.turn if self.own >> bit & 1 else 1 - self.turn

    # moves

    @property
    def moves(self) -> tuple[int, ...]:
        """Columns played since the start position, which is not always the empty board."""
        return tuple(self._moves)

    @property
    def legal_columns(self) -> list[int]:
        """Columns that can be played, ascending; none when the game is over."""
        if self._won:
            return []
        top = self.mask & self._geometry.top
        stride = self._rules.height + 1
        return [column for column in range(self._rules.width) if not top >> column * stride + stride - 2 & 1]

    def legal_moves(self) -> list[int]:
        """The same as `legal_columns`, under the name that every Game has for it."""
        return self.legal_columns

    @property
    def max_moves(self) -> int:
        """No position has more legal moves: the number of columns."""
        return self._rules.width

    def is_legal(self, column: SupportsIndex) -> bool:
        """Whether the column can be played; False off the board. TypeError if it is no integer."""
        return self._refusal(whole_number("column", column)) is None

    def _refusal(self, column: int, first: int = 0) -> str | None:
        """Why the column can't be played; None if it can. first: the number of the leftmost column in the message."""
        number = column + first
        if not 0 <= column < self._rules.width:
            return refused("column", f"{first} to {first + self._rules.width - 1}", number)
        if self.is_over():
            return f"column {number} can't be played: the game is over"
        if not bitboard.is_open(self._position, self._geometry, column):
            return f"column {number} is full"
        return None

    def push(self, column: SupportsIndex) -> None:
        """Drop a disc of the player to move. IllegalMoveError or TypeError leave the board as it was."""
        self._push(whole_number("column", column))

    def _push(self, column: int, first: int = 0) -> None:
        """Drop a disc. IllegalMoveError, in which the leftmost column has the number `first`."""
        refusal = self._refusal(column, first)
        if refusal is not None:
            raise IllegalMoveError(refusal)
        position, geometry = self._position, self._geometry
        cell = bitboard.free_cell(position, geometry, column)
        self._won = position.ply >= geometry.first_win and bitboard.completes(position, geometry, cell)
        bitboard.drop(position, geometry, cell)
        self._moves.append(column)

    def pop(self) -> int:
        """Take the last move back and return its column; IndexError at the start position."""
        column = self.peek()
        self._moves.pop()
        mask = self.mask ^ cells.top_disc(self.mask, column, self._rules)
        bitboard.load(self._position, self._geometry, self.own ^ mask, mask)
        self._won = False
        return column

    def peek(self) -> int:
        """Column of the last move; IndexError at the start position."""
        if not self._moves:
            raise IndexError("no move was played since the start position")
        return self._moves[-1]

    @property
    def last_cell(self) -> tuple[int, int] | None:
        """(column, row) of the last move's disc, row 0 = bottom; None at the start position."""
        if not self._moves:
            return None
        (cell,) = cells.places(cells.top_disc(self.mask, self._moves[-1], self._rules), self._rules)
        return cell

    def winning_columns(self) -> list[int]:
        """Columns with which the player to move wins immediately."""
        return self._completing(self._position)

    def threatened_columns(self) -> list[int]:
        """Columns with which the opponent would win immediately if they were to move."""
        opponent = bitboard.Position()
        bitboard.load(opponent, self._geometry, self.own ^ self.mask, self.mask)
        return self._completing(opponent)

    def _completing(self, position: Any) -> list[int]:
        geometry = self._geometry
        return [
            column
            for column in self.legal_columns
            if bitboard.completes(position, geometry, bitboard.free_cell(position, geometry, column))
        ]

    # the end

    def is_over(self) -> bool:
        """Whether somebody has won or the board is full."""
        return self._won or self.ply == self._rules.cells

    def outcome(self) -> Outcome | None:
        """How the game ended; None if it is not over."""
        if not self.is_over():
            return None
        if not self._won:
            return Outcome(None)
        return Outcome(1 - self.turn, cells.places(cells.lines_of(self.own ^ self.mask, self._geometry), self._rules))

    def result(self, player: int) -> int:
        """1 if the player has won, -1 if the other has, else 0."""
        player = between("player", player, 0, 1)
        if not self._won:
            return 0
        return -1 if player == self.turn else 1

    # copies and comparison

    def copy(self) -> Self:
        """An independent board with the same position and moves."""
        now = (self.own, self.mask)
        return type(self).__new__(type(self))._assemble(self._rules, self._start, now, self._moves.copy())

    def mirror(self) -> Self:
        """A new board with left and right exchanged, moves included."""
        now = (self.own, self.mask)
        start_own, start_mask, own, mask = (cells.mirrored(discs, self._rules) for discs in (*self._start, *now))
        moves = [self._rules.width - 1 - column for column in self._moves]
        return type(self).__new__(type(self))._assemble(self._rules, (start_own, start_mask), (own, mask), moves)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (self._rules, self.own, self.mask) == (other._rules, other.own, other.mask)

    def __hash__(self) -> int:
        return hash((self._rules, self.own, self.mask))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._rules, self._start, self._moves.copy())

    # notations

    @classmethod
    def from_moves(cls, moves: Iterable[SupportsIndex], rules: Rules | None = None) -> Self:
        """The board after these moves, columns from 0. Errors name the index of the move."""
        return cls._played(moves, rules, "moves[{}]")

    @classmethod
    def _played(cls, moves: Iterable[SupportsIndex], rules: Rules | None, where: str, first: int = 0) -> Self:
        """The board after these moves, columns from 0. For errors: where a move is, and the first column's number."""
        board = cls(rules)
        for index, column in enumerate(members("moves", moves, "columns", board.rules.cells)):
            try:
                board._push(whole_number("column", column), first)
            except (TypeError, ValueError) as error:
                raise type(error)(f"{where.format(index)}: {error}") from None
        return board

    def to_moves(self) -> list[int]:
        """All moves since the empty board; NotationError if the board was set up with discs on it."""
        if self._start != (0, 0):
            raise NotationError("the board was set up with discs on it, so its list of moves is not known")
        return self._moves.copy()

    @classmethod
    def from_text(cls, text: str, rules: Rules | None = None) -> Self:
        """The board after moves such as "3,3,4", columns from 0. NotationError, IllegalMoveError."""
        return cls._played(notation.read_text(text), rules, "entry {}")

    def to_text(self) -> str:
        """The moves as `from_text` reads them; NotationError if the board was set up with discs on it."""
        return ",".join(str(column) for column in self.to_moves())

    @classmethod
    def from_pons(cls, text: str, rules: Rules | None = None) -> Self:
        """The board after moves such as "4453", one digit per move, columns from 1. NotationError, IllegalMoveError."""
        moves = notation.read_pons(text, _rules_or_default(rules))
        return cls._played(moves, rules, "the character at index {}", first=1)

    def to_pons(self) -> str:
        """The moves as `from_pons` reads them; NotationError for over 9 columns, or a board set up with discs on it."""
        notation.require_pons(self._rules)
        return "".join(str(column + 1) for column in self.to_moves())

    @classmethod
    def _set_up(cls, rules: Rules, grid: notation.Grid, turn: int | None = None) -> Self:
        """The board of a grid; turn: the player to move, if the notation names one."""
        start = cells.position_of(grid, rules, measure(rules), turn)
        return cls.__new__(cls)._assemble(rules, start, start, [])

    def _grid(self) -> notation.Grid:
        players = (self.own, self.own ^ self.mask)
        return cells.grid_of(players[self.turn], players[1 - self.turn], self._rules)

    @classmethod
    def from_array(cls, array: ArrayLike, rules: Rules | None = None) -> Self:
        """The board of height x width integers, row 0 = top: 0 empty, 1 first player, 2 second. NotationError."""
        rules = _rules_or_default(rules)
        return cls._set_up(rules, notation.read_rows(array, rules))

    def to_array(self) -> NDArray[np.int8]:
        """The cells as `from_array` reads them, in a new int8 array."""
        return np.array(self._grid(), dtype=np.int8)

    @classmethod
    def from_fen(cls, fen: str, rules: Rules | None = None) -> Self:
        """The board of a line such as "7/7/7/7/7/2xo3 x 7x6x4"; `rules`, if given, must agree. NotationError."""
        found, grid, turn = notation.read_fen(fen)
        if rules is not None and _rules_or_default(rules) != found:
            raise NotationError(f"the FEN has the rules {found}, not {rules}")
        return cls._set_up(found, grid, turn)

    def to_fen(self) -> str:
        """Rows from the top (x first player, o second, numbers for empty cells), side to move, and rules."""
        return notation.write_fen(self._grid(), self._rules, self.turn)

    @classmethod
    def from_uci(cls, line: str, rules: Rules | None = None) -> Self:
        """The board of a line of the UCI Connect-4 data set: x, o, b (blank) column by column; a class may follow."""
        rules = _rules_or_default(rules)
        return cls._set_up(rules, notation.read_uci(line, rules))

    def to_uci(self) -> str:
        """The cells as `from_uci` reads them, without the class."""
        return notation.write_uci(self._grid())

    @classmethod
    def from_kaggle(cls, observation: Any, rules: Rules | None = None) -> Self:
        """The board of a Kaggle ConnectX observation, a mapping or an object with `board` and `mark`.

        board: flat, top row first, of 0, 1, 2. mark: the player to move, 1 or 2. NotationError.
        """
        rules = _rules_or_default(rules)
        return cls._set_up(rules, *notation.read_kaggle(observation, rules))

    def to_kaggle(self) -> dict[str, Any]:
        """The observation of the player to move: {"board": [...], "mark": 1 or 2}."""
        return {"board": [cell for row in self._grid() for cell in row], "mark": self.turn + 1}

    @classmethod
    def from_openspiel(cls, state: Any, rules: Rules | None = None) -> Self:
        """The board of a state of OpenSpiel's connect_four; `rules`, if given, must agree. NotationError."""
        found, grid, moves = notation.read_openspiel(state)
        if rules is not None and _rules_or_default(rules) != found:
            raise NotationError(f"the state has the rules {found}, not {rules}")
        return cls._set_up(found, grid) if moves is None else cls.from_moves(moves, found)

    def to_openspiel(self) -> Any:
        """A state of OpenSpiel's connect_four with the same position, and the same moves if all are known.

        NotationError without diagonals, which OpenSpiel's rules have. ImportError if OpenSpiel is not installed.
        """
        outcome = self.outcome()
        turn, winner = (self.turn, None) if outcome is None else (None, outcome.winner)
        moves = self._moves if self._start == (0, 0) else None
        return notation.write_openspiel(self._grid(), self._rules, turn, winner, moves)

    # pictures

    def __repr__(self) -> str:
        if self._start != (0, 0):
            return f"Board.from_fen({self.to_fen()!r})"
        rules = "" if self._rules == Rules() else repr(self._rules)
        if not self._moves:
            return f"Board({rules})"
        return f"Board.from_moves({self._moves}{rules and ', '}{rules})"

    def __str__(self) -> str:
        """Rows from the top, '.' empty, 'x' first player, 'o' second player; below them the columns, from 0."""
        from .text import board_text

        return board_text(self)

    def _repr_svg_(self) -> str:
        from ..view.svg import board_svg

        return board_svg(self)


def _rules_or_default(rules: Rules | None) -> Rules:
    return Rules() if rules is None else sound(rules)


def _restored(kind: type[Board], rules: Rules, start: tuple[int, int], moves: list[int]) -> Board:
    """A board from a pickle, which is checked like any other input, since a pickle may have been changed."""
    if not (isinstance(kind, type) and issubclass(kind, Board)):
        raise TypeError(refused("a restored board", "of a kind of Board", kind))
    rules = sound(rules)
    own, mask = discs(rules.width, rules.height, *start)
    players = (own, own ^ mask)
    turn = mask.bit_count() & 1
    board = kind._set_up(rules, cells.grid_of(players[turn], players[1 - turn], rules), turn)
    for column in moves:
        board.push(column)
    return board
