"""The node pool's memory; pool.pxd holds its picture."""

import numpy as np

from c4mcts import _layout

from libc.string cimport memcpy, memset

cdef uint32_t NO_CHILDREN = _layout.NO_CHILDREN
cdef uint8_t NO_COLUMN = _layout.NO_COLUMN
cdef uint32_t ROOT = _layout.ROOT

DTYPE = np.dtype(_layout.NODE_FIELDS)
cdef uint32_t FIRST_CAPACITY = 4096


cdef class Pool:

    def __cinit__(self, limit):
        self.limit = min(limit, _layout.MAX_NODES)
        reserve(self, min(self.limit, FIRST_CAPACITY))
        clear(self)


cdef int clear(Pool pool) except -1:
    """Forget everything but a fresh root; the memory stays."""
    memset(&pool.nodes[ROOT], 0, sizeof(Node))
    pool.nodes[ROOT].column = NO_COLUMN
    pool.used = 1
    return 0


cdef int reserve(Pool pool, uint32_t nodes) except -1:
    """Make room for that many nodes. MemoryError leaves the pool as it was."""
    cdef Node[::1] memory
    if nodes <= pool.capacity:
        return 0
    memory = np.empty(nodes, dtype=DTYPE)
    if pool.used > 0:
        memcpy(&memory[0], pool.nodes, pool.used * sizeof(Node))
    pool.memory = memory
    pool.nodes = &memory[0]
    pool.capacity = nodes
    return 0


cdef int keep(Pool pool, uint32_t node) except -1:
    """Make `node` the root and drop all that doesn't descend from it.

    Cheney, "A nonrecursive list compacting algorithm" (1970): the new array is the queue of its own breadth-first
    walk, so blocks of children stay whole and nothing recurses.
    """
    cdef Node* source = pool.nodes
    cdef Node[::1] memory = np.empty(pool.capacity, dtype=DTYPE)
    cdef Node* nodes = &memory[0]
    cdef uint32_t scan = 0
    cdef uint32_t used = 1
    cdef uint32_t first, size
    nodes[ROOT] = source[node]
    nodes[ROOT].column = NO_COLUMN
    with nogil:
        while scan < used:
            size = nodes[scan].size
            if size:
                first = nodes[scan].children
                nodes[scan].children = used
                memcpy(&nodes[used], &source[first], size * sizeof(Node))
                used += size
            scan += 1
    pool.memory = memory
    pool.nodes = nodes
    pool.used = used
    return 0


cdef rows(Pool pool, uint32_t first, uint32_t count):
    """Copies of `count` nodes from index `first` on, as a structured array of NODE_FIELDS."""
    return np.array(pool.memory[first : first + count])
