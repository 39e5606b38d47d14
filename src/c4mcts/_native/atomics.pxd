"""Memory that several threads may read and change at once.

`read` and `write` are relaxed: they promise only that a value is never seen half written. A thread that reads a value
with `acquire` sees everything that was written before the `release` of that value. `add` and `replace` are atomic if
`shared`; if not, they are ordinary instructions, which are several times as fast.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t


cdef extern from "portable.h" nogil:
    uint16_t read16 "c4_read16" (const uint16_t* place)
    uint32_t read32 "c4_read32" (const uint32_t* place)
    uint64_t read64 "c4_read64" (const uint64_t* place)
    void write16 "c4_write16" (uint16_t* place, uint16_t value)
    void write32 "c4_write32" (uint32_t* place, uint32_t value)
    void write64 "c4_write64" (uint64_t* place, uint64_t value)
    uint32_t acquire32 "c4_acquire32" (const uint32_t* place)
    void release32 "c4_release32" (uint32_t* place, uint32_t value)
    # returns the previous value
    uint32_t add32 "c4_add32" (uint32_t* place, uint32_t amount, bint shared)
    uint64_t add64 "c4_add64" (uint64_t* place, uint64_t amount, bint shared)
    # writes `value` if the place holds `expected`; returns whether it did
    bint replace16 "c4_replace16" (uint16_t* place, uint16_t expected, uint16_t value, bint shared)
    bint replace32 "c4_replace32" (uint32_t* place, uint32_t expected, uint32_t value, bint shared)
