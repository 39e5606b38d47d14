"""The engine that the options of a command describe: backend, parameters, limits, evaluator."""

import argparse
from typing import Any

from .. import _backend
from .._named import named_object
from ..search.engine import Engine
from ..search.params import SearchParams
from ..seeds import root_seed
from .failures import CommandError, usage_errors
from .options import EVALUATOR_PRESET, PRESET


def backend_of(args: argparse.Namespace) -> str:
    """The name of the backend that is used, "native" or "pure". CommandError if it can't be loaded."""
    name = getattr(args, "backend", "auto")
    try:
        return _backend.load(name).name
    except ImportError as error:
        raise CommandError(f"the {name} backend can't be loaded: {error}") from None


def preset_of(args: argparse.Namespace) -> str:
    """The name of the preset that the options select."""
    if args.preset is not None:
        return str(args.preset)
    return PRESET if getattr(args, "evaluator", None) is None else EVALUATOR_PRESET


def params_of(args: argparse.Namespace, preset: str | None = None) -> SearchParams:
    """The parameters of a preset, by default the one of the options, changed by --set."""
    params = SearchParams.preset(preset or preset_of(args))
    with usage_errors("--set: "):
        return params.changed(**dict(args.set))


def limits_of(args: argparse.Namespace, **default: float) -> dict[str, Any]:
    """The limits for Engine.search from the options; `default` if none is given."""
    limits = {name: getattr(args, name, None) for name in ("simulations", "seconds", "nodes")}
    return {name: value for name, value in limits.items() if value is not None} or default


def evaluator_of(args: argparse.Namespace) -> Any:
    """The object that --evaluator names; None without the option. Raises anything that the user's module raises."""
    if args.evaluator is None:
        return None
    with usage_errors(f"--evaluator {args.evaluator}: "):
        return named_object(args.evaluator)


def engine_of(args: argparse.Namespace) -> tuple[Engine, int]:
    """A new engine and its seed. A seed is drawn if none is given, so that it can be printed and used again."""
    backend_of(args)
    seed = root_seed(args.seed)
    options = {"backend": args.backend, "threads": args.threads, "evaluator": evaluator_of(args)}
    return Engine(params_of(args), seed=seed, **options), seed
