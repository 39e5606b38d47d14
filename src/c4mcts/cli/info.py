"""Print version, backend and platform, as a bug report needs them."""

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
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print one fact per line, or one JSON object."""
    found = environment()
    if args.json:
        print_json(found)
        return 0
    width = max(map(len, found))
    for name, value in found.items():
        print(f"{name:<{width}}  {value}")
    return 0


def environment() -> dict[str, Any]:
    """Names and values of everything that is printed."""
    name, reason, where, simd = backend_facts()
    return {
        "version": __version__,
        "installed_in": str(Path(_backend.__file__).parent),
        "backend": name,
        "because": reason,
        "extension": where,
        "simd": simd,
        "python": f"{platform.python_version()} {platform.python_implementation()}{free_threading()}",
        "executable": sys.executable,
        "numpy": version("numpy"),
        "rich": version("rich"),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
    }


def backend_facts() -> tuple[str, str, str | None, str | None]:
    """The backend that "auto" selects here, the reason, the file of the extension module, the form of random games."""
    try:
        native = _backend.load("native")
    except ImportError as error:
        return "pure", f"the native backend can't be loaded: {error}", None, None
    return "native", "the native backend is installed", native.search.__file__, native.lanes.form()


def free_threading() -> str:
    """A suffix for the Python version if the interpreter runs without its global lock."""
    gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    return "" if gil else ", free-threaded"
