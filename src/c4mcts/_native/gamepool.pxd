"""Many games of self-play whose leaves are evaluated in one batch.

A call of `gather` or `complete` is for a range of slots, each of which holds one game after the other. The games share
nothing, so they don't depend on their number, and several threads may each take a part of the range in `gather`.
"""

from libc.stdint cimport int32_t, uint8_t

from .answers cimport Answers
from .launch cimport Launch


cdef struct Part:
    # What one thread does in a call of `gather`: `advance` for the slots from `first` up to `last`.
    void* pool              # the GamePool
    int first
    int last
    float* planes           # those of the slot `first`
    Launch launch           # of a thread that is not the caller's


cdef class BatchArrays:
    # The arrays of a batch, flat.
    cdef float[::1] planes
    cdef uint8_t[::1] legal
    cdef int32_t[::1] rows          # by leaf: the number of its game


cdef class GamePool:
    # A fixed number of slots for games.
    cdef list games                 # a SelfPlayGame in each slot
    cdef void** slots               # the same as pointers, for code without the GIL
    cdef int n_slots
    cdef int32_t[::1] ends          # by slot: the row of the batch after the last one that it waits for; 0: for none
    cdef Part* parts                # of the threads; the first is the caller's
    cdef int n_parts                # number of threads
    cdef Answers answers            # that are kept, or None
    cdef int width                  # of the board
    cdef int leaves                 # that a game may have in a batch
    cdef size_t size                # numbers in the planes of a position
