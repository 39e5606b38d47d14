"""Modules import only lower layers, as docs/internals/architecture.md draws them; a plain import loads little."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
NATIVE = ROOT / "src" / "c4mcts" / "_native"


@pytest.mark.parametrize("contract", [contract["id"] for contract in CONTRACTS])
def test_no_module_imports_a_higher_layer(contract, capsys):
    config = str(ROOT / "pyproject.toml")
    status = lint_imports(config, limit_to_contracts=(contract,), no_cache=True, no_logo=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def native_layers():
    """The layer of every native module, the lowest first: that of its twin."""
    (names,) = (contract["layers"] for contract in CONTRACTS if contract["id"] == "backends")
    layers = {name: layer for layer, line in enumerate(reversed(names)) for name in line.split(" | ")}
    layers["atomics"] = -1  # under all others
    layers["sharing"] = layers["launch"] = layers["alphabeta"] - 0.5  # what threads share, and how they start
    layers["team"] = layers["solver"] - 0.5  # solve a position for the solver
    layers["threads"] = layers["simulation"] + 0.5  # grow the tree for the search
    return layers


@pytest.mark.parametrize("path", sorted([*NATIVE.glob("*.pyx"), *NATIVE.glob("[!_]*.pxd")]), ids=lambda path: path.name)
def test_native_modules_keep_the_layers_of_their_twins(path):
    layers = native_layers()
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"^from \.(\w+) cimport", text, re.MULTILINE):
        assert target == path.stem or layers[target] < layers[path.stem], target
    assert "_pure" not in re.findall(r"^(?:from|import) [\w.]*(_pure)", text, re.MULTILINE)


def test_a_plain_import_loads_nothing_optional():
    code = "import sys, json, c4mcts; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
    optional = {
        "IPython",
        "anywidget",
        "argparse",
        "asyncio",
        "c4mcts.cli",
        "c4mcts.protocol",
        "c4mcts.study",
        "c4mcts.view.svg",
        "concurrent.futures",
        "hypothesis",
        "jsonschema",
        "matplotlib",
        "rich",
        "shtab",
        "starlette",
    }
    assert not optional & set(loaded)
