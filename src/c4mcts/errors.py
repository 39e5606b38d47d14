"""What a caller may want to catch; all of them are ValueErrors."""


class IllegalMoveError(ValueError):
    """A move into a full column, off the board, or after the end of the game."""


class SaveError(ValueError):
    """A file, or bytes, that no engine and no games can be made of."""


class CheckpointError(ValueError):
    """A checkpoint of other work, or a file that is no checkpoint."""


class NotationError(ValueError):
    """A string or an array that isn't a board; the message says where."""


class GameOverError(ValueError):
    """A finished game was given to something that needs a move."""
