"""Draws a board as plain text."""

from typing import TYPE_CHECKING

from .notation import EMPTY_FIRST_SECOND
from .validation import a_board

if TYPE_CHECKING:
    from .board import Board


def board_text(board: "Board") -> str:
    """Rows from the top, '.' empty, 'x' first player, 'o' second player; the last line numbers the columns."""
    width = len(str(a_board(board).rules.width - 1))
    rows = [[EMPTY_FIRST_SECOND[cell] for cell in row] for row in board.to_array().tolist()]
    rows.append([str(column) for column in range(board.rules.width)])
    return "\n".join(" ".join(symbol.rjust(width) for symbol in row) for row in rows)
