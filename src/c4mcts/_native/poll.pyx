"""How a long call looks up from its work; polling.pxd holds the picture."""

from cpython.exc cimport PyErr_CheckSignals

from .atomics cimport read32, write32

cdef extern from "portable.h" nogil:
    uint64_t milliseconds "c4_milliseconds" ()


cdef class Poll:
    pass


cdef int begin(Poll poll, function) except -1:
    """Before a call: take its function."""
    poll.function = function
    poll.error = None
    poll.halted = False
    poll.asked = 0
    return 0


cdef void ask(Poll poll) noexcept nogil:
    """Ask the function, unless it has said to stop already; answer signals. In the calling thread only."""
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


cdef void ask_in_time(Poll poll) noexcept nogil:
    """Ask, unless it was asked a moment ago: each question needs the GIL."""
    cdef uint64_t now = milliseconds()
    if now - poll.asked >= PATIENCE:
        ask(poll)
        poll.asked = milliseconds()


cdef int finish(Poll poll) except -1:
    """After the call: let go of the function, whose owner may own this; raise what it has raised."""
    error = poll.error
    poll.function = poll.error = None
    if error is not None:
        raise error
    return 0
