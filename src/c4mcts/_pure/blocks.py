"""Which block of children belongs to which position: the transpositions of the tree.

Childs, Brodeur and Kocsis, "Transpositions and move groups in Monte Carlo tree search" (2008): a position reached by
several orders of moves has its children once, with their statistics for (position, column); the moves that lead to it
keep their own.
"""

from .._layout import NO_CHILDREN, NODES_PER_BLOCK


class Blocks:
    """Index of the first child by position."""

    __slots__ = ("firsts", "limit")

    def __init__(self, nodes):
        """nodes: how many the tree may have."""
        self.limit = max(1, nodes // NODES_PER_BLOCK)  # how many may be noted
        self.firsts = {}


def forget(blocks):
    """Forget all positions."""
    blocks.firsts = {}


def is_full(blocks):
    """Whether no more positions may be noted."""
    return len(blocks.firsts) >= blocks.limit


def find(blocks, position, geometry):
    """Index of the first child of a position; NO_CHILDREN if it has none yet."""
    return blocks.firsts.get((position.own, position.mask), NO_CHILDREN)


def note(blocks, position, geometry, first):
    """Take note of a position's first child."""
    blocks.firsts[position.own, position.mask] = first


def move(blocks, moved):
    """Follow the blocks to where a compaction has moved them, and forget those it has dropped.

    moved: the new index by index of a first child, 0 if it is dropped.
    """
    blocks.firsts = {position: moved[first] for position, first in blocks.firsts.items() if moved[first]}
