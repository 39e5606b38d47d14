"""The page's modules without a browser: their tests by Node, and ESLint and TypeScript where they are installed."""

import shutil
import subprocess
from pathlib import Path

import pytest
from page import is_ci

HERE = Path(__file__).parent
OLDEST = (20, 19)  # from there on Node needs no package.json beside a file to see that it is a module
QUIET = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"  # that it would be quicker with one
PATIENCE = 120  # seconds


def run(*command):
    """Run a command in this folder; its output is the message if it fails."""
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def node():
    """The path of Node. Without it the tests are skipped, but on CI they fail."""
    path = shutil.which("node")
    version = run(path, "--version").strip() if path else "none"
    if path is None or tuple(map(int, version[1:].split(".")[:2])) < OLDEST:
        words = f"needs Node {OLDEST[0]}.{OLDEST[1]} or later; found: {version}"
        (pytest.fail if is_ci() else pytest.skip)(words)
    return path


@pytest.mark.parametrize("path", sorted(HERE.glob("js/*.test.js")), ids=lambda path: path.name)
def test_modules(node, path):
    run(node, QUIET, path)


@pytest.mark.parametrize("script", ["lint", "types"])
def test_checks(node, script):
    if not (HERE / "node_modules").is_dir():
        pytest.skip("needs the packages of tests/web/package-lock.json: npm ci --prefix tests/web")
    run(shutil.which("npm"), "run", "--silent", script)
