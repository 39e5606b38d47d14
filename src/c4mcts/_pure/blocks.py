"""Which block of children belongs to which position: the transpositions of the tree.

Childs, Brodeur and Kocsis, "Transpositions and move groups in Monte Carlo tree search" (2008): a position reached by
several orders of moves has its children once, with their statistics for (position, column); the moves that lead to it
keep their own.
"""

from .._layout import CLAIMED, NO_CHILDREN, NODES_PER_BLOCK


class Entry:
    """Where a position has its children."""

    __slots__ = ("first", "key")

    def __init__(self, key):
        self.key = key
        self.first = CLAIMED  # index of the first child; CLAIMED while they are being made


class Blocks:
    """Index of the first child by position."""

    __slots__ = ("entries", "limit")

    def __init__(self, nodes):
        """nodes: how many the tree may have."""
        self.limit = max(1, nodes // NODES_PER_BLOCK)  # how many positions may be noted
        self.entries = {}


def forget(blocks):
    """Forget all positions."""
    blocks.entries = {}


def find(blocks, position, geometry):
    """Index of the first child of a position; NO_CHILDREN if it has none yet."""
    entry = blocks.entries.get((position.own, position.mask))
    return NO_CHILDREN if entry is None else entry.first


def claim(blocks, position, geometry, room):
    """The entry of a position. If it is a new one, it is CLAIMED, and the caller must `grant` it.

    room: whether the tree has room for its children. None: no room, there or here.
    """
    key = position.own, position.mask
    entry = blocks.entries.get(key)
    if entry is None and room and len(blocks.entries) < blocks.limit:
        entry = blocks.entries[key] = Entry(key)
    return entry


def grant(blocks, entry, first):
    """Say where the children of a claimed position are; NO_CHILDREN gives it back."""
    entry.first = first
    if first == NO_CHILDREN:
        del blocks.entries[entry.key]


def move(blocks, moved):
    """Follow the blocks to where a compaction has moved them, and forget those it has dropped.

    moved: the new index by index of a first child, 0 if it is dropped.
    """
    blocks.entries = {key: entry for key, entry in blocks.entries.items() if moved[entry.first]}
    for entry in blocks.entries.values():
        entry.first = moved[entry.first]
