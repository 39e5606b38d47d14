"""The memory of the table of blocks; blocks.pxd describes it."""

from c4mcts import _layout

from libc.stdlib cimport calloc, free
from libc.string cimport memset

assert (<uint32_t>NO_CHILDREN, <uint32_t>CLAIMED) == (_layout.NO_CHILDREN, _layout.CLAIMED)

cdef enum:
    FIRST_CAPACITY = 64


cdef class Blocks:

    def __cinit__(self, uint32_t nodes):
        """nodes: limit of the nodes in the tree."""
        self.limit = max(1, nodes // <uint32_t>_layout.NODES_PER_BLOCK)

    def __dealloc__(self):
        free(self.entries)


cdef void forget(Blocks blocks) noexcept nogil:
    """Remove all positions; the memory is kept."""
    if blocks.capacity:
        memset(blocks.entries, 0, blocks.capacity * sizeof(Entry))
    blocks.used = 0


cdef int widen(Blocks blocks) except -1:
    """Double the number of entries. MemoryError leaves the table as it was."""
    cdef Blocks wider = Blocks(0)
    cdef uint32_t first
    cdef uint32_t i
    reserve(wider, 2 * blocks.capacity if blocks.capacity else FIRST_CAPACITY)
    for i in range(blocks.capacity):
        if blocks.entries[i].first:
            find_entry(wider, &blocks.entries[i], &first)[0] = blocks.entries[i]
    swap(blocks, wider)
    return 0


cdef int relocate(Blocks blocks, const uint32_t* moved) except -1:
    """Update the table after keep_subtree has moved blocks, and remove the positions of dropped ones.

    moved: the new index by index of a first child, 0 if it is dropped.
    """
    cdef Blocks kept = Blocks(0)
    cdef Entry entry
    cdef uint32_t first
    cdef uint32_t i
    if blocks.capacity == 0:
        return 0
    reserve(kept, blocks.capacity)
    for i in range(blocks.capacity):
        entry = blocks.entries[i]
        if entry.first and moved[entry.first]:
            entry.first = moved[entry.first]
            find_entry(kept, &entry, &first)[0] = entry
            kept.used += 1
    swap(blocks, kept)
    blocks.used = kept.used
    return 0


cdef int reserve(Blocks blocks, uint32_t capacity) except -1:
    """Get memory for an empty table."""
    blocks.entries = <Entry*>calloc(capacity, sizeof(Entry))
    if blocks.entries == NULL:
        raise MemoryError(f"no memory for {capacity} positions")
    blocks.capacity = capacity
    return 0


cdef void swap(Blocks blocks, Blocks other) noexcept:
    """Exchange the memory of two tables."""
    blocks.entries, other.entries = other.entries, blocks.entries
    blocks.capacity, other.capacity = other.capacity, blocks.capacity
