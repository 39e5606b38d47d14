"""The node pool: all nodes of one tree in one array, the children of a node next to each other.

index   0      1   2   3   4   5   6   7      8   9  10  ...
      root  |  its children, by column    |  children of node 4 | ...

A table finds the block of children of a position, for transpositions. Childs, Brodeur and Kocsis, "Transpositions and
move groups in Monte Carlo tree search" (2008): nodes of the same position share one block of children, with statistics
for (position, column); each node keeps its own visits and rewards.
"""

from .._layout import (
    CLAIMED,
    MAX_NODES,
    MAX_SIDE,
    NETWORK,
    NO_CHILDREN,
    NO_COLUMN,
    NODE_FIELDS,
    NODES_PER_BLOCK,
    PACKED_ESTIMATE,
    PACKED_NODE,
    PUCT,
    UNKNOWN,
)
from .._validation import between

FIELDS = tuple(name for name, _ in NODE_FIELDS)


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


class NodeEstimate:
    """The evaluation of a node."""

    __slots__ = ("prior", "value")

    def __init__(self, prior):
        self.prior = prior  # share of the move that leads here, within its block
        self.value = 0.0  # mean of the evaluations below, in [-1, 1], for the player who moved into the node


class Entry:
    """The block of children of a position."""

    __slots__ = ("first", "key")

    def __init__(self, key):
        self.key = key
        self.first = CLAIMED  # index of the first child; CLAIMED while they are being made


class Blocks:
    """Index of the first child by position."""

    __slots__ = ("entries", "limit")

    def __init__(self, nodes):
        self.limit = max(1, nodes // NODES_PER_BLOCK)  # limit of the positions in the table
        self.entries = {}


class NodePool:
    """Nodes 0 to used - 1, never more than `limit` of them."""

    __slots__ = ("blocks", "estimates", "limit", "nodes", "raw_values", "short_wins", "used")

    def __init__(self, limit):
        self.limit = between("max_nodes", limit, 1, MAX_NODES)
        self.estimates = None  # one for each node, if there is an evaluator
        self.raw_values = None  # by node: its own evaluation, for the player to move there; None if they are not kept
        self.blocks = Blocks(self.limit)
        clear(self)


class Tree:
    """The data about the tree that every function of a search needs."""

    __slots__ = (
        "book",  # a BookScores whose positions are proven at their first visit, or None
        "book_plies",  # no position of the book has more discs; -1 without a book
        "geometry",  # of the board
        "losses",  # discounted reward of a loss by plies to the end of the game
        "network",  # evaluates positions instead of rollouts; None without
        "pool",  # the nodes
        "root_columns",  # the columns that the root may play, a bit for each
        "settings",  # the settings of the search
        "wins",  # of a win
    )


def has_means(settings):
    """Whether the means of nodes are kept as estimates, in [-1, 1], and not as sums of rewards."""
    return settings.selection == PUCT and settings.rollout != NETWORK


def forget(blocks):
    blocks.entries = {}


def find(blocks, position, geometry):
    """Index of the first child of a position; NO_CHILDREN if it is not in the table."""
    entry = blocks.entries.get((position.own, position.mask))
    return NO_CHILDREN if entry is None else entry.first


def claim(blocks, position, geometry, has_space):
    """The entry of a position. A new entry is CLAIMED, and the caller must `publish` it.

    has_space: whether the pool has room for its children. None if it is a new position and pool or table are full.
    """
    key = position.own, position.mask
    entry = blocks.entries.get(key)
    if entry is None and has_space and len(blocks.entries) < blocks.limit:
        entry = blocks.entries[key] = Entry(key)
    return entry


def publish(blocks, entry, first):
    """Set the first child of a claimed entry; NO_CHILDREN removes the entry."""
    entry.first = first
    if first == NO_CHILDREN:
        del blocks.entries[entry.key]


def relocate(blocks, moved):
    """Update the table after keep_subtree has moved blocks, and remove the positions of dropped ones.

    moved: the new index by index of a first child, 0 if it is dropped.
    """
    blocks.entries = {key: entry for key, entry in blocks.entries.items() if moved[entry.first]}
    for entry in blocks.entries.values():
        entry.first = moved[entry.first]


def clear(pool):
    """Drop all nodes but a new root without visits."""
    pool.nodes = [Node(NO_COLUMN)]
    pool.used = 1
    if pool.estimates is not None:
        pool.estimates = [NodeEstimate(1.0)]
    if pool.raw_values is not None:
        pool.raw_values = [0.0]
    pool.short_wins = [0] * MAX_SIDE  # by column of the root: plies to the soonest win seen through it; 0: none
    forget(pool.blocks)


def take(pool, size):
    """Index of the first of `size` adjacent nodes, for the caller to fill; NO_CHILDREN if the pool is full."""
    first = pool.used
    if size > pool.limit - first:
        return NO_CHILDREN
    pool.nodes.extend([None] * size)
    if pool.estimates is not None:
        pool.estimates.extend([None] * size)
    if pool.raw_values is not None:
        pool.raw_values.extend([0.0] * size)
    pool.used += size
    return first


def mark_reachable(nodes, moved, node):
    """For every block of children below a node: moved[index of its first child] = its size."""
    path = [node]
    next_child = [0]  # by level of the path: how many children have been visited
    if nodes[node].size:
        moved[nodes[node].children] = nodes[node].size
    while path:
        node = path[-1]
        if next_child[-1] == nodes[node].size:
            path.pop()
            next_child.pop()
            continue
        child = nodes[node].children + next_child[-1]
        next_child[-1] += 1
        if nodes[child].size and moved[nodes[child].children] == 0:
            moved[nodes[child].children] = nodes[child].size
            path.append(child)
            next_child.append(0)


def compact(pool, node, moved):
    """Move the nodes below `node`, which becomes the root, to the front; all others are dropped.

    moved: zeros, one for each node; by index of a first child it then holds where the block is now, 0 if it is dropped.
    """
    nodes = pool.nodes
    mark_reachable(nodes, moved, node)
    root = nodes[node]
    root.column = NO_COLUMN
    root.proof = UNKNOWN  # the proof of a root must follow from its children
    kept = [root]
    kept_estimates = pool.estimates and [pool.estimates[node]]
    kept_values = pool.raw_values and [pool.raw_values[node]]
    for first in range(1, pool.used):
        size = moved[first]
        if size:
            moved[first] = len(kept)
            kept += nodes[first : first + size]
            if kept_estimates is not None:
                kept_estimates += pool.estimates[first : first + size]
            if kept_values is not None:
                kept_values += pool.raw_values[first : first + size]
    for each in kept:
        if each.size:
            each.children = moved[each.children]
    pool.nodes = kept
    pool.estimates = kept_estimates
    pool.raw_values = kept_values
    pool.used = len(kept)
    pool.short_wins = [0] * MAX_SIDE


def keep_subtree(pool, node):
    """Make `node` the root and drop every node that is not below it; the others move up and keep their order.

    After a MemoryError the pool must be cleared.
    """
    moved = [0] * pool.used
    compact(pool, node, moved)
    relocate(pool.blocks, moved)


def most_visits(pool):
    """Visits of the node that has the most; where children are shared, it need not be the root."""
    return max(node.visits for node in pool.nodes)


def rows(pool, first, count):
    """Copies of `count` nodes from index `first` on, as raw bytes."""
    if count > pool.used or first > pool.used - count:
        raise IndexError(f"nodes {first} to {first} + {count} of {pool.used}")
    return b"".join(
        PACKED_NODE.pack(*(getattr(node, name) for name in FIELDS)) for node in pool.nodes[first : first + count]
    )


def estimates(pool, first, count):
    """Values and priors of `count` nodes from index `first` on, as raw float64: value, prior, value, prior, ..."""
    if pool.estimates is None:
        raise ValueError("there are no estimates: there is no evaluator")
    return b"".join(
        PACKED_ESTIMATE.pack(estimate.value, estimate.prior) for estimate in pool.estimates[first : first + count]
    )


def set_estimates(pool, data):
    """Set all estimates from bytes as `estimates` gives them; False, and nothing is changed, if the size differs."""
    if pool.estimates is None:
        raise ValueError("there are no estimates: there is no evaluator")
    if len(data) != pool.used * PACKED_ESTIMATE.size:
        return False
    for estimate, (value, prior) in zip(pool.estimates, PACKED_ESTIMATE.iter_unpack(data), strict=True):
        estimate.value = value
        estimate.prior = prior
    return True
