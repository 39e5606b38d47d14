"""Why a player has lost a game other than on the board: its error in a line that can be printed and saved."""

MAX_REASON = 300  # characters that are kept of the message of an error


class Forfeit(Exception):
    """A player has lost the game; the message says why."""


def described(error: BaseException) -> str:
    """The kind and the message of an error. Never raises."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__


def printable(text: str) -> str:
    """A text in one line, without what a terminal obeys or a file can't hold, shortened if it is long."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:MAX_REASON])[:MAX_REASON]
