"""The class Board: a position with moves and undo, the outcome, notations and pictures.

Columns count from 0 at the left, also in the numbers below a printed board; only strings of digits and pictures count
from 1. Player 0 moves first and is drawn as x, player 1 as o.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Literal, Self, SupportsIndex, Unpack, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _backend
from .._hints import ExplainsNames
from .._validation import between, brief, members, must_be, whole_number, word
from ..errors import IllegalMoveError, NotationError
from ..rules import Outcome, RuleOptions, Rules, rules_or_default
from . import cells, notation

lines = _backend.load("pure").cells  # a position is two integers; only for its lines there is a module
measure = lru_cache(maxsize=64)(lines.geometry_of)


class Board(ExplainsNames):
    """A position and the moves that led to it from the start position; mutable. It is a Game (see games).

    Facts that the board keeps are attributes, such as `turn` and `legal_moves`; a look at its lines, or a change, is a
    method, such as `outcome()` and `winning_columns()`.

    Boards are equal if their rules and discs are equal, even if their moves differ. The hash depends on the position,
    so don't change a board that is the key of a dict.
    """

    __slots__ = ("_geometry", "_mask", "_moves", "_own", "_rules", "_start", "_won")

    _rules: Rules
    _geometry: Any
    _own: int  # discs of the player to move; the layout is described by the property
    _mask: int  # all discs
    _start: tuple[int, int]  # own, mask
    _moves: list[int]  # since the start position
    _won: bool  # by the player who moved last

    def __init__(self, rules: Rules | None = None, **fields: Unpack[RuleOptions]) -> None:
        """The empty board; by default 7 x 6, four in a row. fields: of the rules, as in Board(width=9, height=7)."""
        if fields:
            if rules is not None:
                raise TypeError(f"give either rules or {', '.join(fields)}, not both")
            rules = Rules(**fields)
        self._assemble(rules_or_default(rules), (0, 0), (0, 0), [])

    def _assemble(self, rules: Rules, start: tuple[int, int], now: tuple[int, int], moves: list[int]) -> Self:
        self._rules = rules
        self._geometry = measure(rules)
        self._own, self._mask = now
        self._start = start
        self._moves = moves
        self._won = self.ply > self._geometry.first_win and lines.has_line(self._own ^ self._mask, self._geometry)
        return self

    # the position

    @property
    def rules(self) -> Rules:
        """The rules: size of the board, winning length, diagonals."""
        return self._rules

    @property
    def turn(self) -> int:
        """The player to move: 0 or 1. When the game is over, the player who did not move last."""
        return self.ply & 1

    @property
    def ply(self) -> int:
        """Number of discs on the board."""
        return self._mask.bit_count()

    @property
    def own(self) -> int:
        """Discs of the player to move as a bitboard: column c, row r is bit c * (height + 1) + r."""
        return self._own

    @property
    def mask(self) -> int:
        """All discs as a bitboard, in the layout of `own`."""
        return self._mask

    __iter__ = None  # a board is no sequence, as Python takes it to be for what follows

    def __getitem__(self, cell: tuple[SupportsIndex, SupportsIndex]) -> int | None:
        """The player whose disc is at (column, row), row 0 = bottom; None for an empty cell. IndexError, TypeError."""
        if not isinstance(cell, tuple) or len(cell) != 2:
            raise TypeError(f"a cell is board[column, row], not board[{brief(cell)}]")
        column, row = whole_number("column", cell[0]), whole_number("row", cell[1])
        if not (0 <= column < self._rules.width and 0 <= row < self._rules.height):
            raise IndexError(f"column {brief(column)}, row {brief(row)} is not on a board of {self._rules}")
        bit = column * (self._rules.height + 1) + row
        if not self._mask >> bit & 1:
            return None
        return self.turn if self._own >> bit & 1 else 1 - self.turn

    # moves

    @property
    def moves(self) -> tuple[int, ...]:
        """Columns played since the start position, which is not always the empty board."""
        return tuple(self._moves)

    @property
    def start(self) -> Self:
        """A new board with the start position, at which `moves` begin."""
        return type(self).__new__(type(self))._assemble(self._rules, self._start, self._start, [])

    @property
    def legal_columns(self) -> list[int]:
        """Columns that can be played, ascending; none when the game is over."""
        return self._columns_into(self._geometry.board)

    legal_moves = legal_columns  # the name that every Game has

    def _columns_into(self, cells: int) -> list[int]:
        """The columns in which the next disc falls into one of these cells; none when the game is over."""
        if self._won:
            return []
        free = self._mask + self._geometry.bottom & self._geometry.board & cells
        stride = self._rules.height + 1
        column_cells = (1 << stride) - 1
        return [column for column in range(self._rules.width) if free >> column * stride & column_cells]

    def is_legal(self, column: SupportsIndex) -> bool:
        """Whether the column can be played; False off the board. TypeError if it is not an integer."""
        return self._refusal(whole_number("column", column)) is None

    def _refusal(self, column: int, first: int = 0) -> str | None:
        """Why the column can't be played; None if it can. first: the number of the leftmost column in the message."""
        number = column + first
        if not 0 <= column < self._rules.width:
            return must_be("column", f"{first} to {first + self._rules.width - 1}", number)
        if self.is_over():
            return f"column {number} can't be played: the game is over"
        return None if column in self.legal_columns else f"column {number} is full"

    def push(self, column: SupportsIndex) -> None:
        """Drop a disc of the player to move. IllegalMoveError and TypeError leave the board unchanged."""
        self._push(whole_number("column", column))

    def _push(self, column: int, first: int = 0) -> None:
        """Drop a disc. IllegalMoveError, in which the leftmost column has the number `first`."""
        height, cell = self._rules.height, 0
        if not self._won and 0 <= column < self._rules.width:
            bottom = 1 << column * (height + 1)
            cell = self._mask + bottom & (bottom << height) - bottom  # 0 in a full column
        if not cell:
            raise IllegalMoveError(self._refusal(column, first))
        self._won = self.ply >= self._geometry.first_win and lines.has_line(self._own | cell, self._geometry)
        self._own ^= self._mask
        self._mask |= cell
        self._moves.append(column)

    def pop(self) -> int:
        """Take the last move back and return its column; IndexError at the start position."""
        column = self.peek()
        self._moves.pop()
        self._mask ^= cells.top_disc(self._mask, column, self._rules)
        self._own ^= self._mask
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
        (cell,) = cells.places(cells.top_disc(self._mask, self._moves[-1], self._rules), self._rules)
        return cell

    def winning_columns(self) -> list[int]:
        """Columns with which the player to move wins immediately."""
        return self._columns_into(lines.winning_cells(self._own, self._geometry))

    def threatened_columns(self) -> list[int]:
        """Columns with which the opponent would win immediately if they were to move."""
        return self._columns_into(lines.winning_cells(self._own ^ self._mask, self._geometry))

    # the end

    def is_over(self) -> bool:
        """Whether a player has won or the board is full."""
        return self._won or self.ply == self._rules.cells

    def outcome(self) -> Outcome | None:
        """How the game ended; None if it is not over."""
        if not self.is_over():
            return None
        if not self._won:
            return Outcome(None)
        return Outcome(1 - self.turn, cells.places(lines.lines(self._own ^ self._mask, self._geometry), self._rules))

    def result(self, player: int) -> int:
        """1 if the player has won, -1 if the other has, otherwise 0."""
        player = between("player", player, 0, 1)
        if not self._won:
            return 0
        return -1 if player == self.turn else 1

    # copies and comparison

    def copy(self) -> Self:
        """An independent board with the same position and moves."""
        board = type(self).__new__(type(self))
        board._rules, board._geometry, board._start = self._rules, self._geometry, self._start
        board._own, board._mask, board._won = self._own, self._mask, self._won
        board._moves = self._moves.copy()
        return board

    def after(self, *columns: SupportsIndex) -> Self:
        """A new board, with one more move, or several. IllegalMoveError and TypeError name the move, as moves[0]."""
        return self.copy()._play(columns)

    def mirror(self) -> Self:
        """A new board with left and right exchanged, moves included."""
        discs = (*self._start, self._own, self._mask)
        start_own, start_mask, own, mask = (cells.mirrored(each, self._rules) for each in discs)
        moves = [self._rules.width - 1 - column for column in self._moves]
        return type(self).__new__(type(self))._assemble(self._rules, (start_own, start_mask), (own, mask), moves)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (self._rules, self._own, self._mask) == (other._rules, other._own, other._mask)

    def __hash__(self) -> int:
        return hash((self._rules, self._own, self._mask))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).parse, (self.format("address"),)

    # notations

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None, *, first: str | None = None) -> Self:
        """The board of a text: moves, a FEN, a link, a drawing, JSON.

        See https://github.com/c4mcts/c4mcts/blob/main/docs/guide/boards.md for all forms.

        Columns count from 0 in a list with commas, which may end with one, and from 1 in a string of digits. Rules or a
        FEN may precede the moves, as in "20x14x5:9,10" or "7/7/7/7/7/2xo3 x 7x6x4:45". rules: for texts without rules;
        they must agree with any in the text; a drawing without rules is a board of its own size, four in a row. first:
        the symbol of who began, for a drawing or an array in which that is not clear.

        NotationError, IllegalMoveError.
        """
        return cls._read(text, rules, first)[0]

    @classmethod
    def _read(
        cls, text: str, rules: Rules | None = None, first: str | None = None, digits_from: int = 1
    ) -> tuple[Self, int | None]:
        """As `parse`; also the score, if the text is the line of a test file. The others: see move_texts.Hints."""
        from . import move_texts, reader  # imported here, because their patterns slow down the import of the package

        hints = move_texts.Hints(None if rules is None else rules_or_default(rules), first, digits_from)
        reading = reader.read(text, hints)
        board = cls(reading.rules) if reading.grid is None else cls._set_up(reading.rules, reading.grid, reading.turn)
        board._play(reading.moves, reading.places.__getitem__, reading.first)
        for _ in range(reading.undone):
            board.pop()
        return board, reading.score

    def format(self, kind: notation.Kind) -> str:
        """The board as a text that `parse` reads.

        "address": the form in the page's address, with the rules, the start position and the moves. "uci": as in the
        UCI Connect-4 data set: x, o or b (blank) for each cell, column by column from the bottom. "drawing": the output
        of `print`. Other forms have methods: `to_pons`, `to_text`, `to_fen`. ValueError for an unknown kind.
        """
        match word("kind", kind, get_args(notation.Kind)):
            case "uci":
                return ",".join("bxo"[cell] for column in zip(*reversed(self._grid()), strict=True) for cell in column)
            case "drawing":
                return notation.write_drawing(self._grid())
        played = notation.write_moves(self._moves, self._rules)
        if self._start != (0, 0):
            return f"{self.start.to_fen().replace(' ', '_')}:{played}"
        return played if self._rules == Rules() else f"{str(self._rules).replace(' ', '-')}:{played}"

    @classmethod
    def from_moves(cls, moves: Iterable[SupportsIndex], rules: Rules | None = None) -> Self:
        """The board after these moves, columns from 0. Errors name the index of the move."""
        return cls(rules)._play(moves)

    def _play(
        self, moves: Iterable[SupportsIndex], place: Callable[[int], str] = "moves[{}]".format, first: int = 0
    ) -> Self:
        """Play the moves, columns from 0. For errors: the place of a move by its index, the first column's number."""
        for index, column in enumerate(members("moves", moves, "columns", self._rules.cells)):
            try:
                self._push(whole_number("column", column), first)
            except (TypeError, ValueError) as error:
                raise type(error)(f"{place(index)}: {error}") from None
        return self

    def to_moves(self) -> list[int]:
        """All moves since the empty board; NotationError if the board was set up with discs on it."""
        if self._start != (0, 0):
            raise NotationError("the board was set up with discs on it, so its list of moves is not known")
        return self._moves.copy()

    @classmethod
    def from_text(cls, text: str, rules: Rules | None = None) -> Self:
        """The board after moves such as "3,3,4", columns from 0. NotationError, IllegalMoveError."""
        return cls(rules)._play(notation.read_text(text), lambda index: f"entry {index + 1}")

    def to_text(self) -> str:
        """The moves as `from_text` reads them; NotationError if the board was set up with discs on it.

        A single move is written as "3,", since "3" is a string of digits for `parse`.
        """
        return notation.write_text(self.to_moves())

    @classmethod
    def from_pons(cls, text: str, rules: Rules | None = None) -> Self:
        """The board after moves such as "4453", one digit per move, columns from 1. NotationError, IllegalMoveError."""
        board = cls(rules)
        return board._play(notation.read_pons(text, board.rules), lambda index: f"character {index + 1}", first=1)

    def to_pons(self) -> str:
        """The moves as `from_pons` reads them; NotationError above 9 columns, or if the board was set up with discs."""
        return notation.write_pons(self.to_moves(), self._rules)

    @classmethod
    def _set_up(cls, rules: Rules, grid: notation.Grid, turn: int | None = None) -> Self:
        """The board of a grid; turn: the player to move, if the notation names one."""
        start = cells.position_of(grid, rules, measure(rules), turn)
        return cls.__new__(cls)._assemble(rules, start, start, [])

    def _sides(self) -> tuple[int, int]:
        other = self._own ^ self._mask
        return (other, self._own) if self.turn else (self._own, other)

    def _grid(self) -> notation.Grid:
        return cells.grid_of(*self._sides(), self._rules)

    @classmethod
    def from_array(
        cls,
        array: ArrayLike,
        rules: Rules | None = None,
        *,
        empty: object = None,
        first: object = None,
        second: object = None,
        by: Literal["rows", "columns"] = "rows",
        row_0: Literal["top", "bottom"] | None = None,
    ) -> Self:
        """The board of height x width cells, row 0 = top. NotationError.

        first, second: the values that stand for the discs of the first and the second player. empty: for an empty cell;
        by default None, 0, a blank or a dot. Without them: 0, 1, 2, or another pair of discs that is recognised: 1 and
        -1, "X" and "O", or "R" and "Y", of which the one with more discs began; with equal numbers, give first alone.

        by: "columns" for width x height cells, as lists of columns. row_0: whether the first cell of a column is at the
        "top" or the "bottom"; by rows it is at the top by default.
        """
        from .grids import DISCS, By, RowZero, read_array, symbol_of

        rules = rules_or_default(rules)
        is_alone = second is None and empty is None and (first is None or symbol_of(first).lower() in DISCS)
        if not is_alone and (first is None or second is None):
            raise TypeError("give both first and second, the values for the discs of the players")
        by = word("by", by, get_args(By))
        if row_0 is None and by == "columns":
            raise TypeError("by='columns' needs row_0, 'bottom' or 'top': where the first cell of a column is")
        where = word("row_0", row_0 or "top", get_args(RowZero))
        symbols = None if second is None else (empty, first, second)
        return cls._set_up(rules, read_array(array, rules, symbols, first, by, where))

    def to_array(self) -> NDArray[np.int8]:
        """The cells as `from_array` reads them, in a new int8 array."""
        return np.array(self._grid(), dtype=np.int8)

    @classmethod
    def from_fen(cls, fen: str, rules: Rules | None = None) -> Self:
        """The board of a line such as "7/7/7/7/7/2xo3 x 7x6x4"; `rules`, if given, must agree. NotationError."""
        fen_rules, grid, turn = notation.read_fen(fen)
        return cls._set_up(notation.agreed(fen_rules, rules, "FEN"), grid, turn)

    def to_fen(self) -> str:
        """Rows from the top (x first player, o second, numbers for empty cells), side to move, and rules."""
        return notation.write_fen(self._grid(), self._rules, self.turn)

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
        return notation.write_drawing(self._grid())

    def svg(self, size: int | None = None) -> str:
        """A picture. size: its width in pixels; by default about 48 per column, at most 960."""
        from .svg import board_svg

        return board_svg(self, size)

    _repr_svg_ = svg  # in notebooks
