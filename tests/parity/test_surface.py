"""The twins are one text written twice: the same functions, in the same order, with the same parameters."""

import ast
import re
from pathlib import Path

import pytest

import c4mcts
from c4mcts import _backend
from c4mcts._backend import Backend

PURE = Path(c4mcts.__file__).parent / "_pure"
NATIVE = Path(__file__).parents[2] / "src" / "c4mcts" / "_native"  # wheels don't carry the sources

PURE_MODULES = {path.stem for path in PURE.glob("[!_]*.py")}
TWINS = sorted(PURE_MODULES & {path.stem for path in NATIVE.glob("*.pyx")})  # their layers: pyproject.toml

# By module, what only C needs: the kernels of large boards, memory management, several threads, functions compiled once
# a kernel.
NATIVE_ONLY = {
    "bounds": "win_score",  # which Python has in _layout
    "cells": "lines_of_four gaps_of_four private_rules cells_of number_of",
    "bitboard": "lines_size has_run count_sequences walk write_words add_bits paint_rows row_of",
    "threats": "mark_line mark_column",
    "rollout": (
        "play_games play_lane play_side_by_side take_over set_lane_rules answer give_back random_low_game "
        "forms form use_form"
    ),
    "pool": "set_key find_entry must_widen widen __dealloc__ resized reserve estimate keep_raw_values",
    "table": "place_of entry_at bucket_of second_word is_of put touch allocate_table free_table code_at",
    "alphabeta": "attach allocate release is_overtaken is_shared search_noted prefer_idle",
    "solver": "__dealloc__ begin_probes answer end_probes",
    "certificate": "reserve is_kept release find_entry fetch_entry __dealloc__",
    "proofs": "ask_solver resume_probe",
    "network": "evaluate_both evaluate_board flush with_dead",
    "simulation": "reward needs_memory grow is_plain run",
    "search": "enlarge size_of",
    "puct": "lacks_capacity ensure_capacity gather_on",
    "book": "score_of",
    "moves": "list_moves outcome_of",  # for pools of games, whose oracle is an engine alone
}
# By module, what only Python needs: constructors of classes that are structs in C, a search without recursion, the
# native table's format, and the scores of a selection by themselves, for people to see; in the native `select` the call
# would cost 3 % of a simulation.
PURE_ONLY = {
    "numbers": "__init__",
    "rollout": "__init__",
    "table": "__init__ words_per_entry remainder_bits read_word write_word",
    "ordering": "__init__",
    "poll": "__init__",
    "alphabeta": "__init__ run",
    "network": "rows_of",
    "selection": "score_children score_by_prior",
    "simulation": "__init__",
    "puct_score": "score_children",
}


def pure_functions(module):
    tree = ast.parse((PURE / f"{module}.py").read_text())
    functions = []
    for node in tree.body:
        for inner in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(inner, ast.FunctionDef):
                functions.append((inner.name, [argument.arg for argument in inner.args.args]))
    return functions


def native_functions(path):
    """Functions that have a body in a .pxd or .pyx."""
    pattern = re.compile(r"^ *(?:cdef(?! class)|def)\b[^\n(=]*?(\w+)\(([^)]*)\)([^\n]*)$", re.MULTILINE)
    functions = []
    for name, arguments, rest in pattern.findall(path.read_text()):
        arguments = re.sub(r"\[[^]]*\]", "", arguments)  # shapes of memoryviews
        if rest.rstrip().endswith(":"):
            names = [
                re.findall(r"\w+", argument.split("=")[0])[-1] for argument in arguments.split(",") if argument.strip()
            ]
            functions.append((name.replace("__cinit__", "__init__"), names))
    return functions


def test_every_pure_module_has_a_twin():
    assert set(TWINS) == PURE_MODULES
    assert {*NATIVE_ONLY, *PURE_ONLY} <= set(TWINS)


@pytest.mark.parametrize("module", TWINS)
def test_same_functions_in_the_same_order_with_the_same_parameters(module):
    pure = dict(pure_functions(module))
    native = dict(native_functions(NATIVE / f"{module}.pxd") + native_functions(NATIVE / f"{module}.pyx"))
    assert set(native) - set(pure) == set(NATIVE_ONLY.get(module, "").split())
    assert set(pure) - set(native) == set(PURE_ONLY.get(module, "").split())
    for name in set(pure) & set(native):
        assert native[name] == pure[name], name
    order = [name for name, _ in pure_functions(module) if name != "__init__"]  # several classes have one
    for suffix in (".pxd", ".pyx"):
        found = [name for name, _ in native_functions(NATIVE / f"{module}{suffix}") if name in order]
        assert found == [name for name in order if name in found]


def test_the_native_backend_is_compiled():
    from c4mcts._backend import load

    assert load("native").search.__file__.endswith((".so", ".pyd"))
    assert load("pure").search.__file__.endswith(".py")
    assert c4mcts.backend() == "native"


def test_a_binary_for_another_python_is_as_good_as_none(monkeypatch):
    """Free-threaded CPython 3.14 opens binaries of the Limited API, and then raises SystemError."""
    error = SystemError("init function of bitboard returned uninitialized object")
    monkeypatch.setattr(_backend.importlib, "import_module", lambda name: raised(error) if "_native" in name else name)
    monkeypatch.setattr(_backend, "_load", Backend)  # without what is loaded already
    with pytest.raises(ImportError, match=r"c4mcts._native.bitboard was compiled for another Python: init function"):
        _backend.load("native")
    with pytest.warns(RuntimeWarning, match=r"runs on its pure-Python backend.* compiled for another Python"):
        assert _backend._best.__wrapped__().name == "pure"


def raised(error):
    raise error
