"""The memory of the table, and the table as bytes; everything else is in table.pxd."""

import numpy as np

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from c4mcts._native.atomics cimport read32
from c4mcts._native.poll cimport ask_if_due

cdef extern from "portable.h" nogil:
    void large_pages "c4_large_pages" (void* memory, size_t bytes)

cdef enum:
    GROWTH = 2              # logarithm of the factor by which a table grows
    ASK_EVERY = 1 << 12     # buckets that are moved between two looks at the clock
    LARGE_TABLE = 1 << 25   # bytes; for smaller tables clearing large pages takes longer than they save


cdef bint allocate_table(Table* table) noexcept nogil:
    """Get memory for the 1 << bits empty buckets of a table without any; False if there is none."""
    cdef size_t buckets = <size_t>1 << table.bits
    table.rests = NULL
    table.entries = <uint64_t*>calloc(2 * buckets, sizeof(Cells))
    if table.entries != NULL and has_rests(table):
        table.rests = <uint64_t*>calloc(2 * buckets, sizeof(uint64_t))
        if table.rests == NULL:
            free_table(table)
    if table.entries == NULL:
        return False
    if size_of(table) > LARGE_TABLE:
        large_pages(table.entries, 2 * sizeof(Cells) * buckets)
    return True


cdef void free_table(Table* table) noexcept nogil:
    """Free the memory that `allocate_table` got."""
    free(table.entries)
    free(table.rests)
    table.entries = NULL
    table.rests = NULL


cdef void grow(Table* table, Poll poll) noexcept nogil:
    """Move the entries to a larger table; without memory, or once the poll is halted, nothing is changed."""
    cdef Table larger = table[0]
    cdef uint64_t place, entry, target
    cdef Cells code
    larger.bits = next_bits(table)
    if not allocate_table(&larger):
        table.max_bits = table.bits
        return
    for place in range(<uint64_t>2 << table.bits):
        if place % (2 * ASK_EVERY) == 0:
            ask_if_due(poll)
            if read32(&poll.halted):
                free_table(&larger)
                return
        entry = entry_at(table, place)[0]
        if entry:
            code = code_at(table, place)
            target = place_of(&larger, code)
            target += entry_at(&larger, target)[0] != 0
            put(&larger, target, code, entry & (<uint64_t>1 << REMAINDER_SHIFT) - 1)
    free_table(table)
    table[0] = larger


cdef int next_bits(const Table* table) noexcept nogil:
    """`bits` of the table to which this one grows.

    One more where that makes rests unnecessary, so that no two tables on the way have the same size.
    """
    cdef int bits = table.bits + GROWTH
    bits += table.key_bits - bits == REMAINDER_BITS + 1
    return min(bits, table.max_bits)


cdef Cells code_at(const Table* table, uint64_t place) noexcept nogil:
    """The scrambled key of the entry at a place."""
    cdef uint64_t* entry = entry_at(table, place)
    cdef Cells remainder = entry[0] >> REMAINDER_SHIFT
    if CELL_WORDS == 2:
        remainder |= <Cells>(entry[1] - second_word(0, entry[0])) << FIRST_BITS
    if table.rests != NULL:
        remainder |= <Cells>(table.rests[place] - hashed(0, entry[0])) << REMAINDER_BITS
    return remainder << table.bits | place >> 1


cdef bint has_rests(const Table* table) noexcept nogil:
    """Whether the remainders of the keys are longer than the entries have room for."""
    return table.key_bits - table.bits > REMAINDER_BITS


cdef size_t size_of(const Table* table) noexcept nogil:
    """Bytes of the table."""
    return 2 * (sizeof(Cells) + (sizeof(uint64_t) if has_rests(table) else 0)) << table.bits


cdef bytes words(const Table* table):
    """The words of all entries, then their rests, if there are any; little-endian."""
    cdef size_t count = <size_t>2 << table.bits
    cdef size_t n_words = CELL_WORDS * count
    cdef list parts = [np.asarray(<uint64_t[:n_words:1]>table.entries).astype("<u8", copy=False)]
    if table.rests != NULL:
        parts.append(np.asarray(<uint64_t[:count:1]>table.rests).astype("<u8", copy=False))
    return b"".join(parts)


cdef bint set_words(Table* table, data) except -1:
    """Set all entries from bytes as `words` gives them; False, and nothing is changed, if size or scores are wrong.

    The table may have grown: then this one gets its size.
    """
    cdef Table filled = table[0]
    cdef size_t count, n_words
    cdef const uint64_t[::1] entries
    cdef const uint64_t[::1] rests
    cdef uint64_t entry
    cdef size_t i
    while size_of(&filled) != <size_t>len(data):
        if filled.bits >= filled.max_bits:
            return False
        filled.bits = next_bits(&filled)
    count = <size_t>2 << filled.bits
    n_words = CELL_WORDS * count
    entries = np.frombuffer(data, dtype="<u8", count=n_words).astype(np.uint64, copy=False)
    for i in range(count):
        entry = entries[CELL_WORDS * i]
        if entry and not (-BEYOND <= lower_of(entry) < BEYOND and -BEYOND < upper_of(entry) <= BEYOND):
            return False
    if filled.bits != table.bits:
        if not allocate_table(&filled):
            raise MemoryError(f"no memory for a table of {size_of(&filled)} bytes")
        free_table(table)
        table[0] = filled
    memcpy(table.entries, &entries[0], 8 * n_words)
    if table.rests != NULL:
        rests = np.frombuffer(data, dtype="<u8", offset=8 * n_words).astype(np.uint64, copy=False)
        memcpy(table.rests, &rests[0], 8 * count)
    return True
