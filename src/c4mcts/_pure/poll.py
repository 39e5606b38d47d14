"""Poll: the callback that can cancel a long call; called from time to time."""


class Poll:
    """The function and the answers it has given."""

    __slots__ = ("error", "function", "halted")

    def __init__(self):
        self.function = None  # returns true to stop
        self.error = None  # the exception that it has raised, which also stops the call
        self.halted = False  # whether to stop


def begin(poll, function):
    """At the beginning of a call: set its function."""
    poll.function = function
    poll.error = None
    poll.halted = False


def ask(poll):
    """Call the function, unless it has already said to stop."""
    if poll.halted:
        return
    try:
        poll.halted = bool(poll.function())
    except BaseException as error:
        poll.error = error
        poll.halted = True


def finish(poll):
    """At the end of the call: drop the function, which may refer back to the poll; raise its exception, if any."""
    error = poll.error
    poll.function = poll.error = None
    if error is not None:
        try:
            raise error
        finally:
            del error  # its traceback refers to this frame
