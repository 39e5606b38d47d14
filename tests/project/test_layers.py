"""Arrows between the rooms never turn back, and a plain import stays light."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import c4mcts

PACKAGE = Path(c4mcts.__file__).parent

# Each group may import the groups before it, and nothing else of the package.
ORDER = [
    ["errors", "_layout"],
    ["_files"],
    ["numbers"],
    ["rules"],
    ["_pure.rng", "_pure.bitboard", "_pure.table"],
    ["_native.atomics"],
    ["_native.rng", "_native.bitboard", "_native.table"],
    ["_pure.threats", "_native.threats", "_pure.blocks", "_native.blocks", "_pure.polling", "_native.polling"],
    ["_pure.rollout", "_pure.bounds", "_pure.pool"],
    ["_native.rollout", "_native.bounds", "_native.pool"],
    ["_pure.alphabeta", "_native.alphabeta"],
    ["_pure.solver", "_native.solver"],
    ["_pure.proofs", "_native.proofs"],
    ["_pure.selection", "_native.selection"],
    ["_pure.checking", "_native.checking"],
    ["_pure.simulation", "_native.simulation"],
    ["_native.team"],
    ["_pure.search", "_native.search"],
    ["_pure.planes", "_native.planes"],
    ["_pure.puct", "_native.puct"],
    ["_pure.games"],
    ["_backend"],
    ["notation"],
    ["cells"],
    ["board", "params", "limits", "seeds", "scale", "evaluators"],
    ["checks"],
    ["examples", "planes", "view.text", "view.svg"],
    ["result", "solver", "game"],
    ["saving", "view.result_svg"],
    ["watching", "narrowing"],
    ["choosing"],
    ["reading", "counts"],
    ["tree"],
    ["engine", "gamesearch"],
    ["ensemble", "view.dot", "view.graphviz"],
    ["__init__"],
    ["checkpoint"],
    ["jobs"],
    ["play.players", "play.record"],
    ["play.arena", "play.selfplay"],
    ["signature"],
    ["study.asking", "study.intervals", "study.plots", "study.tables"],
    ["study.converge", "study.frequencies", "study.optimum", "study.win_rates"],
    ["study"],
    ["cli"],
    ["__main__"],
]
PACKAGES = {"cli", "study"}  # rooms that stand for a folder or its __init__
LAZY = {  # inside functions only: pictures
    ("board", "view.text"),
    ("board", "view.svg"),
    ("result", "view.result_svg"),
}


def room_of(path):
    parts = list(path.relative_to(PACKAGE).with_suffix("").parts)
    if parts[0] == "cli":
        return "cli"
    if len(parts) > 1 and parts[-1] == "__init__":
        return ".".join(parts[:-1]) if path.read_text().strip() else None  # most packages have no code of their own
    return ".".join(parts)


def rank(room):
    return next(i for i, group in enumerate(ORDER) if room in group)


def resolve(room, level, module, name):
    """The room that `from <dots><module> import <name>` reads; None for other packages."""
    if level == 0:
        if module == "c4mcts":
            target = [name]
        elif module.startswith("c4mcts."):
            target = [*module.split(".")[1:], name]
        else:
            return None
    else:
        base = [*room.split("."), "x"] if room in PACKAGES else room.split(".")
        target = [*base[: len(base) - level], *(module.split(".") if module else []), name]
    if target[0] == "cli":
        return "cli"
    known = {member for group in ORDER for member in group}
    for length in range(len(target), 0, -1):
        if ".".join(target[:length]) in known:
            return ".".join(target[:length])
    return "__init__"


def imports_of(path, room):
    """Pairs (imported room, whether the import is inside a function)."""
    tree = ast.parse(path.read_text())
    inside = {id(node) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for node in ast.walk(f)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield resolve(room, node.level, node.module or "", alias.name), id(node) in inside
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "c4mcts":
                    yield "__init__", id(node) in inside


SOURCES = [path for path in sorted(PACKAGE.rglob("*.py")) if room_of(path)]


@pytest.mark.parametrize("path", SOURCES, ids=room_of)
def test_arrows_never_turn_back(path):
    room = room_of(path)
    for target, lazy in imports_of(path, room):
        if target is None or target == room or (lazy and (room, target) in LAZY):
            continue
        assert rank(target) < rank(room), f"{room} imports {target}"
        if room not in ("_backend",):
            assert target.split(".")[0] not in {"_pure", "_native"} - {room.split(".")[0]}, f"{room} imports {target}"


def test_native_rooms_import_in_the_same_direction():
    native = Path(__file__).parents[2] / "src" / "c4mcts" / "_native"
    for path in sorted([*native.glob("*.pyx"), *native.glob("*.pxd")]):
        room = f"_native.{path.stem}"
        for target in re.findall(r"^from \.(\w+) cimport", path.read_text(), re.MULTILINE):
            assert rank(f"_native.{target}") < rank(room) or target == path.stem
        assert "_pure" not in re.findall(r"^(?:from|import) [\w.]*(_pure)", path.read_text(), re.MULTILINE)


def test_a_plain_import_loads_nothing_optional():
    code = "import sys, json, c4mcts; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
    heavy = {
        "rich",
        "matplotlib",
        "starlette",
        "c4mcts.study",
        "concurrent.futures.process",
        "argparse",
        "c4mcts.cli",
        "c4mcts.view.svg",
        "hypothesis",
        "asyncio",
    }
    assert not heavy & set(loaded)
