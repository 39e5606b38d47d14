"""Poll: what ends a long call: its time limit, or a callback, which is called about every 10 ms."""

from math import inf
from time import monotonic

POLL_SECONDS = 0.010  # between two calls of the function, approximately


class Poll:
    """The function and the answers it has given."""

    __slots__ = ("deadline", "error", "function", "halted", "last_asked")

    def __init__(self):
        self.function = None  # returns true to stop
        self.error = None  # the exception that it has raised, which also stops the call
        self.halted = False  # whether to stop
        self.last_asked = 0.0  # when the function was called last; for ask_if_due
        self.deadline = inf  # when to stop without being told to


def begin(poll, function, limit=inf):
    """At the beginning of a call: set its function, which is due at once. limit: milliseconds after which it ends."""
    poll.function = function
    poll.error = None
    poll.halted = False
    poll.last_asked = -inf
    poll.deadline = monotonic() + limit / 1000


def ask(poll):
    """Call the function, unless it has already said to stop."""
    if poll.halted:
        return
    try:
        poll.halted = bool(poll.function())
    except BaseException as error:
        poll.error = error
        poll.halted = True


def ask_if_due(poll):
    """Stop at the deadline; ask if POLL_SECONDS have passed since the last time."""
    now = monotonic()
    if now >= poll.deadline:
        poll.halted = True
    elif now - poll.last_asked >= POLL_SECONDS:
        ask(poll)
        poll.last_asked = monotonic()


def finish(poll):
    """At the end of the call: drop the function, which may refer back to the poll; raise its exception, if any."""
    error = poll.error
    poll.function = poll.error = None
    if error is not None:
        try:
            raise error
        finally:
            del error  # its traceback refers to this frame
