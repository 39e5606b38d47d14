"""Say what is installed: all that a bug report needs."""

import argparse
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .. import __version__, _backend
from .arguments import add_json, print_json


def add(parser: argparse.ArgumentParser) -> None:
    """The options."""
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the facts, one a line."""
    found = facts()
    if args.json:
        print_json(found)
        return 0
    width = max(map(len, found))
    for name, value in found.items():
        print(f"{name:<{width}}  {value}")
    return 0


def facts() -> dict[str, Any]:
    """Names and values."""
    name, reason, where = engine()
    return {
        "c4mcts": __version__,
        "installed in": str(Path(_backend.__file__).parent),
        "backend": name,
        "because": reason,
        "extension": where,
        "python": f"{platform.python_version()} {platform.python_implementation()}{free_threading()}",
        "executable": sys.executable,
        "numpy": version("numpy"),
        "rich": version("rich"),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
    }


def engine() -> tuple[str, str, str | None]:
    """The engine "auto" means here, why, and the file of the extension."""
    try:
        native = _backend.load("native")
    except ImportError as error:
        return "pure", f"the native engine can't be loaded: {error}", None
    return "native", "the native engine is installed", native.search.__file__


def free_threading() -> str:
    """A word on the interpreter's lock, if it has none."""
    gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    return "" if gil else ", free-threaded"
