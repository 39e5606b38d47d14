"""The node pool: all nodes of one tree in one array, the children of a node side by side.

index   0      1   2   3   4   5   6   7      8   9  10  ...
      root  |  its children, by column    |  children of node 4 | ...
"""

from struct import Struct

from .._layout import MAX_NODES, MAX_SIDE, NO_CHILDREN, NO_COLUMN, NODE_FIELDS, UNKNOWN
from .._validation import between
from .blocks import Blocks, forget, move

FIELDS = tuple(name for name, _ in NODE_FIELDS)
PAIR = Struct("=dd")
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


class Estimate:
    """What an evaluator says of a node."""

    __slots__ = ("prior", "value")

    def __init__(self, prior):
        self.prior = prior  # share of the move that leads here, among those of its block
        self.value = 0.0  # mean of the evaluations below, in [-1, 1], for the player who moved into the node


class Pool:
    """Nodes 0 .. used-1, never more than `limit` of them."""

    __slots__ = ("blocks", "estimates", "limit", "nodes", "short_wins", "used")

    def __init__(self, limit):
        self.limit = between("max_nodes", limit, 1, MAX_NODES)
        self.estimates = None  # one for each node, if there is an evaluator
        self.blocks = Blocks(self.limit)
        clear(self)


def clear(pool):
    """Forget everything but a fresh root."""
    pool.nodes = [Node(NO_COLUMN)]
    pool.used = 1
    if pool.estimates is not None:
        pool.estimates = [Estimate(1.0)]
    pool.short_wins = [0] * MAX_SIDE  # by column of the root: plies to the soonest win seen through it; 0: none
    forget(pool.blocks)


def take(pool, size):
    """Index of the first of `size` nodes side by side, for the caller to fill; NO_CHILDREN if there is no room."""
    first = pool.used
    if size > pool.limit - first:
        return NO_CHILDREN
    pool.nodes.extend([None] * size)
    if pool.estimates is not None:
        pool.estimates.extend([None] * size)
    pool.used += size
    return first


def reach(nodes, moved, node):
    """Write the size of every block that descends from a node to the place of its first child."""
    path = [node]
    turns = [0]  # how many children have been gone into
    if nodes[node].size:
        moved[nodes[node].children] = nodes[node].size
    while path:
        node = path[-1]
        if turns[-1] == nodes[node].size:
            path.pop()
            turns.pop()
            continue
        child = nodes[node].children + turns[-1]
        turns[-1] += 1
        if nodes[child].size and moved[nodes[child].children] == 0:
            moved[nodes[child].children] = nodes[child].size
            path.append(child)
            turns.append(0)


def keep(pool, node):
    """Make `node` the root and drop all that doesn't descend from it; what stays moves up, in its order.

    After a MemoryError the pool must be cleared.
    """
    nodes = pool.nodes
    moved = [0] * pool.used  # by index of a first child: the block's size, then where it is now
    reach(nodes, moved, node)
    root = nodes[node]
    root.column = NO_COLUMN
    root.proof = UNKNOWN  # what a root is known for must be seen in its children
    kept = [root]
    judged = pool.estimates and [pool.estimates[node]]
    for first in range(1, pool.used):
        size = moved[first]
        if size:
            moved[first] = len(kept)
            kept += nodes[first : first + size]
            if judged is not None:
                judged += pool.estimates[first : first + size]
    for each in kept:
        if each.size:
            each.children = moved[each.children]
    pool.nodes = kept
    pool.estimates = judged
    pool.used = len(kept)
    pool.short_wins = [0] * MAX_SIDE
    move(pool.blocks, moved)


def most_visits(pool):
    """Visits of the node that has the most; where children are shared, it need not be the root."""
    return max(node.visits for node in pool.nodes)


def rows(pool, first, count):
    """Copies of `count` nodes from index `first` on, in their bytes."""
    if count > pool.used or first > pool.used - count:
        raise IndexError(f"nodes {first} to {first} + {count} of {pool.used}")
    return b"".join(
        PACKED.pack(*(getattr(node, name) for name in FIELDS)) for node in pool.nodes[first : first + count]
    )


def estimates(pool, first, count):
    """Values and priors of `count` nodes from index `first` on, in the bytes of doubles, the two of a node in turn."""
    if pool.estimates is None:
        raise ValueError("there are no estimates: there is no evaluator")
    return b"".join(PAIR.pack(estimate.value, estimate.prior) for estimate in pool.estimates[first : first + count])


def set_estimates(pool, data):
    """Take over what `estimates` gave for all nodes; False, and nothing is changed, if it is of another size."""
    if pool.estimates is None:
        raise ValueError("there are no estimates: there is no evaluator")
    if len(data) != pool.used * PAIR.size:
        return False
    for estimate, (value, prior) in zip(pool.estimates, PAIR.iter_unpack(data), strict=True):
        estimate.value = value
        estimate.prior = prior
    return True
