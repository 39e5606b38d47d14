"""The memory of the table, and the table as bytes; everything else is in table.pxd."""

import numpy as np

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from .atomics cimport read32
from .poll cimport ask_if_due

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
    table.entries = <uint64_t*>calloc(2 * buckets, sizeof(uint64_t))
    if table.entries != NULL and has_rests(table):
        table.rests = <uint16_t*>calloc(2 * buckets, sizeof(uint16_t))
        if table.rests == NULL:
            free_table(table)
    if table.entries == NULL:
        return False
    if size_of(table) > LARGE_TABLE:
        large_pages(table.entries, 16 * buckets)
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
    cdef uint64_t place, code, entry, target
    larger.bits = min(table.bits + GROWTH, table.max_bits)
    if not allocate_table(&larger):
        table.max_bits = table.bits
        return
    for place in range(<uint64_t>2 << table.bits):
        if place % (2 * ASK_EVERY) == 0:
            ask_if_due(poll)
            if read32(&poll.halted):
                free_table(&larger)
                return
        entry = table.entries[place]
        if entry:
            code = entry >> REMAINDER_SHIFT << table.bits | place >> 1
            if table.rests != NULL:
                code |= <uint64_t>table.rests[place] << table.bits + REMAINDER_BITS
            target = place_of(&larger, code)
            target += larger.entries[target] != 0
            put(&larger, target, code, entry & (<uint64_t>1 << REMAINDER_SHIFT) - 1)
    free_table(table)
    table[0] = larger


cdef bint has_rests(const Table* table) noexcept nogil:
    """Whether the remainders of the keys are longer than the entries have room for."""
    return table.key_bits - table.bits > REMAINDER_BITS


cdef size_t size_of(const Table* table) noexcept nogil:
    """Bytes of the table."""
    return <size_t>(20 if has_rests(table) else 16) << table.bits


cdef bytes words(const Table* table):
    """All entries, 8 bytes each, then their rests, if there are any, 2 bytes each; little-endian."""
    cdef size_t count = <size_t>2 << table.bits
    data = np.asarray(<uint64_t[:count:1]>table.entries).astype("<u8", copy=False).tobytes()
    if table.rests != NULL:
        data += np.asarray(<uint16_t[:count:1]>table.rests).astype("<u2", copy=False).tobytes()
    return data


cdef bint set_words(Table* table, data) except -1:
    """Set all entries from bytes as `words` gives them; False, and nothing is changed, if size or scores are wrong."""
    cdef size_t count = <size_t>2 << table.bits
    cdef const uint64_t[::1] entries
    cdef const uint16_t[::1] rests
    cdef size_t i
    if <size_t>len(data) != size_of(table):
        return False
    entries = np.frombuffer(data, dtype="<u8", count=count).astype(np.uint64, copy=False)
    for i in range(count):
        if entries[i] and not (-BEYOND <= lower_of(entries[i]) < BEYOND and -BEYOND < upper_of(entries[i]) <= BEYOND):
            return False
    memcpy(table.entries, &entries[0], 8 * count)
    if table.rests != NULL:
        rests = np.frombuffer(data, dtype="<u2", offset=8 * count).astype(np.uint16, copy=False)
        memcpy(table.rests, &rests[0], 2 * count)
    return True
