"""Draws pictures with Graphviz, whose program `dot` must be installed."""

import os
import shutil
import subprocess
from pathlib import Path

from .._files import StrPath, path_of
from .._validation import shown, string

FORMATS = (".png", ".svg", ".pdf")
MISSING = (
    "Graphviz is needed to draw {}: no program dot is on the PATH (see https://graphviz.org/download). "
    "A .dot file can be written without it"
)


def render(dot: str, path: StrPath) -> None:
    """Draw text in the DOT language to a .png, .svg or .pdf file.

    ValueError for another suffix, FileNotFoundError if Graphviz is missing, RuntimeError with the message of Graphviz
    if it fails, OSError if the file can't be written.
    """
    text = string("dot", dot).encode(errors="replace")
    program = require_dot(path)
    done = subprocess.run([program, f"-T{Path(path).suffix.lower()[1:]}"], input=text, capture_output=True)
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip() or f"exit code {done.returncode}"
        raise RuntimeError(f"Graphviz could not draw {os.fspath(path)}: {message}")
    Path(path).write_bytes(done.stdout)


def require_dot(path: StrPath) -> str:
    """The path of the program `dot`; raises as `render` does if it is missing, or for a file of another suffix."""
    if Path(path_of("path", path)).suffix.lower() not in FORMATS:
        raise ValueError(
            f"a picture must be a {', '.join(FORMATS[:-1])} or {FORMATS[-1]} file, not {shown(os.fspath(path))}"
        )
    program = shutil.which("dot")
    if program is None:
        raise FileNotFoundError(MISSING.format(os.fspath(path)))
    return program
