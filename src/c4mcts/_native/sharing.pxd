"""The data that threads solving one position share in addition to the table.

Each thread runs the whole search on its own, and finds the finished work of the others in the table. Moves that another
thread is searching are postponed, a simple form of ABDADA (Weill, "The ABDADA distributed minimax search algorithm",
1996). Once another thread has decided a position on the way to the one it searches, a thread goes back to that
position. The first thread to finish a null window sets the bounds from which all continue.
"""

from libc.stdint cimport uint32_t, uint64_t

from c4mcts._native.atomics cimport add64, read32, read64, replace32, write64

from .cells cimport CELL_BITS, Cells
from .table cimport Table, lower_of, probe, upper_of

cdef enum:
    BUSY = 1 << 10      # places for positions that are being searched
    LINE = 8            # places apart, so that no two of them are in one cache line: threads write to them all the time
    CLAIM = 1 << 9      # nodes that a thread takes from the budget at once


cdef struct Shared:
    uint64_t busy[LINE * BUSY]  # the low words of the scrambled keys that threads search, each at its place; 0: none
    uint64_t budget         # value of `claimed` at which there are no nodes left
    uint64_t claimed        # nodes that the threads have taken
    uint32_t bounds         # the bounds of the score so far, see bounds_word; 0: no window is finished


cdef struct Path:
    # The positions that threads note while searching them, from the root of a thread's search to the current one.
    Cells codes[CELL_BITS]  # their scrambled keys
    int alphas[CELL_BITS]   # they are searched with the windows [alpha, alpha + 1], for their players to move
    int length              # their number
    int decided             # the place of the first one that another thread has decided; -1: none known


cdef inline bint is_busy(const Shared* shared, Cells code) noexcept nogil:
    """Whether a thread is searching the position with this scrambled key."""
    return read64(&shared.busy[LINE * (<uint64_t>code % BUSY)]) == <uint64_t>code


cdef inline void enter(Shared* shared, Path* path, Cells code, int alpha) noexcept nogil:
    """Note that this thread searches a position. A wrong note only costs time, so the latest may overwrite."""
    path.codes[path.length] = code
    path.alphas[path.length] = alpha
    path.length += 1
    write64(&shared.busy[LINE * (<uint64_t>code % BUSY)], <uint64_t>code)


cdef inline void leave(Shared* shared, Path* path) noexcept nogil:
    """Note that the search of the latest position has ended."""
    cdef Cells code
    path.length -= 1
    code = path.codes[path.length]
    if is_busy(shared, code):
        write64(&shared.busy[LINE * (<uint64_t>code % BUSY)], 0)


cdef inline bint find_decided(Path* path, const Table* table) noexcept nogil:
    """Find the first position on the path that another thread has decided; whether there is one."""
    cdef uint64_t entry
    cdef int i
    for i in range(path.length):
        entry = probe(table, path.codes[i])
        if entry and (lower_of(entry) > path.alphas[i] or upper_of(entry) <= path.alphas[i]):
            path.decided = i
            return True
    return False


cdef inline uint64_t claim(Shared* shared) noexcept nogil:
    """Take nodes from the budget; returns their number, 0 if none are left."""
    cdef uint64_t before = read64(&shared.claimed)
    if before < shared.budget:
        before = add64(&shared.claimed, CLAIM, True)
    return min(<uint64_t>CLAIM, shared.budget - before) if before < shared.budget else 0


cdef inline uint32_t bounds_word(int lower, int upper) noexcept nogil:
    """Bounds of a score as one integer, not 0."""
    return <uint32_t>(lower + 64) << 8 | <uint32_t>(upper + 64)


cdef inline void agree(Shared* shared, uint32_t* window, int* lower, int* upper) noexcept nogil:
    """After a search from the shared bounds `window`: share its result, or take over the bounds that others have
    shared.

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
