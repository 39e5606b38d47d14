"""How a long call looks up from its work: it asks a function of the caller's whether to stop."""

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    PATIENCE = 10       # milliseconds between two questions, about


cdef class Poll:
    # A function to ask, and what has come of it.
    cdef object function    # true: stop
    cdef object error       # what it has raised, which stops the call too
    cdef uint32_t halted    # read by all threads of the call; the others are the calling thread's
    cdef uint64_t asked     # when, in milliseconds; for ask_in_time


cdef int begin(Poll poll, function) except -1
cdef void ask(Poll poll) noexcept nogil
cdef void ask_in_time(Poll poll) noexcept nogil
cdef int finish(Poll poll) except -1
