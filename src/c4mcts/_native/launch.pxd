"""Threads that run only C code, next to their caller; the interpreter does not know them."""

from cpython.pythread cimport PyThread_type_lock
from libc.stdint cimport uint32_t

from .poll cimport Poll


cdef struct Launch:
    # The data for starting a thread and waiting for its end, repeatedly.
    PyThread_type_lock lock     # held by a started thread until it ends, so that the caller can wait for it
    uint32_t finished           # set by a release store after all other writes of the thread


cdef struct Helper:
    # A thread that is kept, and works now and then: a start takes some 15 microseconds, waking it a tenth of that.
    Launch launch               # to wait for the end of a piece of work
    PyThread_type_lock begin    # released by the caller, to have a piece of work done
    void (*function)(void*) noexcept nogil
    void* argument
    bint is_there               # whether the thread has been started
    bint leaves                 # whether it shall end
    int forks                   # forks_so_far at its start


cdef int allocate_lock(Launch* launch) except -1
cdef void free_lock(Launch* launch) noexcept
cdef bint start(Launch* launch, void (*function)(void*) noexcept nogil, void* argument) noexcept
cdef void end(Launch* launch) noexcept nogil
cdef int allocate_helper(Helper* helper) except -1
cdef bint help(Helper* helper, void (*function)(void*) noexcept nogil, void* argument) noexcept
cdef void dismiss(Helper* helper) noexcept
cdef int forks_so_far() noexcept nogil
cdef bint wait(Launch* launch, Poll poll, int forks) noexcept nogil
