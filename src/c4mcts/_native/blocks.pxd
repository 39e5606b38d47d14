"""Which block of children belongs to which position: the transpositions of the tree.

Childs, Brodeur and Kocsis, "Transpositions and move groups in Monte Carlo tree search" (2008): a position reached by
several orders of moves has its children once, with their statistics for (position, column); the moves that lead to it
keep their own.

A table with open addressing. Boards of at most 64 bits are their own key; of larger ones it is a hash of 96 bits, which
takes 10**13 positions for one chance in a thousand of a confusion.
"""

from libc.stdint cimport uint32_t, uint64_t

from .atomics cimport acquire32, add32, read32, release32, replace32
from .bitboard cimport Geometry, Lines, Position


# The sentinels of _layout, which the import compares.
cdef enum:
    NO_CHILDREN = 0
    CLAIMED = 0xFFFFFFFF


cdef struct Entry:
    uint64_t key            # valid, and never changed, once the entry is neither empty nor claimed
    uint32_t check          # more bits of the key, for Lines
    uint32_t first          # index of the first child; NO_CHILDREN: empty; CLAIMED: the children are being made


cdef class Blocks:
    # Index of the first child by position.
    cdef Entry* entries
    cdef uint32_t limit     # how many positions may be noted
    cdef uint32_t capacity  # number of entries, a power of two; 0 until there is a position to note
    cdef uint32_t used
    cdef bint shared        # whether several threads use the table


cdef inline uint64_t mix(uint64_t word) noexcept nogil:
    """The word with its bits spread, a bijection: Stafford's "Mix13" (2011), the finalizer of splitmix64."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9ULL
    word = (word ^ word >> 27) * 0x94D049BB133111EBULL
    return word ^ word >> 31


cdef inline void identify(Entry* entry, const Position* position, const Geometry* geometry) noexcept nogil:
    """Fill in what tells this position from all others."""
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


cdef inline Entry* place(Blocks blocks, const Entry* wanted, uint32_t* first) noexcept nogil:
    """The entry of a position, or the empty one where it would be; `first` gets what the entry says.

    CLAIMED: another thread is at work, on this position or on another, so that the entry can't be passed by.
    """
    cdef uint32_t i = <uint32_t>mix(wanted.key) & blocks.capacity - 1
    cdef Entry* entry = &blocks.entries[i]
    first[0] = acquire32(&entry.first)
    while first[0] != NO_CHILDREN and first[0] != CLAIMED:
        if entry.key == wanted.key and entry.check == wanted.check:
            break
        i = i + 1 & blocks.capacity - 1
        entry = &blocks.entries[i]
        first[0] = acquire32(&entry.first)
    return entry


cdef void forget(Blocks blocks) noexcept
cdef int widen(Blocks blocks) except -1
cdef int move(Blocks blocks, const uint32_t* moved) except -1


cdef inline bint must_widen(Blocks blocks) noexcept nogil:
    """Whether the table must be widened before another position is noted."""
    cdef uint64_t used = read32(&blocks.used)
    return 4 * used >= 3 * <uint64_t>blocks.capacity and used < blocks.limit


cdef inline uint32_t find(Blocks blocks, const Position* position, const Geometry* geometry) noexcept nogil:
    """Index of the first child of a position; NO_CHILDREN if it has none yet."""
    cdef Entry wanted
    cdef uint32_t first
    if blocks.capacity == 0:
        return NO_CHILDREN
    identify(&wanted, position, geometry)
    place(blocks, &wanted, &first)
    return first


cdef inline Entry* claim(Blocks blocks, const Position* position, const Geometry* geometry, bint room) noexcept nogil:
    """The entry of a position. If it is a new one, it is CLAIMED, and the caller must `grant` it.

    room: whether the tree has room for its children. NULL: no room, there or here, or another thread is at work here.
    """
    cdef Entry wanted
    cdef Entry* entry
    cdef uint32_t first, used
    if blocks.capacity == 0:
        return NULL
    identify(&wanted, position, geometry)
    entry = place(blocks, &wanted, &first)
    if first == CLAIMED:
        return NULL
    if first != NO_CHILDREN:
        return entry
    if not room:
        return NULL
    # the room is taken before the entry: so there is always an empty one, where searches end
    used = add32(&blocks.used, 1, blocks.shared)
    if used >= blocks.limit or 4 * <uint64_t>used >= 3 * <uint64_t>blocks.capacity or not replace32(
        &entry.first, NO_CHILDREN, CLAIMED, blocks.shared
    ):
        add32(&blocks.used, <uint32_t>-1, blocks.shared)
        return NULL
    entry.key = wanted.key
    entry.check = wanted.check
    return entry


cdef inline void grant(Blocks blocks, Entry* entry, uint32_t first) noexcept nogil:
    """Say where the children of a claimed position are; NO_CHILDREN gives it back."""
    release32(&entry.first, first)
    if first == NO_CHILDREN:
        add32(&blocks.used, <uint32_t>-1, blocks.shared)
