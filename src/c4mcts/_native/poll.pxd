"""Poll: what ends a long call: its time limit, or a callback, which is called about every 10 ms."""

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    POLL_INTERVAL = 10      # milliseconds between two calls of the function, approximately


cdef class Poll:
    # The function and the answers it has given.
    cdef object function    # returns true to stop
    cdef object error       # the exception that it has raised, which also stops the call, or None
    cdef uint32_t halted    # whether to stop; read by all threads, the other fields only by the calling thread
    cdef uint64_t last_asked    # when the function was called last, in milliseconds; for ask_if_due
    cdef uint64_t deadline      # when to stop without being told to, in milliseconds


cdef int begin(Poll poll, function, uint64_t limit=*) except -1
cdef void ask(Poll poll) noexcept nogil
cdef void ask_if_due(Poll poll) noexcept nogil
cdef int finish(Poll poll) except -1
