"""The command line. commands.py lists the commands; each has a function that adds its options and one that runs it."""

import signal
import sys
from collections.abc import Callable, Sequence

from .process import FAILED, OK, drop, exit_code, leave, say, sensible_size, stopping, terminated_by, usable_streams


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; argv: the arguments after `c4mcts`, by default those of the process."""
    try:
        try:
            with usable_streams(), sensible_size(), terminated_by("SIGTERM"):
                return run_and_flush(argv)
        finally:
            if argv is None and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                signal.signal(signal.SIGINT, leave)  # the process is ending: another Ctrl-C ends it at once
    except KeyboardInterrupt as interrupt:  # a second one, or before or after the command itself ran
        return exit_code(interrupt)


def imported_commands() -> Callable[[Sequence[str] | None], int]:
    """The function that runs a command. Importing it takes a while.

    Ctrl-C waits meanwhile: an import that it interrupts may fail with another error, or continue without a word.
    """
    with stopping(lambda: None) as interruption:
        from .commands import run
    interruption.raise_it()
    return run


def run_and_flush(argv: Sequence[str] | None) -> int:
    """Run one command and flush its output.

    A signal and a lack of memory or threads become exit codes instead of tracebacks. A closed pipe is no error; any
    other failure to write is.
    """
    status = OK
    try:
        try:
            status = imported_commands()(argv)
        except KeyboardInterrupt as interrupt:
            if sys.stderr.isatty():
                say("")
            status = exit_code(interrupt)
        except (MemoryError, RuntimeError) as error:
            say(f"c4mcts: error: {error if isinstance(error, RuntimeError) else 'there is not enough memory'}")
            status = FAILED
        sys.stdout.flush()
    except BrokenPipeError:
        drop(sys.stdout)
    except (OSError, UnicodeError) as error:
        drop(sys.stdout)
        say(f"c4mcts: error: {error}")
        return FAILED
    return status
