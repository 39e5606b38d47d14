"""How a command fails: its exit codes, errors and messages."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

from .._validation import described, naming
from .output import results

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
MEANINGS = {
    OK: "success, also if the reader closed the pipe",
    FAILED: "failed: out of memory or disk space, an error in an evaluator or a player, a missing backend or program, "
    "a claim that is not proven",
    USAGE: "invalid option, file or position (the other lines of the input are still answered)",
    INTERRUPTED: "stopped by Ctrl-C; a search or a match prints its result so far",
}


class CommandError(Exception):
    """An error reported in one line; `status` is the exit code."""

    status = FAILED


class UsageError(CommandError):
    """The command line is invalid."""

    status = USAGE


def say(message: str) -> None:
    """Print a line on standard error, after the output printed before."""
    with suppress(BrokenPipeError):  # whoever reads the results may have read enough
        results().flush()
    print(message, file=sys.stderr, flush=True)


def reason(error: BaseException) -> str:
    """The text of an error; of an OSError the file and the reason, without its number."""
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return f"{error}"


def usage_errors(prefix: str) -> AbstractContextManager[None]:
    """Turn a TypeError or ValueError of the library into a UsageError with a prefix."""
    return naming(prefix, UsageError)


@contextmanager
def errors_of_others(what: str | None) -> Iterator[None]:
    """Turn any exception into a CommandError, since code of the user may raise anything.

    what: the option or the argument that names this code; None if there is none.
    """
    from ..play.seats import Forfeit  # imported here, because it slows down the start of all commands

    try:
        yield
    except (CommandError, BrokenPipeError):
        raise
    except Forfeit as error:
        raise CommandError(f"{what}: {error}") from None
    except (Exception, SystemExit) as error:
        if what is None:
            raise
        named = isinstance(error, OSError) and error.strerror
        raise CommandError(f"{what}: {reason(error) if named else described(error)}") from None
