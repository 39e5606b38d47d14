"""What must hold of every tree, and of the trees of twins."""

import numpy as np


def check_tree(tree):
    """Visits of every node must be those of its children and of its own first rollout; an empty tree passes."""
    if len(tree) == 0:
        return
    for index, node in enumerate(tree):
        if not node["size"]:
            continue
        children = tree[node["children"] : node["children"] + node["size"]]
        assert len(children) == node["size"]
        assert list(children["column"]) == sorted(set(children["column"]))
        own = int(node["visits"]) - int(children["visits"].sum(dtype=np.int64))
        assert own >= (0 if index == 0 else 1)
    assert tree["column"][0] == 255
    assert (tree["column"][1:] < 64).all()
    firsts = tree["children"][tree["size"] > 0].tolist()
    assert len(set(firsts)) == len(firsts)
    assert sum(tree["size"].tolist()) == len(tree) - 1


def assert_same(native, pure):
    """Both engines hold the same tree and the same generator; else say which node differs first."""
    a, b = native.tree(), pure.tree()
    if not np.array_equal(a, b):
        first = np.flatnonzero(a != b)[0] if len(a) == len(b) else min(len(a), len(b))
        raise AssertionError(
            f"{len(a)} and {len(b)} nodes; the first that differs is {first}: {a[first:][:1]} {b[first:][:1]}"
        )
    if len(a):
        assert native._searcher.state() == pure._searcher.state()
