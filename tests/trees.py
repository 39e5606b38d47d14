"""What must hold of every tree, and of the trees of twins."""

import numpy as np


def check_tree(tree, shared=False):
    """Visits of the children of a block must be those of its parents without their own; an empty tree passes.

    A node has at least one visit of its own, its first rollout. shared: some visits of children may be due to parents
    that are no longer in the tree, because it was moved to another root and positions share their children.
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


def assert_same(native, pure):
    """Both engines hold the same tree and the same generator; else say which node differs first."""
    a, b = native.tree(), pure.tree()
    if not np.array_equal(a, b):
        first = np.flatnonzero(a != b)[0] if len(a) == len(b) else min(len(a), len(b))
        raise AssertionError(
            f"{len(a)} and {len(b)} nodes; the first that differs is {first}: {a[first:][:1]} {b[first:][:1]}"
        )
    if len(a):
        assert native._tree._searcher.state() == pure._tree._searcher.state()
