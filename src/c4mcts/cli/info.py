"""Print version, backend and platform, for bug reports; or a hash of searches, the same on every platform."""

import argparse
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .. import __version__, _backend
from .._platform import processors
from ..provenance import provenance
from ..signature import parts, signature
from .engines import backend_of
from .failures import OK, UsageError
from .options import add_options
from .output import print_json, show


def add(parser: argparse.ArgumentParser) -> None:
    text = "print one hash of fixed searches instead: the same for both backends; with --json also one of each part"
    parser.add_argument("--signature", action="store_true", help=text)
    add_options(parser, "backend", "json")


def run(args: argparse.Namespace) -> int:
    if not args.signature and args.backend != "auto":
        raise UsageError("--backend is for --signature")
    if args.signature:
        backend, hashes = backend_of(args), parts(args.backend)
        report = {**provenance(backend=backend, threads=1), "signature": signature(hashes), "parts": hashes}
    else:
        report = environment()
    if args.json:
        print_json(report)
    elif args.signature:
        show(report["signature"])
    else:
        width = max(map(len, report))
        for name, value in report.items():
            show(f"{name:<{width}}  {value}")
    return OK


def environment() -> dict[str, Any]:
    """The lines of a bug report."""
    name, because, where, simd = "native", "the native backend is installed", None, None
    try:
        native = _backend.load("native")
        where, simd = native.search.__file__, native.rollout.form()
    except ImportError as error:
        name, because = "pure", f"the native backend can't be loaded: {error}"
    threading = "" if getattr(sys, "_is_gil_enabled", lambda: True)() else ", free-threaded"
    return {
        "version": __version__,
        "installed_in": str(Path(_backend.__file__).parent),
        "backend": name,
        "because": because,
        "extension": where,
        "simd": simd,
        "python": f"{platform.python_version()} {platform.python_implementation()}{threading}",
        "executable": sys.executable,
        "numpy": version("numpy"),
        "rich": version("rich"),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "processors": processors(),
    }
