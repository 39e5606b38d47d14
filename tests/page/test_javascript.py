"""The page's modules without a browser: their tests by Node; and a rule of ESLint, which .ci/lint runs."""

import json
import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
OPTIONS = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--import=./read-files.js"]  # as in package.json
ALL = """import { readdirSync } from "node:fs";
for (const name of readdirSync("js")) if (name.endsWith(".test.js")) await import(`./js/${name}`);"""  # one process
PATIENCE = 120  # seconds


def test_modules(node):
    command = [node, *OPTIONS, "--input-type=module", "-e", ALL]
    options = {"capture_output": True, "text": True, "encoding": "utf-8", "timeout": PATIENCE}
    done = subprocess.run(command, cwd=HERE, env={**os.environ, "LC_ALL": "en_US.UTF-8"}, **options)  # Node's language
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout


CODE = """h("p", {}, "Undo");
h("p", { title: "once more" });
say(`column ${2} is full`);
h("p", { class: "soft small" }, "…");
throw new RangeError("no such node");
"""  # the first three lines have words for the user


@pytest.mark.skipif(not (HERE / "node_modules").is_dir(), reason="needs ESLint: npm ci --prefix tests/page")
def test_texts_outside_of_their_modules_are_found(node):
    eslint = HERE / "node_modules" / "eslint" / "bin" / "eslint.js"
    options = ["--config", HERE / "eslint.config.js", "--stdin", "--stdin-filename", "src/c4mcts/page/static/js/a.js"]
    command = [node, eslint, *options, "--format", "json"]
    done = subprocess.run(command, cwd=HERE.parents[1], input=CODE, capture_output=True, text=True, timeout=PATIENCE)
    messages = json.loads(done.stdout)[0]["messages"]
    found = [message["line"] for message in messages if message["ruleId"] == "page/own-texts"]
    assert found == [1, 2, 3], done.stdout
