"""Draws a board as plain text."""

from typing import TYPE_CHECKING

from .notation import EMPTY_FIRST_SECOND
from .validation import a_board

if TYPE_CHECKING:
    from .board import Board


def board_text(board: "Board", first: int = 0) -> str:
    """Rows from the top, '.' empty, 'x' first player, 'o' second player; the last line numbers the columns.

    first: the number of the leftmost column: 0 in Python, 1 at the shell.
    """
    columns = [str(first + column) for column in range(a_board(board).rules.width)]
    rows = [[EMPTY_FIRST_SECOND[cell] for cell in row] for row in board.to_array().tolist()]
    width = len(columns[-1])
    return "\n".join(" ".join(symbol.rjust(width) for symbol in row) for row in (*rows, columns))
