"""Which block of children belongs to which position: the transpositions of the tree.

Childs, Brodeur and Kocsis, "Transpositions and move groups in Monte Carlo tree search" (2008): a position reached by
several orders of moves has its children once, with their statistics for (position, column); the moves that lead to it
keep their own.

A table with open addressing. Boards of at most 64 bits are their own key; of larger ones it is a hash of 96 bits, which
takes 10**13 positions for one chance in a thousand of a confusion.
"""

from libc.stdint cimport uint32_t, uint64_t

from .bitboard cimport Geometry, Lines, Position


cdef struct Entry:
    uint64_t key
    uint32_t check          # more bits of the key, for Lines
    uint32_t first          # index of the first child; NO_CHILDREN (0) if the entry is empty


cdef class Blocks:
    # Index of the first child by position.
    cdef Entry* entries
    cdef uint32_t limit     # how many may be noted
    cdef uint32_t capacity  # number of entries, a power of two; 0 until there is a position to note
    cdef uint32_t used


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


cdef inline Entry* place(Blocks blocks, const Entry* wanted) noexcept nogil:
    """The entry of a position, or the empty one where it would be."""
    cdef uint32_t i = <uint32_t>mix(wanted.key) & blocks.capacity - 1
    cdef Entry* entry = &blocks.entries[i]
    while entry.first and (entry.key != wanted.key or entry.check != wanted.check):
        i = i + 1 & blocks.capacity - 1
        entry = &blocks.entries[i]
    return entry


cdef void forget(Blocks blocks) noexcept
cdef int widen(Blocks blocks) except -1
cdef int move(Blocks blocks, const uint32_t* moved) except -1


cdef inline bint must_widen(Blocks blocks) noexcept nogil:
    """Whether the table must be widened before another position is noted."""
    return 4 * <uint64_t>blocks.used >= 3 * <uint64_t>blocks.capacity


cdef inline bint is_full(Blocks blocks) noexcept nogil:
    """Whether no more positions may be noted."""
    return blocks.used >= blocks.limit


cdef inline uint32_t find(Blocks blocks, const Position* position, const Geometry* geometry) noexcept nogil:
    """Index of the first child of a position; NO_CHILDREN if it has none yet."""
    cdef Entry wanted
    if blocks.capacity == 0:
        return 0
    identify(&wanted, position, geometry)
    return place(blocks, &wanted).first


cdef inline void note(
    Blocks blocks, const Position* position, const Geometry* geometry, uint32_t first,
) noexcept nogil:
    """Take note of a position's first child, if there is room."""
    cdef Entry wanted
    if must_widen(blocks):
        return
    identify(&wanted, position, geometry)
    wanted.first = first
    place(blocks, &wanted)[0] = wanted
    blocks.used += 1
