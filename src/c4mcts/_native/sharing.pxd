"""What threads that solve one position together share beside the table.

Each thread runs the whole search on its own, and finds in the table what the others have finished. Moves that another
thread is searching are postponed, a simple form of ABDADA (Weill, "The ABDADA distributed minimax search algorithm",
1996). The first thread to finish a null window sets the bounds from which all go on.
"""

from libc.stdint cimport uint32_t, uint64_t

from .atomics cimport add64, read32, read64, replace32, write64

cdef enum:
    BUSY = 1 << 10      # places for positions that are being searched
    CLAIM = 1 << 9      # nodes that a thread takes from the budget at once


cdef struct Shared:
    uint64_t busy[BUSY]     # scrambled keys of positions that a thread is searching, each at its place; 0: none
    uint64_t budget         # value of `claimed` at which there are no nodes left
    uint64_t claimed        # nodes that the threads have taken
    uint32_t bounds         # the bounds of the score so far, see bounds_word; 0: no window is finished


cdef inline bint is_busy(const Shared* shared, uint64_t code) noexcept nogil:
    """Whether a thread is searching the position with this scrambled key."""
    return read64(&shared.busy[code % BUSY]) == code


cdef inline void set_busy(Shared* shared, uint64_t code) noexcept nogil:
    """Note that this thread is searching a position. A wrong note costs time only, so the latest may overwrite."""
    write64(&shared.busy[code % BUSY], code)


cdef inline void clear_busy(Shared* shared, uint64_t code) noexcept nogil:
    """Note that it has ended."""
    if is_busy(shared, code):
        write64(&shared.busy[code % BUSY], 0)


cdef inline uint64_t claim(Shared* shared) noexcept nogil:
    """Take nodes from the budget; returns how many, 0 if none are left."""
    cdef uint64_t before = read64(&shared.claimed)
    if before < shared.budget:
        before = add64(&shared.claimed, CLAIM, True)
    return min(<uint64_t>CLAIM, shared.budget - before) if before < shared.budget else 0


cdef inline uint32_t bounds_word(int lower, int upper) noexcept nogil:
    """Bounds of a score as one integer, not 0."""
    return <uint32_t>(lower + 64) << 8 | <uint32_t>(upper + 64)


cdef inline void agree(Shared* shared, uint32_t* window, int* lower, int* upper) noexcept nogil:
    """After a search from the shared bounds `window`: share what it has found, or take over what others have shared.

    Only the first thread to finish shares its bounds. So the bounds of all threads are steps of one sequence, each
    within the one before.
    """
    cdef uint32_t found = bounds_word(lower[0], upper[0])
    if replace32(&shared.bounds, window[0], found, True):
        window[0] = found
    else:
        window[0] = read32(&shared.bounds)
        lower[0] = <int>(window[0] >> 8) - 64
        upper[0] = <int>(window[0] & 255) - 64
