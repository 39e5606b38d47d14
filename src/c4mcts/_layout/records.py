"""The games of a pool as bytes, and the numbers of their streams of random numbers."""

from struct import Struct

# A searched position of a game: POSITION_FIELDS, then COLUMN_FIELDS, each for all columns. Values are in [-1, 1] for
# the player to move.
POSITION_FIELDS = [
    ("column", "i1"),  # the move that was played
    ("proof", "i1"),  # the proven outcome: 1 a win, 0 a draw, -1 a loss; NO_PROOF
    ("ply", "i2"),  # discs on the board
    ("simulations", "i4"),  # of the search
    ("raw_value", "f4"),  # of the evaluator for the position itself
    ("value", "f4"),  # of the position after the search
    ("weight", "f4"),  # in training
]
COLUMN_FIELDS = [
    ("policy", "f4"),  # its share
    ("visits", "i4"),
    ("q", "f4"),  # its mean or exact value; NaN without visits or a proof
    ("prior", "f4"),  # without noise; NaN in a tree without children
]
NO_PROOF = -128
PLAYED_OUT, PROVEN, RESIGNED = range(3)  # how a game of a pool ended
# A game as bytes: this head, the moves before the first search, the searched positions.
GAME_HEAD = Struct("<HHbB")  # number of moves, how many of them are before the first search, winner or -1, ending
MAX_ROWS = 1 << 20  # leaves of a pool's batch
MAX_ANSWERS = 1 << 36  # that a pool keeps
NO_GAME = -1  # instead of the number of a game
# Numbers of a game's streams of random numbers; those from 1 up are for the noise of its roots.
DRAWN_MOVES, CHANCES, OPENING = 0, 1 << 32, 1 << 33
