"""Exceptions of the package; all are subclasses of ValueError."""


class IllegalMoveError(ValueError):
    """A move into a full column, off the board, or after the end of the game."""


class SaveError(ValueError):
    """A file, or bytes, from which no engine, book, network or self-play games can be loaded."""


class CheckpointError(ValueError):
    """A checkpoint that was made by another call, is in use or damaged, or a file that is not a checkpoint."""


class NotationError(ValueError):
    """A string or an array that doesn't describe a board; the message says where it is wrong."""


class GameOverError(ValueError):
    """A finished game, given to a function that needs a position with a move to play."""


class ProofError(ValueError):
    """A certificate that is damaged, or does not prove what it claims; the message says where."""


class FalseClaimError(ValueError):
    """A claim about a position that is false; the message has the true value."""


class UnfinishedProofError(ValueError):
    """A limit was reached before a proof was found; the message says what is open."""
