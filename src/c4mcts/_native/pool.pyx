"""The node pool's memory; pool.pxd holds its picture."""

from c4mcts import _layout

from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from .blocks cimport Blocks, forget, move

cdef uint8_t NO_COLUMN = _layout.NO_COLUMN
cdef uint16_t UNKNOWN = _layout.UNKNOWN
cdef uint32_t ROOT = _layout.ROOT
cdef uint32_t FIRST_CAPACITY = 4096


cdef class Pool:

    def __cinit__(self, limit):
        self.limit = min(limit, _layout.MAX_NODES)
        self.blocks = Blocks()
        reserve(self, min(self.limit, FIRST_CAPACITY))
        clear(self)

    def __dealloc__(self):
        free(self.nodes)


cdef int clear(Pool pool) except -1:
    """Forget everything but a fresh root; the memory stays."""
    memset(&pool.nodes[ROOT], 0, sizeof(Node))
    pool.nodes[ROOT].column = NO_COLUMN
    pool.used = 1
    forget(pool.blocks)
    return 0


cdef int reserve(Pool pool, uint32_t capacity) except -1:
    """Have memory for that many nodes, at least as many as are used. MemoryError leaves the pool as it was.

    realloc moves the pages of a large block instead of copying it where the system can.
    """
    cdef Node* nodes = <Node*>realloc(pool.nodes, capacity * sizeof(Node))
    if nodes == NULL:
        raise MemoryError(f"no memory for {capacity} nodes")
    pool.nodes = nodes
    pool.capacity = capacity
    return 0


cdef int keep(Pool pool, uint32_t node) except -1:
    """Make `node` the root and drop all that doesn't descend from it. MemoryError leaves the pool as it was.

    Cheney, "A nonrecursive list compacting algorithm" (1970): the new array is the queue of its own breadth-first
    walk, so blocks of children stay whole and nothing recurses.
    """
    cdef Node* source = pool.nodes
    cdef Node* nodes = <Node*>malloc(pool.used * sizeof(Node))
    cdef uint32_t* moved = <uint32_t*>calloc(pool.used, sizeof(uint32_t))   # where the blocks are now
    cdef uint32_t scan = 0
    cdef uint32_t used = 1
    cdef uint32_t first, size
    try:
        if nodes == NULL or moved == NULL:
            raise MemoryError(f"no memory for {pool.used} nodes")
        nodes[ROOT] = source[node]
        nodes[ROOT].column = NO_COLUMN
        nodes[ROOT].proof = UNKNOWN     # what a root is known for must be seen in its children
        with nogil:
            while scan < used:
                size = nodes[scan].size
                if size:
                    first = nodes[scan].children
                    if moved[first] == 0:
                        moved[first] = used
                        memcpy(&nodes[used], &source[first], size * sizeof(Node))
                        used += size
                    nodes[scan].children = moved[first]
                scan += 1
        move(pool.blocks, moved)
        pool.nodes, nodes = nodes, source
        pool.capacity = pool.used
        pool.used = used
    finally:
        free(nodes)
        free(moved)
    return 0


cdef bytes rows(Pool pool, uint32_t first, uint32_t count):
    """Copies of `count` nodes from index `first` on, in their bytes."""
    if count > pool.used or first > pool.used - count:
        raise IndexError(f"nodes {first} to {first} + {count} of {pool.used}")
    return (<char*>pool.nodes)[first * sizeof(Node) : (first + count) * sizeof(Node)]
