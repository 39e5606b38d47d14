"""A class name exists once in the package, so that it says which class is meant."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "c4mcts"


def twin_of(path):
    """The file, without its ending and without saying which of the backends it belongs to."""
    return re.sub(r"^_(pure|native)/", "", path.relative_to(PACKAGE).with_suffix("").as_posix())


def classes_of(path):
    """The names of the classes that a file defines, also inside functions and conditions."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return {node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)}
    return set(re.findall(r"^\s*cdef class (\w+)", text, re.MULTILINE))


def homes(files):
    """The files that define each class, twins and declarations as one."""
    found = defaultdict(set)
    for path in files:
        for name in classes_of(path):
            found[name].add(twin_of(path))
    return found


@pytest.fixture(scope="module")
def places():
    return homes(path for path in sorted(PACKAGE.rglob("*")) if path.suffix in (".py", ".pyx", ".pxd"))


def test_a_class_name_exists_once(places):
    assert {name: sorted(files) for name, files in places.items() if len(files) > 1} == {}


def test_the_classes_of_the_package_were_found(places):
    assert places["Game"] == {"games"}
    assert places["NodePool"] == {"pool"}
    assert places["Board"] == {"board/board"}
