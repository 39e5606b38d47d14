"""Positions to start from, other than the empty board."""

from .board import Board

PREFILLED = "xo1xo1x/ox1xo1o/ox1oo1x/xo1ox1o/ox1xo1x/ox1xo1x x 7x6x4"


def prefilled_board() -> Board:
    """A new 7x6 board of which five columns are full; columns 2 and 5 are empty, and the first player is to move.

    Small enough to be understood to the end, and not easy: column 5 wins, with the 41st disc of 42; column 2 loses in
    ten plies, and looks better to random games.
    """
    return Board.from_fen(PREFILLED)
