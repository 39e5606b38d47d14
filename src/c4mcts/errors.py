"""The exceptions of the package:

    ValueError
    └── C4mctsError
        ├── IllegalMoveError
        ├── NotationError
        ├── GameOverError
        ├── SaveError
        ├── CheckpointError
        ├── PlayerError
        ├── ProofError
        ├── FalseClaimError
        └── UnfinishedProofError

Every function raises a plain ValueError or TypeError, which names the argument and its value, for a wrong argument of
another kind: the docstrings of functions do not repeat it.
"""


class C4mctsError(ValueError):
    """The base class of all exceptions of the package."""


class IllegalMoveError(C4mctsError):
    """A move into a full column, off the board, or after the end of the game."""


class NotationError(C4mctsError):
    """A string or an array that doesn't describe a board; the message says where it is wrong."""


class GameOverError(C4mctsError):
    """A finished game, given to a function that needs a position with a move to play."""


class SaveError(C4mctsError):
    """A file, or bytes, from which no engine, book, network or self-play games can be loaded."""


class CheckpointError(C4mctsError):
    """A checkpoint that was made by another call, is in use or damaged, or a file that is not a checkpoint."""


class PlayerError(C4mctsError):
    """A player without which there is no result: it makes no first move, or fails where that does not end a game."""


class ProofError(C4mctsError):
    """A certificate that is damaged, or does not prove what it claims; the message says where."""


class FalseClaimError(C4mctsError):
    """A claim about a position that is false; the message has the true value."""


class UnfinishedProofError(C4mctsError):
    """A limit was reached before a proof was found; the message says what is open."""
