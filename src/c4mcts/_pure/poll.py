"""How a long call looks up from its work: it asks a function of the caller's whether to stop."""


class Poll:
    """A function to ask, and what has come of it."""

    __slots__ = ("error", "function", "halted")

    def __init__(self):
        self.function = None  # true: stop
        self.error = None  # what it has raised, which stops the call too
        self.halted = False


def begin(poll, function):
    """Before a call: take its function."""
    poll.function = function
    poll.error = None
    poll.halted = False


def ask(poll):
    """Ask the function, unless it has said to stop already."""
    if poll.halted:
        return
    try:
        poll.halted = bool(poll.function())
    except BaseException as error:
        poll.error = error
        poll.halted = True


def finish(poll):
    """After the call: let go of the function, whose owner may own this; raise what it has raised."""
    error = poll.error
    poll.function = poll.error = None
    if error is not None:
        raise error
