"""Start positions other than the empty board."""

from .board import Board

PREFILLED = "xo1xo1x/ox1xo1o/ox1oo1x/xo1ox1o/ox1xo1x/ox1xo1x x 7x6x4"


def prefilled_board() -> Board:
    """A new 7x6 board on which five columns are full and columns 2 and 5 empty; the first player is to move.

    The game is small but not easy: column 5 wins, with the 41st disc of 42; column 2 loses in ten plies, although it
    looks better in random games.
    """
    return Board.from_fen(PREFILLED)
