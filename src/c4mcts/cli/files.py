"""Files that options name: results, which must be writable before the work begins, and checkpoints."""

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .._files import folder_path
from .._tables import is_parquet, pyarrow
from ..executors.progress import Progress
from .failures import CommandError, UsageError, reason, say, usage_errors

# Arguments that can name files of the user's: an output must not replace one of these.
KEPT = ("against", "checkpoint", "file", "network", "openings", "player", "points", "policy", "start", "watch")


def require_output(args: argparse.Namespace, option: str, *endings: str) -> None:
    """Check, before the work begins, that the files of an option can be written when it is done. UsageError."""
    kept = {os.path.realpath(name): other for other in KEPT if other != option for name in _names(args, other)}
    for name in _names(args, option):
        path = Path(name)
        if endings and path.suffix.lower() not in endings:
            raise UsageError(f"--{option} {name}: the name must end in {', '.join(endings)}")
        if not path.absolute().parent.is_dir():
            raise UsageError(f"--{option} {name}: there is no folder {path.parent}")
        if path.is_dir():
            raise UsageError(f"--{option} {name}: this is a folder, not a file")
        if os.path.realpath(name) in kept:
            raise UsageError(f"--{option} {name}: the argument {kept[os.path.realpath(name)]} names this file, too")
        if is_parquet(name):
            pyarrow()


def _names(args: argparse.Namespace, option: str) -> list[str]:
    names = getattr(args, option, None)
    return [names] if isinstance(names, str) else names or []


def folder_of(args: argparse.Namespace) -> Path:
    """The folder of --out, which need not be there yet. UsageError."""
    if Path(args.out).is_file():
        raise UsageError(f"--out {args.out}: this is a file, not a folder")
    with usage_errors("--"):
        return Path(folder_path("out", args.out))


def save_all(args: argparse.Namespace, result: Any) -> None:
    """Write a result, by its `save`, to the files of --out. CommandError."""
    for name in args.out:
        try:
            result.save(name)
        except OSError as error:
            raise CommandError(f"--out {reason(error)}") from None


def progress_of(args: argparse.Namespace) -> Progress:
    """A bar at a terminal; elsewhere one line about the results that an earlier call has left, if there are any."""
    if sys.stderr.isatty():
        return True
    is_first = True

    def report(done: int, total: int) -> None:
        nonlocal is_first
        if is_first:
            say_kept(args, done, total)
        is_first = False

    return report


def say_kept(args: argparse.Namespace, done: int, total: int) -> None:
    """Say how many results, of how many, an earlier call has left, if there are any."""
    if done:
        say(f"c4mcts {args.command}: {done:,} of {total:,} were there already")


@contextmanager
def continued(args: argparse.Namespace, checkpoint: Path | str | None) -> Iterator[None]:
    """Say of work that is interrupted that the same command continues from its checkpoint."""
    try:
        yield
    except (KeyboardInterrupt, OSError, BrokenExecutor):
        if checkpoint is not None and Path(checkpoint).exists():
            say(f"c4mcts {args.command}: stopped; the same command continues from {checkpoint}")
        raise
