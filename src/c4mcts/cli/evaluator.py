"""--evaluator module:name: a function of the user's own code that a search calls."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from .._named import named_object
from ..search.evaluators import Evaluator
from ..search.params import SearchParams
from .arguments import EVALUATOR_PRESET, CommandError, UsageError, preset_of


def add_evaluator(search: argparse._ArgumentGroup) -> None:
    words = f"search with this function in place of rollouts; the default preset is then {EVALUATOR_PRESET}"
    search.add_argument("--evaluator", metavar="MODULE:NAME", help=words)


def evaluator_of(args: argparse.Namespace, params: SearchParams) -> Evaluator | None:
    """The object that --evaluator names; None without the option. Modules are found as by `python -m`.

    Raises UsageError if the parameters need none, or need one that is not there.
    """
    if (args.evaluator is None) == params.needs_evaluator:
        wanted = "needs" if args.evaluator is None else "does not work with"
        raise UsageError(f"--preset {preset_of(args)} {wanted} --evaluator module:name")
    return None if args.evaluator is None else _named(args)


def _named(args: argparse.Namespace) -> Evaluator:
    """The object that --evaluator names."""
    try:
        found = named_object(args.evaluator)
    except ValueError as error:
        raise UsageError(f"--evaluator {args.evaluator}: {error}") from None
    except Exception as error:
        raise CommandError(f"--evaluator {args.evaluator}: {type(error).__name__}: {error}") from None
    if not callable(found):
        raise UsageError(f"--evaluator {args.evaluator}: must be callable, not {type(found).__name__}")
    evaluator: Evaluator = found
    return evaluator


@contextmanager
def evaluator_errors(args: argparse.Namespace) -> Iterator[None]:
    """Turn any exception into a CommandError, if there is an evaluator: it may raise whatever it likes."""
    try:
        yield
    except (CommandError, BrokenPipeError):
        raise
    except Exception as error:
        if args.evaluator is None:
            raise
        raise CommandError(f"--evaluator {args.evaluator}: {type(error).__name__}: {error}") from None
