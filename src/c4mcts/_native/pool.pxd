"""The node pool: all nodes of one tree in one array, the children of a node side by side.

    index   0      1   2   3   4   5   6   7      8   9  10  ...
          root  |  its children, by column    |  children of node 4 | ...
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from .blocks cimport Blocks


cdef struct Node:
    # One node, 16 bytes; everything in it is seen by the player who moved into it.
    uint32_t visits         # simulations that went through this node
    uint32_t value_sum      # their rewards, in reward units above the lowest
    uint32_t children       # index of the first child; NO_CHILDREN (0) for a leaf
    uint16_t proof          # a code in the upper 3 bits (see _layout), plies to the end in the lower 13
    uint8_t column          # the move that leads here, 0-based; NO_COLUMN (255) at the root
    uint8_t size            # number of children


cdef class Pool:
    # Nodes 0 .. used-1, never more than `limit` of them.
    cdef Node* nodes
    cdef uint32_t capacity  # nodes for which there is memory
    cdef uint32_t used
    cdef uint32_t limit
    cdef Blocks blocks      # which positions have children where, if the search asks


cdef int clear(Pool pool) except -1
cdef int reserve(Pool pool, uint32_t capacity) except -1
cdef int keep(Pool pool, uint32_t node) except -1
cdef bytes rows(Pool pool, uint32_t first, uint32_t count)
