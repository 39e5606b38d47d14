"""The command line. One module a command, each with `add`, its options, and `run`, its work and exit code.

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C. A closed pipe ends quietly with 0.
"""

import os
import signal
import sys
from collections.abc import Sequence

from .streams import drop, say, sensible_size, usable_streams


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; argv: the words after `c4mcts`, by default those of the process."""
    try:
        try:
            with usable_streams(), sensible_size():
                return finished(argv)
        finally:
            if argv is None and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                signal.signal(signal.SIGINT, leave)  # the process ends, and another Ctrl-C is to end it at once
    except KeyboardInterrupt:  # a second one, or one that came very early or late
        return 130


def leave(*_: object) -> None:
    """End the process without another word; to handle a signal."""
    os._exit(130)


def finished(argv: Sequence[str] | None) -> int:
    """The exit code of a command whose output has arrived, or nobody wants any more of."""
    status = 0
    try:
        status = done(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        drop(sys.stdout)
    except (OSError, UnicodeError) as error:
        drop(sys.stdout)
        say(f"c4mcts: error: {error}")
        return 1
    return status


def done(argv: Sequence[str] | None) -> int:
    """The exit code of a command, which may be stopped, or lack memory or threads."""
    try:
        from .commands import run  # takes a while, in which Ctrl-C is to be quiet too

        return run(argv)
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            say("")
        return 130
    except (MemoryError, RuntimeError) as error:
        say(f"c4mcts: error: {error if isinstance(error, RuntimeError) else 'there is not enough memory'}")
        return 1
