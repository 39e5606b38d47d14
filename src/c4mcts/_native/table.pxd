"""The solver's transposition table: bounds of the scores of positions, found by their keys.

A bucket has two entries. The first holds the result that took the most work, the second the latest other one. Keys are
scrambled by a bijection; the index of the bucket and the remainder in the entry together are the whole key, so an entry
is never taken for that of another position.

An entry is a 64-bit integer, 0 if empty; so threads that share the table never see a half-written one:
     63 .. 24              23 .. 19   18 .. 14   13 .. 7      6 .. 0
    remainder of the key     work      column   upper + 64   lower + 64
"""

from libc.stdint cimport uint64_t

from .atomics cimport add64, read64, write64

cdef enum:
    REMAINDER_SHIFT = 24    # lowest bit of the remainder in an entry
    BEYOND = 63         # above every score on boards of 64 bits: stored as "not known"


cdef struct Table:
    uint64_t* entries   # 2 << bits of them, the two of a bucket adjacent
    int bits            # there are 1 << bits buckets
    int key_bits        # bits of a key: width * (height + 1)


cdef extern from "portable.h" nogil:
    void prefetch "c4_prefetch" (const void* address)


cdef inline uint64_t scramble(const Table* table, uint64_t key) noexcept nogil:
    """A bijection of the keys that lets every bit depend on all, with shifts and odd multipliers."""
    cdef int half = (table.key_bits + 1) // 2
    cdef uint64_t ones = ~<uint64_t>0 >> (64 - table.key_bits)
    key ^= key >> half
    key = key * 0x9E3779B97F4A7C15ULL & ones
    key ^= key >> half
    key = key * 0xD6E8FEB86659FD93ULL & ones
    key ^= key >> half
    return key


cdef inline int lower_of(uint64_t entry) noexcept nogil:
    """Lower bound of the score, for the player to move."""
    return <int>(entry & 127) - 64


cdef inline int upper_of(uint64_t entry) noexcept nogil:
    """Upper bound of the score."""
    return <int>(entry >> 7 & 127) - 64


cdef inline int column_of(uint64_t entry) noexcept nogil:
    """The best move, or the last to be refuted."""
    return <int>(entry >> 14 & 31)


cdef inline uint64_t* bucket_of(const Table* table, uint64_t code) noexcept nogil:
    """The two entries where a scrambled key may be."""
    return &table.entries[2 * (code & (<uint64_t>1 << table.bits) - 1)]


cdef inline void touch(Table* table, uint64_t code) noexcept nogil:
    """Touch the bucket of a scrambled key early: the page fault of a first write can take milliseconds."""
    add64(bucket_of(table, code), 0, True)


cdef inline uint64_t probe(const Table* table, uint64_t code) noexcept nogil:
    """The entry of a scrambled key, if there is one."""
    cdef uint64_t* bucket = bucket_of(table, code)
    cdef uint64_t remainder = code >> table.bits
    cdef uint64_t entry = read64(&bucket[0])
    if entry and entry >> REMAINDER_SHIFT == remainder:
        return entry
    entry = read64(&bucket[1])
    if entry and entry >> REMAINDER_SHIFT == remainder:
        return entry
    return 0


cdef inline void store(Table* table, uint64_t code, int lower, int upper, int column, int work) noexcept nogil:
    """Store a result. It replaces an entry of the same position, or else one of less work, or else the second of the
    bucket.

    work: logarithm of the nodes it took, 0 to 31.
    """
    cdef uint64_t* bucket = bucket_of(table, code)
    cdef uint64_t remainder = code >> table.bits
    cdef uint64_t entry = (
        remainder << REMAINDER_SHIFT | <uint64_t>work << 19 | <uint64_t>column << 14
        | <uint64_t>(upper + 64) << 7 | <uint64_t>(lower + 64)
    )
    cdef uint64_t first = read64(&bucket[0])
    if first and first >> REMAINDER_SHIFT != remainder:
        if <int>(first >> 19 & 31) > work:
            write64(&bucket[1], entry)
            return
        write64(&bucket[1], first)
    write64(&bucket[0], entry)


cdef bytes words(const Table* table)
cdef bint set_words(Table* table, data) except -1
