"""The two engines behind one door; nothing else in the package knows that there are two."""

import importlib
import warnings
from functools import cache
from types import ModuleType
from typing import NamedTuple

ROOMS = ("rng", "bitboard", "rollout", "pool", "search")


class Backend(NamedTuple):
    """One engine: the modules of `_native` or `_pure`, which have the same names inside."""

    name: str
    rng: ModuleType
    bitboard: ModuleType
    rollout: ModuleType
    pool: ModuleType
    search: ModuleType


@cache
def load(name: str = "auto") -> Backend:
    """The engine "native" or "pure"; "auto" is native where it is installed, else pure with one warning.

    Raises ValueError for another name, ImportError if "native" is asked for and missing.
    """
    if name == "auto":
        try:
            return load("native")
        except ImportError as error:
            warnings.warn(
                f"c4mcts runs on its pure-Python engine, a hundred times slower than the native one, which could not be loaded: {error}",
                RuntimeWarning,
                stacklevel=3,
            )
            return load("pure")
    if name not in ("native", "pure"):
        raise ValueError(f'backend must be "auto", "native" or "pure", not {name!r}')
    package = f"{__package__}._{name}"
    return Backend(name, *(importlib.import_module(f"{package}.{room}") for room in ROOMS))


def backend() -> str:
    """The engine that backend="auto" means here: "native" or "pure"."""
    return load("auto").name
