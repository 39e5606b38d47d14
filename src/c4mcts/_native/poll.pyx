"""Poll: what ends a long call; poll.pxd describes the class."""

from cpython.exc cimport PyErr_CheckSignals

from libc.stdint cimport UINT64_MAX

from .atomics cimport read32, write32

cdef extern from "portable.h" nogil:
    uint64_t milliseconds "c4_milliseconds" ()


cdef class Poll:
    pass


cdef int begin(Poll poll, function, uint64_t limit=UINT64_MAX) except -1:
    """At the beginning of a call: set its function, which is due at once. limit: milliseconds after which it ends."""
    cdef uint64_t now = milliseconds()
    poll.function = function
    poll.error = None
    poll.halted = False
    poll.last_asked = 0
    poll.deadline = now + min(limit, UINT64_MAX - now)
    return 0


cdef void ask(Poll poll) noexcept nogil:
    """Call the function, unless it has already said to stop, and handle signals. Only in the calling thread."""
    cdef bint halted
    if read32(&poll.halted):
        return
    with gil:
        try:
            PyErr_CheckSignals()
            halted = bool(poll.function())
        except BaseException as error:
            poll.error = error
            halted = True
    write32(&poll.halted, halted)


cdef void ask_if_due(Poll poll) noexcept nogil:
    """Stop at the deadline; ask if POLL_INTERVAL has passed since the last time, which needs the GIL."""
    cdef uint64_t now = milliseconds()
    if now >= poll.deadline:
        write32(&poll.halted, True)
    elif now - poll.last_asked >= POLL_INTERVAL:
        ask(poll)
        poll.last_asked = milliseconds()


cdef int finish(Poll poll) except -1:
    """At the end of the call: drop the function, which may refer back to the poll; raise its exception, if any."""
    error = poll.error
    poll.function = poll.error = None
    if error is not None:
        try:
            raise error
        finally:
            del error  # its traceback refers to this frame
    return 0
