"""The answers of an evaluator by position: a table of bounded size, for the games of a pool.

The table has buckets of a few answers. If the bucket of a new one is full, it replaces the oldest there. The
answers are kept in single precision, as the evaluator gave them. While games are played, the table is only read; new
answers are entered between two batches, in the order of the batch, so that the content depends on nothing else.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from .bitboard cimport Geometry, Lines, Position
from .numbers cimport mix


cdef struct Key:
    # A position: the key of one of at most 64 bits, or a hash of 128 bits of a larger one; never all zero.
    uint64_t low
    uint64_t high


cdef class Answers:
    # The table, and the positions of the rows of the batch that is being gathered.
    cdef Key[:, ::1] keys       # by bucket: the positions of its answers; all zero for none
    cdef float[:, :, ::1] answers   # by bucket and place in it: the priors and the value
    cdef uint8_t[::1] oldest    # by bucket: the answer to replace next
    cdef uint64_t buckets
    cdef int ways               # answers in a bucket
    cdef int width              # of the board
    cdef Key[::1] row_keys      # by row of the batch
    cdef int32_t[::1] rows      # by hash of a key: a row of the batch, in open addressing; NO_ROW
    cdef uint64_t n_rows        # entries of `rows`, a power of two


cdef inline void set_key(Key* key, const Position* position, const Geometry* geometry) noexcept nogil:
    """Set a key to a position's."""
    cdef const uint64_t* columns
    cdef int i
    key.low = 0
    key.high = 0
    if Position is Lines:
        columns = &position.lines[2 * geometry.height]
        for i in range(2 * geometry.width):
            key.low = mix(key.low ^ columns[i])
            key.high = mix((key.high + key.low) ^ (columns[i] * 0x9E3779B97F4A7C15ULL))
        key.high |= 1
    else:
        key.low = position.own | position.mask + geometry.bottom


cdef const float* find(Answers answers, const Key* key) noexcept nogil
cdef void keep(Answers answers, const Key* key, const float* answer) noexcept nogil
cdef void begin_batch(Answers answers) noexcept nogil
cdef int row_of(Answers answers, const Key* key, int count) noexcept nogil
cdef void clear_answers(Answers answers) noexcept nogil
