"""The solver's transposition table: what is known of a position, found by its key.

Buckets of two entries. The first keeps the result that took more work, the second the latest of the others. Keys are
scrambled one to one; the number of the bucket and the remainder in the entry are together the whole key, so that a hit
is never a mistake.

An entry is a word of 64 bits, 0 for none, so that threads that share the table never see half of one:
     63 .. 24              23 .. 19   18 .. 14   13 .. 7      6 .. 0
    remainder of the key     work      column   upper + 64   lower + 64
"""

from libc.stdint cimport uint64_t

from .atomics cimport add64, read64, write64

cdef enum:
    REMAINDER_SHIFT = 24
    BEYOND = 63         # no score of a board of 64 bits is as high; what "unknown" is stored as


cdef struct Table:
    uint64_t* entries   # 2 << bits of them
    int bits            # 1 << bits buckets
    int key_bits


cdef extern from "portable.h" nogil:
    void prefetch "c4_prefetch" (const void* address)


cdef inline uint64_t scramble(const Table* table, uint64_t key) noexcept nogil:
    """The key with its bits spread: shifts and odd multipliers, a bijection."""
    cdef int half = (table.key_bits + 1) // 2
    cdef uint64_t words = ~<uint64_t>0 >> (64 - table.key_bits)
    key ^= key >> half
    key = key * 0x9E3779B97F4A7C15ULL & words
    key ^= key >> half
    key = key * 0xD6E8FEB86659FD93ULL & words
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
    """Have the system provide the memory where a scrambled key may be: the first write there can take milliseconds."""
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
    """Keep a result; it takes the place of what is known of the position, of less work, or of the latest.

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
cdef bint set_words(Table* table, bytes data) except -1
