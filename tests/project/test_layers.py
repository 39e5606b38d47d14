"""Modules import only lower layers, as docs/internals/architecture.md draws them; a plain import loads little."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import grimp
import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

import c4mcts

ROOT = Path(__file__).parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
NATIVE = ROOT / "src" / "c4mcts" / "_native"


@pytest.mark.parametrize("contract", [contract["id"] for contract in CONTRACTS])
def test_no_module_imports_a_higher_layer(contract, capsys):
    config = str(ROOT / "pyproject.toml")
    status = lint_imports(config, limit_to_contracts=(contract,), no_cache=True, no_logo=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def circles(graph):
    """The sets of modules that import each other, directly or by way of others in the set."""
    above = {module: graph.find_upstream_modules(module) for module in graph.modules}
    found = {frozenset({one, *(other for other in above[one] if one in above[other])}) for one in above}
    return [sorted(circle) for circle in found if len(circle) > 1]


def test_modules_do_not_import_in_circles():
    """Imports inside functions and those for type checkers count, too."""
    assert circles(grimp.build_graph("c4mcts", cache_dir=None)) == []


def test_only_adapters_import_what_they_adapt_to():
    graph = grimp.build_graph("c4mcts", include_external_packages=True, cache_dir=None)
    found = {"pyspiel", "gymnasium", "pettingzoo", "pgx", "kaggle_environments"} & graph.modules
    assert found >= {"pyspiel", "gymnasium", "pettingzoo"}
    importers = {importer for package in found for importer in graph.find_modules_that_directly_import(package)}
    assert {importer for importer in importers if not importer.startswith("c4mcts.adapters.")} == set()


@pytest.mark.parametrize("folder", ["src", "bench", "examples", "tools"])
def test_processors_are_counted_in_one_place(folder):
    """A container or a job has fewer than the machine."""
    counting = re.compile(r"\b(process_)?cpu_count\b|sched_getaffinity")
    found = {path.name for path in (ROOT / folder).rglob("*.py") if counting.search(path.read_text(encoding="utf-8"))}
    assert found == ({"_platform.py"} if folder == "src" else set())


def native_layers():
    """The layer of every native module, the lowest first: that of its twin, if it has one."""
    (names,) = (contract["layers"] for contract in CONTRACTS if contract["id"] == "backends")
    layers = {name: layer for layer, line in enumerate(reversed(names)) for name in line.split(" | ")}
    layers["atomics"] = -1  # under all others
    layers["settings"] = -1  # the settings of _layout as structs, which setup.py writes
    layers["low_board"] = layers["bitboard"] + 0.5  # a board for random games
    layers["prober"] = layers["poll"] + 0.5  # what the search asks the solver
    layers["book_reader"] = -1  # what it asks a book
    layers["sharing"] = layers["launch"] = layers["alphabeta"] - 0.5  # what threads share, and how they start
    layers["team"] = layers["solver"] - 0.5  # solve a position for the solver
    layers["threads"] = layers["simulation"] + 0.5  # grow the tree for the search
    layers["answers"] = layers["threats"]  # what the evaluator said, for the games of a pool
    layers["game"], layers["gamepool"] = layers["moves"] + 1, layers["moves"] + 2
    layers["proof_search"], layers["proof_improvement"] = layers["certificate"] + 0.3, layers["certificate"] + 0.6
    return layers


@pytest.mark.parametrize("path", sorted([*NATIVE.glob("*.pyx"), *NATIVE.glob("[!_]*.pxd")]), ids=lambda path: path.name)
def test_native_modules_keep_the_layers_of_their_twins(path):
    layers = native_layers()
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"^from (?:\.|c4mcts\._native\.)(\w+) cimport", text, re.MULTILINE):
        assert target == path.stem or layers[target] < layers[path.stem], target
    assert "_pure" not in re.findall(r"^(?:from|import) [\w.]*(_pure)", text, re.MULTILINE)


OPTIONAL = {
    *("IPython", "anywidget", "argparse", "asyncio", "c4mcts.cli", "c4mcts.protocol", "c4mcts.study"),
    *("concurrent.futures", "hypothesis", "jsonschema", "matplotlib", "multiprocessing", "rich", "shtab", "starlette"),
    *("tempfile", "zipfile"),
}
SLOW = {"fractions", "html", "json", "pathlib"}  # of the standard library; few programs need them


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import c4mcts", {"numpy", "c4mcts.rules", "c4mcts._backend", *OPTIONAL, *SLOW}),
        ("import c4mcts; c4mcts.Board", {"c4mcts.search", "c4mcts.solver", "c4mcts.board.svg", *OPTIONAL, *SLOW}),
        ("import c4mcts; c4mcts.Engine().search(c4mcts.Board(), simulations=1)", {*OPTIONAL, *SLOW}),
        ("from c4mcts import *", OPTIONAL),
    ],
)
def test_what_a_program_does_not_use_is_not_loaded(code, unwanted):
    """On top of what NumPy loads."""
    script = f"""
import sys
if {"numpy" not in unwanted}:
    import numpy.random
before = set(sys.modules)
{code}
print(*set(sys.modules) - before)
"""
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert not unwanted & set(loaded)


def test_public_names_are_found_where_type_checkers_see_them():
    tree = ast.parse((ROOT / "src/c4mcts/__init__.py").read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If) and not isinstance(node.test, ast.UnaryOp)]
    seen = [(node.module, alias.name) for node in block.body for alias in node.names if alias.name == alias.asname]
    assert seen == [(module, name) for module, names in c4mcts._MODULES.items() for name in names]
    assert set(c4mcts.__all__) | c4mcts._SUBMODULES <= set(dir(c4mcts))
    for name in (*c4mcts.__all__, *c4mcts._SUBMODULES):
        assert getattr(c4mcts, name) is not None
    with pytest.raises(AttributeError, match="module 'c4mcts' has no attribute 'Bored'"):
        c4mcts.Bored  # noqa: B018
