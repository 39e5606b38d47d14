"""Messages on standard error, and exit codes."""

import sys

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
    """Print a line on standard error, after what was printed on standard output before."""
    results().flush()
    print(message, file=sys.stderr, flush=True)


def reason(error: BaseException) -> str:
    """The text of an error; of an OSError the file and the reason, without its number."""
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return f"{error}"
