"""Options that several commands share, and what is made of them."""

import argparse
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, get_args

from .. import _backend
from ..search.engine import Engine
from ..search.limits import Limits
from ..search.params import PRESETS, Choice, SearchParams

MOST_JOBS = 1_000_000  # of one command: each takes 3 kB of memory
BACKENDS = get_args(_backend.BackendName)
PLAYABLE = [name for name, params in PRESETS.items() if params.selection != "puct"]  # without an evaluator


def count(text: str) -> int:
    """A whole number as people write large ones: 100000, 100_000, 1e5."""
    try:
        return int(text)
    except ValueError:
        number = float(text)
        if not number.is_integer():  # nor are inf and what is as large
            raise
        return int(number)


class CommandError(Exception):
    """What a user is told in one line; `status` is the exit code."""

    status = 1


class UsageError(CommandError):
    """The command was given something it can't take."""

    status = 2


@contextmanager
def usage_errors(prefix: str = "") -> Iterator[None]:
    """The library's complaints about values become the user's errors."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise UsageError(f"{prefix}{error}") from None


def require_between(args: argparse.Namespace, **bounds: tuple[int, float]) -> None:
    """UsageError unless the options of these names, where given, are within their bounds."""
    for name, (least, most) in bounds.items():
        value = getattr(args, name)
        if value is not None and not least <= value <= most:
            raise UsageError(f"--{name.replace('_', '-')} must be {least} to {most}, not {value}")


def add_json(parser: argparse.ArgumentParser) -> None:
    """--json"""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def print_json(fields: dict[str, Any]) -> None:
    """One object on one line."""
    print(json.dumps(fields, allow_nan=False))


def add_backend(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """--backend"""
    parser.add_argument("--backend", choices=BACKENDS, default="auto", help="the engine; auto: native if there is one")


def backend_of(args: argparse.Namespace) -> str:
    """The engine asked for, "native" or "pure"; CommandError if it is missing."""
    try:
        return _backend.load(args.backend).name
    except ImportError as error:
        raise CommandError(f"the {args.backend} engine can't be loaded: {error}") from None


def add_limits(parser: argparse.ArgumentParser) -> None:
    """--seconds, --simulations, --nodes"""
    limits = parser.add_argument_group("limits of a search (the first one reached ends it)")
    limits.add_argument("--seconds", type=float, metavar="S", help="wall clock")
    limits.add_argument(
        "--simulations", type=count, metavar="N", help="passes; with a seed and one thread, the result is reproducible"
    )
    limits.add_argument("--nodes", type=count, metavar="N", help="size of the tree")


def add_search(parser: argparse.ArgumentParser) -> None:
    """Limits, parameters, seed and engine of a search."""
    add_limits(parser)
    search = parser.add_argument_group("search")
    search.add_argument("--preset", choices=PLAYABLE, default=PLAYABLE[0], help="named parameters")
    add_exploration(search)
    add_choice(search)
    search.add_argument("--seed", type=int, metavar="N", help="start of the random numbers (default: by chance)")
    add_backend(search)
    search.add_argument("--threads", type=int, default=1, metavar="N", help="that grow the tree together (default: 1)")


def add_exploration(search: argparse._ArgumentGroup) -> None:
    """--exploration"""
    search.add_argument("--exploration", type=float, metavar="C", help="the factor of UCB1 (default: the preset's)")


def add_choice(search: argparse._ArgumentGroup) -> None:
    """--choice"""
    search.add_argument("--choice", choices=get_args(Choice), help="what makes a move the best (default: the preset's)")


def limits_of(args: argparse.Namespace, **default: float) -> dict[str, Any]:
    """The limits for Engine.search; `default` where none is given."""
    given = {name: getattr(args, name) for name in ("simulations", "seconds", "nodes")}
    limits = {name: value for name, value in given.items() if value is not None} or default
    with usage_errors("--"):
        Limits(**limits)
    return limits


def params_of(args: argparse.Namespace, preset: str | None = None) -> SearchParams:
    """The preset with those of the options on top that the command has; preset: one of several."""
    options = {name: getattr(args, name, None) for name in ("exploration", "choice")}
    given = {name: value for name, value in options.items() if value is not None}
    with usage_errors("--"):
        return replace(SearchParams.preset(preset or args.preset), **given)


def engine_of(args: argparse.Namespace) -> tuple[Engine, int]:
    """A new engine, and its seed: drawn, if none is given, so that every result can be had again."""
    backend_of(args)
    params = params_of(args)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    with usage_errors("--"):
        return Engine(params, seed=seed, backend=args.backend, threads=args.threads), seed
