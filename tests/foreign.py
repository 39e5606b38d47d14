"""Packages that c4mcts has adapters to. Tests of an adapter are skipped where its package is not installed."""

import importlib
import importlib.util
import subprocess
import sys
import warnings

import pytest


def missing(package):
    """The reason to skip a test that needs a package."""
    return f"{package} is not installed: see CONTRIBUTING.md"


def foreign(package, module=None):
    """Import a package, or a module that needs it. Its warnings while it is imported are its own affair."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = pytest.importorskip(package, reason=missing(package))
        return found if module is None else importlib.import_module(module)


def run_apart(package, code):
    """Run code in a separate process, for a package whose import changes the streams and the logging of a process."""
    if importlib.util.find_spec(package) is None:
        pytest.skip(missing(package))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
