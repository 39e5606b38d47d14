"""The page's modules without a browser: their tests by Node, and ESLint and TypeScript where they are installed."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
OPTIONS = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--import=./read-files.js"]  # as in package.json
PATIENCE = 120  # seconds


def run(*command):
    """Run a command in this folder; its output is the message if it fails."""
    options = {"capture_output": True, "text": True, "encoding": "utf-8", "timeout": PATIENCE}
    done = subprocess.run(command, cwd=HERE, env={**os.environ, "LC_ALL": "en_US.UTF-8"}, **options)  # Node's language
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("path", sorted(HERE.glob("js/*.test.js")), ids=lambda path: path.name)
def test_modules(node, path):
    run(node, *OPTIONS, path)


@pytest.fixture
def packages():
    """Without them the tests are skipped."""
    if not (HERE / "node_modules").is_dir():
        pytest.skip("needs the packages of tests/web/package-lock.json: npm ci --prefix tests/web")


@pytest.mark.parametrize("script", ["lint", "types"])
def test_checks(node, packages, script):
    run(shutil.which("npm"), "run", "--silent", script)


CODE = """h("p", {}, "Undo");
h("p", { title: "once more" });
say(`column ${2} is full`);
h("p", { class: "soft small" }, "…");
throw new RangeError("no such node");
"""  # the first three lines have words for the user


def test_texts_outside_of_their_modules_are_found(node, packages):
    eslint = HERE / "node_modules" / "eslint" / "bin" / "eslint.js"
    options = ["--config", HERE / "eslint.config.js", "--stdin", "--stdin-filename", "src/c4mcts/web/static/js/a.js"]
    command = [node, eslint, *options, "--format", "json"]
    done = subprocess.run(command, cwd=HERE.parents[1], input=CODE, capture_output=True, text=True, timeout=PATIENCE)
    messages = json.loads(done.stdout)[0]["messages"]
    found = [message["line"] for message in messages if message["ruleId"] == "page/own-texts"]
    assert found == [1, 2, 3], done.stdout
