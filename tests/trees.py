"""Checks of a single tree, and of equal trees of both backends."""

import copy
import math

import numpy as np
import pytest
from forging import generator_of


def check_tree(tree, shared=False):
    """Check the structure, and that the children of a block have at most the visits of their parents; may be empty.

    Each node has at least one visit without a child, that of its first rollout. shared: children may have more visits,
    from parents that left the tree when it moved to another root (positions share their children).
    """
    if len(tree) == 0:
        return
    visits, sizes = {}, {}
    for index, node in enumerate(tree):
        if not node["size"]:
            continue
        first, size = int(node["children"]), int(node["size"])
        children = tree[first : first + size]
        assert len(children) == size == sizes.setdefault(first, size)
        assert list(children["column"]) == sorted(set(children["column"]))
        visits[first] = visits.get(first, 0) + int(node["visits"]) - (index > 0)
    for first, size in sizes.items():
        assert shared or tree["visits"][first : first + size].sum(dtype=np.int64) <= visits[first]
    assert tree["column"][0] == 255
    assert (tree["column"][1:] < 64).all()
    assert sum(sizes.values()) == len(tree) - 1


def require_whole(engine):
    """Check that each node of an engine's tree can be what it says: a copy reads it as it reads a file."""
    np.testing.assert_array_equal(copy.copy(engine).tree(), engine.tree())


def assert_same(native, pure):
    """Check that both engines have equal trees and generators; the error shows the first node that differs."""
    a, b = native.tree(), pure.tree()
    if not np.array_equal(a, b):
        first = np.flatnonzero(a != b)[0] if len(a) == len(b) else min(len(a), len(b))
        raise AssertionError(
            f"{len(a)} and {len(b)} nodes; the first that differs is {first}: {a[first:][:1]} {b[first:][:1]}"
        )
    if len(a):
        assert generator_of(native) == generator_of(pure)


def children_of(tree, index):
    """The indices of a node's children, by column."""
    first = int(tree["children"][index])
    return {int(tree["column"][child]): child for child in range(first, first + int(tree["size"][index]))}


def require_same_tree(tree, node, index=0, units=1):
    """Check that a tree has the visits and rewards of a naive program, from a node on. units: of a win."""
    assert tree["visits"][index] == node.visits
    assert tree["value_sum"][index] == pytest.approx(node.reward * units)
    found = children_of(tree, index)
    assert set(node.children) <= set(found)
    for column, child in found.items():
        if column in node.children:
            require_same_tree(tree, node.children[column], child, units)
        else:
            assert tree["visits"][child] == 0


def require_same_puct_tree(tree, node, index=0):
    """Check that a tree is that of a naive program, from a node on.

    A proven node may have been passed by more often in the program than here.
    """
    assert tree["visits"][index] == node.N
    if math.isfinite(getattr(node, "U", 0.0)) and node.N:
        assert tree["value"][index] == pytest.approx(node.V, abs=1e-12)
    for column, child in children_of(tree, index).items():
        assert tree["prior"][child] == pytest.approx(node.prob[column], abs=1e-15)
        require_same_puct_tree(tree, node.children[column], child)
