"""The table as bytes; everything else is in table.pxd."""

import numpy as np

from libc.string cimport memcpy


cdef bytes words(const Table* table):
    """All entries, 8 bytes each, little-endian."""
    cdef size_t size = <size_t>16 << table.bits
    return np.asarray(<uint64_t[:size // 8:1]>table.entries).astype("<u8", copy=False).tobytes()


cdef bint set_words(Table* table, data) except -1:
    """Set all entries from bytes as `words` gives them; False, and nothing is changed, if size or scores are wrong."""
    cdef size_t size = <size_t>16 << table.bits
    cdef const uint64_t[::1] entries
    cdef size_t i
    if <size_t>len(data) != size:
        return False
    entries = np.frombuffer(data, dtype="<u8").astype(np.uint64, copy=False)
    for i in range(<size_t>2 << table.bits):
        if entries[i] and not (-BEYOND <= lower_of(entries[i]) < BEYOND and -BEYOND < upper_of(entries[i]) <= BEYOND):
            return False
    memcpy(table.entries, &entries[0], size)
    return True
