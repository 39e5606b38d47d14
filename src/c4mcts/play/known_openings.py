"""Known openings: first moves on 7 x 6 with a name, and their exact values."""

from functools import cache
from typing import NamedTuple

from ..board.arguments import AnyBoard, a_board
from ..board.board import Board
from ..rules import Rules


class KnownOpening(NamedTuple):
    """A position with a name. moves: one order of moves to it, on one of its two sides. text: a sentence about it, in
    which nothing depends on the side."""

    moves: tuple[int, ...]
    name: str
    text: str


_TABLE = {
    "": ("Start", "Only the centre wins, the columns next to it draw, the others lose (Allen and Allis, 1988)."),
    "4": ("Centre", "The first player wins. The longest defence is to play on top."),
    "3": ("Off-centre", "A draw with best play."),
    "2": ("Second column", "The second player wins, but only in the column between this one and the centre."),
    "1": ("Edge", "The second player wins, with any of four replies."),
    "44": ("Centre, on top", "The longest defence. Only the centre again keeps the win, on the 41st move."),
    "43": ("Centre, next to it", "The first player wins in two columns on the other side, and nowhere else."),
    "42": ("Centre, second column", "The first player wins with one of the two second columns, and nowhere else."),
    "41": ("Centre, edge", "The weakest reply: the first player wins sooner than after any other."),
    "444": ("Three in the centre", "The first player wins. The longest defence is the centre again."),
    "4444": ("Four in the centre", "Only a fifth disc in the centre keeps the win."),
    "44444": ("Five in the centre", "The first player wins, on the same move after each of the replies."),
    "444444": ("Full centre", "Only the columns next to the centre keep the first player’s win."),
    "33": ("Off-centre, on top", "A draw. Two columns hold it: the centre and the one towards the edge."),
    "34": ("Off-centre, centre", "A draw. Only these two columns hold it."),
    "36": ("Off-centre, far second column", "A draw, which any move between the two discs holds, and some others."),
    "23": ("Second column, punished", "The reply that wins for the second player; all others do not."),
    "14": ("Edge, centre", "One of the two fastest wins for the second player."),
    "11": ("Edge, on top", "The reply loses: now the first player wins, in the centre or in the far second column."),
}


KNOWN = tuple(
    KnownOpening(tuple(int(digit) - 1 for digit in digits), name, text) for digits, (name, text) in _TABLE.items()
)


@cache
def _by_position() -> dict[str, KnownOpening]:
    """By FEN, with the mirror images."""
    openings: dict[str, KnownOpening] = {}
    for opening in KNOWN:
        board = Board.from_moves(opening.moves)
        openings |= {board.mirror().to_fen(): opening, board.to_fen(): opening}
    return openings


def known_opening(board: AnyBoard) -> KnownOpening | None:
    """The last named position that the game passed through; None if there is none."""
    board = a_board(board).copy()
    if board.rules != Rules():
        return None
    while (opening := _by_position().get(board.to_fen())) is None and board.moves:
        board.pop()
    return opening
