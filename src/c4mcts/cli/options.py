"""Options that several commands share, and how their values are read."""

import argparse
from typing import Any, get_args

from .. import _backend
from ..search.params import PRESETS
from ..search.typed_values import count, simulations
from ..search.typed_values import setting as named_setting

PRESET = "strong"  # default of a search
EVALUATOR_PRESET = "alphazero"  # default if there is an evaluator
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def setting(text: str) -> tuple[str, Any]:
    """Parse name=value, see search.typed_values.setting. ArgumentTypeError."""
    try:
        return named_setting(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}") from None


def size(text: str) -> int:
    """Parse a number of bytes, such as 512M. ValueError."""
    number, unit = (text[:-1], UNITS[text[-1:].upper()]) if text[-1:].upper() in UNITS else (text, 1)
    return count(number) * unit


SHARED: dict[str, dict[str, Any]] = {  # options that mean the same in every command
    "backend": {
        "choices": get_args(_backend.BackendName),
        "default": "auto",
        "help": "native or pure-Python code (default auto: native if it is installed)",
    },
    "checkpoint": {"metavar": "FILE", "help": "keep finished games here; the same command continues from it"},
    "evaluator": {
        "metavar": "MODULE:NAME",
        "help": f"search with this function instead of rollouts; the default preset is then {EVALUATOR_PRESET}",
    },
    "executor": {
        "default": "threads",
        "metavar": "WHERE",
        "help": "threads (default) or processes, one per processor unless a number follows, as in threads:4; "
        "or the address of a Dask scheduler, tcp://host:8786",
    },
    "first": {"metavar": "SYMBOL", "help": "symbol of the player who began, in a drawing in which that is not clear"},
    "from": {
        "type": int,
        "choices": (0, 1),
        "default": 1,
        "dest": "digits_from",
        "help": "number of the leftmost column in strings of digits (default 1)",
    },
    "json": {"action": "store_true", "help": "print JSON instead of text"},
    "nodes": {"type": count, "metavar": "N", "help": "limit of the size of the tree, in nodes"},
    "preset": {"metavar": "NAME", "help": f"named set of parameters (default {PRESET}): {', '.join(PRESETS)}"},
    "seconds": {"type": float, "metavar": "S", "help": "limit of wall-clock time"},
    "seed": {"type": int, "metavar": "N", "help": "seed of the random numbers (default: drawn at random)"},
    "set": {
        "type": setting,
        "action": "append",
        "default": [],
        "metavar": "NAME=VALUE",
        "help": "any parameter of the search: exploration=0.7, choice=value, rewards=1,0,-1; may be repeated",
    },
    "simulations": {
        "type": simulations,
        "metavar": "N",
        "help": "number of simulations (reproducible with --seed and one thread), or 'columns' for one per open column",
    },
    "threads": {"type": int, "default": 1, "metavar": "N", "help": "threads that share one search (default 1)"},
}


def add_options(parser: argparse._ActionsContainer, *names: str, **changes: Any) -> None:
    """Add options of SHARED. changes: to their arguments."""
    for name in names:
        parser.add_argument(f"--{name}", **{**SHARED[name], **changes})
