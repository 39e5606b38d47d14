"""Many games of self-play whose leaves are evaluated in batches.

The slots, each of which holds one game after the other, are divided into equal groups with a batch each. A call of
`gather` or `complete` is for one group. The games share nothing, so they don't depend on their number, and several
threads may each take a part of the group in `gather`.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from .answers cimport Answers
from .launch cimport Launch


cdef struct Part:
    # What one thread does in a call of `gather`: `advance` for the slots from `first` up to `last`.
    void* pool              # the GamePool
    int first
    int last
    float* planes           # where the planes of the slot `first` are painted
    const float* answers    # by row of the batch: the evaluator's
    Launch launch           # of a thread that is not the caller's


cdef class BatchArrays:
    # The memory of a batch.
    cdef float[::1] planes          # flat
    cdef uint8_t[::1] legal         # flat
    cdef int32_t[::1] rows          # by row: the number of its game
    cdef uint64_t[::1] columns      # by row: the open columns, a bit for each
    cdef float[:, ::1] answers      # by row: priors for all columns, and then the value
    cdef int waiting                # number of rows that wait for their answers


cdef class GamePool:
    # A fixed number of slots for games.
    cdef list games                 # a SelfPlayGame in each slot
    cdef void** slots               # the same as pointers, for code without the GIL
    cdef list batches               # the BatchArrays of each group
    cdef int group_size             # number of slots in a group
    cdef uint8_t[::1] due           # by slot: whether its game is over or needs more memory
    cdef Part* parts                # of the threads; the first is the caller's
    cdef int n_parts                # number of threads
    cdef Answers answers            # that are kept, or None
    cdef int width                  # of the board
    cdef int leaves                 # that a game may have in a batch
    cdef size_t size                # numbers in the planes of a position
