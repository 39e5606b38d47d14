"""The node pool: all nodes of one tree in one array, the children of a node side by side.

    index   0      1   2   3   4   5   6   7      8   9  10  ...
          root  |  its children, by column    |  children of node 4 | ...
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from .atomics cimport read32, replace32
from .bitboard cimport MAX_SIDE
from .blocks cimport Blocks, NO_CHILDREN

cdef enum:
    LONGEST_PATH = 64 * 64 + 1  # nodes from the root to the end of the longest game


cdef struct Node:
    # One node, 16 bytes; everything in it is seen by the player who moved into it. Where several threads grow a tree,
    # `column` and `size` are written before the index of the block, or of the children, is released, and never again.
    uint32_t visits         # simulations that went through this node, those under way included
    uint32_t value_sum      # their rewards, in reward units above the lowest
    uint32_t children       # index of the first child; NO_CHILDREN (0) for a leaf; CLAIMED while they are being made
    uint16_t proof          # a code in the upper 3 bits (see _layout), plies to the end in the lower 13
    uint8_t column          # the move that leads here, 0-based; NO_COLUMN (255) at the root
    uint8_t size            # number of children


cdef struct Estimate:
    # What an evaluator says of a node.
    double value            # mean of the evaluations below, in [-1, 1], for the player who moved into the node
    double prior            # share of the move that leads here, among those of its block


cdef class Pool:
    # Nodes 0 .. used-1, never more than `limit` of them.
    cdef Node* nodes
    cdef Estimate* estimates    # one for each node, if there is an evaluator; else NULL
    cdef uint32_t capacity  # nodes for which there is memory
    cdef uint32_t used
    cdef uint32_t limit
    cdef uint16_t short_wins[MAX_SIDE]  # by column of the root: plies to the soonest win seen through it; 0: none
    cdef bint shared        # whether several threads grow the tree
    cdef uint32_t cramped   # one of them has found too little room: all leave, so that the pool may grow
    cdef bint refused       # there was no memory for more just now: go on without
    cdef Blocks blocks      # which positions have children where, if the search asks


cdef int clear(Pool pool) except -1
cdef int reserve(Pool pool, uint32_t capacity) except -1
cdef int estimate(Pool pool) except -1


cdef inline uint32_t take(Pool pool, uint32_t size) noexcept nogil:
    """Index of the first of `size` nodes side by side, for the caller to fill; NO_CHILDREN if there is no room."""
    cdef uint32_t first = read32(&pool.used)
    while size <= pool.capacity - first:
        if replace32(&pool.used, first, first + size, pool.shared):
            return first
        first = read32(&pool.used)
    return NO_CHILDREN


cdef int keep(Pool pool, uint32_t node) except -1
cdef uint32_t most_visits(Pool pool) noexcept
cdef bytes rows(Pool pool, uint32_t first, uint32_t count)
cdef bytes estimates(Pool pool, uint32_t first, uint32_t count)
cdef bint set_estimates(Pool pool, bytes data) except -1
