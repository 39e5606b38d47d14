"""Transpositions: a table that finds the block of children of a position.

Childs, Brodeur and Kocsis, "Transpositions and move groups in Monte Carlo tree search" (2008): nodes
of the same position share one block of children, with statistics for (position, column); each node keeps its own visits
and rewards.

The table uses open addressing. A position of at most 64 bits is its own key; the key of a larger one is a hash of 96
bits: among 10**13 positions the chance that two of them have the same is one in a thousand.
"""

from libc.stdint cimport uint32_t, uint64_t

from .atomics cimport acquire32, add32, read32, release32, replace32
from .bitboard cimport Geometry, Lines, Position
from .rng cimport mix


# The sentinels of _layout, which the import compares.
cdef enum:
    NO_CHILDREN = 0
    CLAIMED = 0xFFFFFFFF


cdef struct Entry:
    uint64_t key            # of the position; valid, and never changed, while the entry is neither empty nor claimed
    uint32_t check          # 32 more bits of the key for boards of more than 64 bits, otherwise 0
    uint32_t first          # index of the first child; NO_CHILDREN: empty entry; CLAIMED: the children are being made


cdef class Blocks:
    # Index of the first child by position.
    cdef Entry* entries
    cdef uint32_t limit     # limit of the positions in the table
    cdef uint32_t capacity  # number of entries, a power of two; 0 until the first position is entered
    cdef uint32_t used      # number of entries that are not empty
    cdef bint shared        # whether several threads use the table


cdef inline void set_key(Entry* entry, const Position* position, const Geometry* geometry) noexcept nogil:
    """Set the key of an entry to that of a position."""
    cdef const uint64_t* columns
    cdef uint64_t check = 0
    cdef int i
    entry.check = 0
    if Position is Lines:
        columns = &position.lines[2 * geometry.height]
        entry.key = 0
        for i in range(2 * geometry.width):
            entry.key = mix(entry.key ^ columns[i])
            check = mix(check + entry.key ^ columns[i] * 0x9E3779B97F4A7C15ULL)
        entry.check = <uint32_t>(check >> 32)
    else:
        entry.key = position.own | position.mask + geometry.bottom


cdef inline Entry* find_entry(Blocks blocks, const Entry* target, uint32_t* first) noexcept nogil:
    """The entry with the key of `target`, or the empty one where it belongs; `first` is set to its first child.

    first is CLAIMED if another thread is filling an entry on the way: its key is not known yet, so the search ends.
    """
    cdef uint32_t i = <uint32_t>mix(target.key) & blocks.capacity - 1
    cdef Entry* entry = &blocks.entries[i]
    first[0] = acquire32(&entry.first)
    while first[0] != NO_CHILDREN and first[0] != CLAIMED:
        if entry.key == target.key and entry.check == target.check:
            break
        i = i + 1 & blocks.capacity - 1
        entry = &blocks.entries[i]
        first[0] = acquire32(&entry.first)
    return entry


cdef void forget(Blocks blocks) noexcept nogil
cdef int widen(Blocks blocks) except -1
cdef int relocate(Blocks blocks, const uint32_t* moved) except -1


cdef inline bint must_widen(Blocks blocks) noexcept nogil:
    """Whether the table must be widened before another position is entered."""
    cdef uint64_t used = read32(&blocks.used)
    return 4 * used >= 3 * <uint64_t>blocks.capacity and used < blocks.limit


cdef inline uint32_t find(Blocks blocks, const Position* position, const Geometry* geometry) noexcept nogil:
    """Index of the first child of a position; NO_CHILDREN if it is not in the table."""
    cdef Entry target
    cdef uint32_t first
    if blocks.capacity == 0:
        return NO_CHILDREN
    set_key(&target, position, geometry)
    find_entry(blocks, &target, &first)
    return first


cdef inline Entry* claim(
    Blocks blocks, const Position* position, const Geometry* geometry, bint has_space,
) noexcept nogil:
    """The entry of a position. A new entry is CLAIMED, and the caller must `publish` it.

    has_space: whether the pool has room for its children. NULL if it is a new position and pool or table are full, or
    if another thread is making its children.
    """
    cdef Entry target
    cdef Entry* entry
    cdef uint32_t first, used
    if blocks.capacity == 0:
        return NULL
    set_key(&target, position, geometry)
    entry = find_entry(blocks, &target, &first)
    if first == CLAIMED:
        return NULL
    if first != NO_CHILDREN:
        return entry
    if not has_space:
        return NULL
    # `used` is raised before the entry is taken, so that an empty entry always remains, where searches end
    used = add32(&blocks.used, 1, blocks.shared)
    if used >= blocks.limit or 4 * <uint64_t>used >= 3 * <uint64_t>blocks.capacity or not replace32(
        &entry.first, NO_CHILDREN, CLAIMED, blocks.shared
    ):
        add32(&blocks.used, <uint32_t>-1, blocks.shared)
        return NULL
    entry.key = target.key
    entry.check = target.check
    return entry


cdef inline void publish(Blocks blocks, Entry* entry, uint32_t first) noexcept nogil:
    """Set the first child of a claimed entry; NO_CHILDREN removes the entry."""
    release32(&entry.first, first)
    if first == NO_CHILDREN:
        add32(&blocks.used, <uint32_t>-1, blocks.shared)
