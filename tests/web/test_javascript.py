"""The page's modules without a browser: their tests by Node, and ESLint and TypeScript where they are installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
QUIET = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"  # that it would be quicker with one
PATIENCE = 120  # seconds


def run(*command):
    """Run a command in this folder; its output is the message if it fails."""
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("path", sorted(HERE.glob("js/*.test.js")), ids=lambda path: path.name)
def test_modules(node, path):
    run(node, QUIET, path)


@pytest.mark.parametrize("script", ["lint", "types"])
def test_checks(node, script):
    if not (HERE / "node_modules").is_dir():
        pytest.skip("needs the packages of tests/web/package-lock.json: npm ci --prefix tests/web")
    run(shutil.which("npm"), "run", "--silent", script)
