"""Transpositions: a table that finds the block of children of a position.

Childs, Brodeur and Kocsis, "Transpositions and move groups in Monte Carlo tree search" (2008): nodes
of the same position share one block of children, with statistics for (position, column); each node keeps its own visits
and rewards.
"""

from .._layout import CLAIMED, NO_CHILDREN, NODES_PER_BLOCK


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
        """nodes: limit of the nodes in the tree."""
        self.limit = max(1, nodes // NODES_PER_BLOCK)  # limit of the positions in the table
        self.entries = {}


def forget(blocks):
    """Remove all positions."""
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
