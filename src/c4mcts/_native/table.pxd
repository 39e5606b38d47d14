"""The solver's transposition table: bounds of the scores of positions, found by their keys.

A bucket has two entries. The first holds the result that took the most work, the second the latest other one. Keys are
scrambled by a bijection; the index of the bucket and the remainder in the entry together are the whole key, so an entry
is never taken for another position's.

An entry is a word of 64 bits, 0 if empty; so threads that share the table never see a half-written one:
     63 .. 24              23 .. 19   18 .. 14   13 .. 7      6 .. 0
    remainder of the key     work      column   upper + 64   lower + 64
In `wide` the column has a bit more, and an entry has a second word with the next 64 bits of the remainder, to which a
hash of the first is added. So words that two threads wrote for different results don't fit together.

If the remainder is longer, in a table with few buckets for long keys, its other bits are in one more word, with the
same hash.
"""

from libc.stdint cimport uint64_t

from c4mcts._native.atomics cimport add64, read64, write64
from c4mcts._native.poll cimport Poll

from .cells cimport CELL_BITS, CELL_WORDS, Cells

cdef enum:
    COLUMN_BITS = 4 + CELL_WORDS            # of a column in an entry: boards have up to 32 columns, in `wide` 64
    WORK_SHIFT = 14 + COLUMN_BITS           # lowest bit of the work
    REMAINDER_SHIFT = WORK_SHIFT + 5        # lowest bit of the remainder in the first word
    FIRST_BITS = 64 - REMAINDER_SHIFT       # of the remainder in the first word
    REMAINDER_BITS = CELL_BITS - REMAINDER_SHIFT    # of the remainder in an entry
    BEYOND = 63         # above every score on boards of 128 bits: stored as "not known"


cdef struct Table:
    # Pointers, since each thread has a copy, which can't hold views: a view is an object of the interpreter.
    uint64_t* entries   # 2 << bits of them, of CELL_WORDS words; the two of a bucket adjacent
    uint64_t* rests     # one more word for each entry; NULL: the remainder has at most REMAINDER_BITS
    int bits            # there are 1 << bits buckets
    int max_bits        # to which `bits` may grow
    int key_bits        # bits of a key: width * (height + 1)


cdef extern from "portable.h" nogil:
    void prefetch "c4_prefetch" (const void* address)


cdef inline Cells scramble(const Table* table, Cells key) noexcept nogil:
    """A bijection of the keys that lets every bit depend on all, with shifts and odd multipliers."""
    cdef int half = (table.key_bits + 1) // 2
    cdef Cells ones = ~<Cells>0 >> (CELL_BITS - table.key_bits)
    key ^= key >> half
    key = key * <Cells>0x9E3779B97F4A7C15ULL & ones
    key ^= key >> half
    key = key * <Cells>0xD6E8FEB86659FD93ULL & ones
    key ^= key >> half
    return key


cdef inline int lower_of(uint64_t entry) noexcept nogil:
    """Lower bound of the score, for the player to move. entry: the first word."""
    return <int>(entry & 127) - 64


cdef inline int upper_of(uint64_t entry) noexcept nogil:
    """Upper bound of the score."""
    return <int>(entry >> 7 & 127) - 64


cdef inline int column_of(uint64_t entry) noexcept nogil:
    """The best move, or the last to be refuted."""
    return <int>(entry >> 14 & (1 << COLUMN_BITS) - 1)


cdef inline uint64_t place_of(const Table* table, Cells code) noexcept nogil:
    """The first of the two places where the entry of a scrambled key may be."""
    return 2 * (<uint64_t>code & (<uint64_t>1 << table.bits) - 1)


cdef inline uint64_t* entry_at(const Table* table, uint64_t place) noexcept nogil:
    """The words of the entry at a place."""
    return &table.entries[CELL_WORDS * place]


cdef inline uint64_t* bucket_of(const Table* table, Cells code) noexcept nogil:
    """The two entries where a scrambled key may be."""
    return entry_at(table, place_of(table, code))


cdef inline uint64_t hashed(uint64_t bits, uint64_t first) noexcept nogil:
    """A further word of an entry, with some bits of the key. first: the first word."""
    return bits + first * 0x9E3779B97F4A7C15ULL


cdef inline uint64_t second_word(Cells remainder, uint64_t first) noexcept nogil:
    """The second word of an entry with this remainder of a key and this first word."""
    return hashed(<uint64_t>(remainder >> FIRST_BITS), first)


cdef inline bint is_of(const Table* table, uint64_t place, uint64_t entry, Cells code) noexcept nogil:
    """Whether the entry at a place, whose first word was read, belongs to a scrambled key."""
    cdef Cells remainder = code >> (table.bits & 63)
    if not entry or (entry ^ (<uint64_t>remainder << REMAINDER_SHIFT)) >> REMAINDER_SHIFT:
        return False
    if CELL_WORDS == 2 and read64(entry_at(table, place) + 1) != second_word(remainder, entry):
        return False
    return table.rests == NULL or read64(table.rests + place) == hashed(<uint64_t>(remainder >> REMAINDER_BITS), entry)


cdef inline void put(Table* table, uint64_t place, Cells code, uint64_t result) noexcept nogil:
    """Write an entry: the key, and a result, which are the bits below REMAINDER_SHIFT."""
    cdef Cells remainder = code >> (table.bits & 63)
    cdef uint64_t first = <uint64_t>remainder << REMAINDER_SHIFT | result
    write64(entry_at(table, place), first)
    if CELL_WORDS == 2:
        write64(entry_at(table, place) + 1, second_word(remainder, first))
    if table.rests != NULL:
        write64(table.rests + place, hashed(<uint64_t>(remainder >> REMAINDER_BITS), first))


cdef inline void touch(Table* table, Cells code) noexcept nogil:
    """Touch the bucket of a scrambled key early: the page fault of a first write can take milliseconds."""
    add64(bucket_of(table, code), 0, True)


cdef inline uint64_t probe(const Table* table, Cells code) noexcept nogil:
    """The first word of the entry of a scrambled key, if there is one."""
    cdef uint64_t place = place_of(table, code)
    cdef uint64_t entry = read64(entry_at(table, place))
    if is_of(table, place, entry, code):
        return entry
    entry = read64(entry_at(table, place + 1))
    return entry if is_of(table, place + 1, entry, code) else 0


cdef inline void store(Table* table, Cells code, int lower, int upper, int column, int work) noexcept nogil:
    """Store a result. It replaces an entry of the same position, or else one of less work, or else the second of the
    bucket.

    work: logarithm of the nodes it took, 0 to 31.
    """
    cdef uint64_t place = place_of(table, code)
    cdef uint64_t first = read64(entry_at(table, place))
    if first and not is_of(table, place, first, code):
        if <int>(first >> WORK_SHIFT & 31) > work:
            place += 1
        else:
            write64(entry_at(table, place + 1), first)
            if CELL_WORDS == 2:
                write64(entry_at(table, place + 1) + 1, read64(entry_at(table, place) + 1))
            if table.rests != NULL:
                write64(table.rests + place + 1, read64(table.rests + place))
    put(
        table, place, code,
        <uint64_t>work << WORK_SHIFT | <uint64_t>column << 14 | <uint64_t>(upper + 64) << 7 | <uint64_t>(lower + 64),
    )


cdef bint allocate_table(Table* table) noexcept nogil
cdef void free_table(Table* table) noexcept nogil
cdef void grow(Table* table, Poll poll) noexcept nogil
cdef bint has_rests(const Table* table) noexcept nogil
cdef size_t size_of(const Table* table) noexcept nogil
cdef bytes words(const Table* table)
cdef bint set_words(Table* table, data) except -1
