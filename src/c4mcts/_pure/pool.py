"""The node pool: all nodes of one tree in one array, the children of a node side by side.

index   0      1   2   3   4   5   6   7      8   9  10  ...
      root  |  its children, by column    |  children of node 4 | ...
"""

from struct import Struct

from .._layout import MAX_NODES, NO_CHILDREN, NO_COLUMN, NODE_FIELDS, ROOT, UNKNOWN
from .blocks import Blocks, forget, move

FIELDS = tuple(name for name, _ in NODE_FIELDS)
PACKED = Struct("=" + "".join({"u1": "B", "u2": "H", "u4": "I"}[kind] for _, kind in NODE_FIELDS))


class Node:
    """One node; _layout.NODE_FIELDS says what the fields mean."""

    __slots__ = FIELDS

    def __init__(self, column):
        self.visits = 0
        self.value_sum = 0
        self.children = NO_CHILDREN
        self.proof = UNKNOWN
        self.column = column
        self.size = 0


class Pool:
    """Nodes 0 .. used-1, never more than `limit` of them."""

    __slots__ = ("blocks", "limit", "nodes", "used")

    def __init__(self, limit):
        self.limit = min(limit, MAX_NODES)
        self.blocks = Blocks()
        clear(self)


def clear(pool):
    """Forget everything but a fresh root."""
    pool.nodes = [Node(NO_COLUMN)]
    pool.used = 1
    forget(pool.blocks)


def keep(pool, node):
    """Make `node` the root and drop all that doesn't descend from it. MemoryError leaves the pool as it was.

    Cheney, "A nonrecursive list compacting algorithm" (1970): the new array is the queue of its own breadth-first
    walk, so blocks of children stay whole and nothing recurses.
    """
    source = pool.nodes
    nodes = [source[node]]
    nodes[ROOT].column = NO_COLUMN
    nodes[ROOT].proof = UNKNOWN  # what a root is known for must be seen in its children
    moved = {}  # where the blocks are now
    scan = 0
    while scan < len(nodes):
        size = nodes[scan].size
        if size:
            first = nodes[scan].children
            if first not in moved:
                moved[first] = len(nodes)
                nodes += source[first : first + size]
            nodes[scan].children = moved[first]
        scan += 1
    pool.nodes = nodes
    pool.used = len(nodes)
    move(pool.blocks, moved)


def rows(pool, first, count):
    """Copies of `count` nodes from index `first` on, in their bytes."""
    if count > pool.used or first > pool.used - count:
        raise IndexError(f"nodes {first} to {first} + {count} of {pool.used}")
    return b"".join(
        PACKED.pack(*(getattr(node, name) for name in FIELDS)) for node in pool.nodes[first : first + count]
    )
