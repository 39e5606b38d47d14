"""Threads that run only C code, next to their caller; launch.pxd describes the struct."""

import os

from cpython.pythread cimport (
    PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock,
)

from .atomics cimport acquire32, release32
from .poll cimport POLL_INTERVAL, ask

cdef extern from "Python.h" nogil:
    unsigned long PyThread_start_new_thread(void (*function)(void*) noexcept, void* argument)
    int PyThread_acquire_lock_timed(PyThread_type_lock lock, long long microseconds, int interruptible)
    int PY_LOCK_ACQUIRED
    size_t PyThread_get_stacksize()
    int PyThread_set_stacksize(size_t bytes)

cdef unsigned long NO_THREAD = <unsigned long>-1    # what CPython returns for a thread that could not be started
cdef enum:
    STACK = 1 << 20         # bytes for each thread; on some systems the default is too small


cdef int FORKS = 0


def note_fork():
    """os.register_at_fork handler: a forked process has only the calling thread."""
    global FORKS
    FORKS += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=note_fork)


cdef int allocate_lock(Launch* launch) except -1:
    """Once, before the first start."""
    launch.lock = PyThread_allocate_lock()
    if launch.lock == NULL:
        raise MemoryError("no lock for a thread")
    return 0


cdef void free_lock(Launch* launch) noexcept:
    """Free the lock, if there is one; no thread may be running."""
    if launch.lock != NULL:
        PyThread_free_lock(launch.lock)


cdef bint start(Launch* launch, void (*function)(void*) noexcept nogil, void* argument) noexcept:
    """Start a thread that runs a function, which must call `end` last; False if the system has no more threads.

    To be called with the GIL: CPython 3.11 looks up the stack size in the state of the thread that holds the GIL, which
    might be freed at that moment if it were another thread.
    """
    cdef size_t stack = PyThread_get_stacksize()
    cdef bint started
    launch.finished = 0
    PyThread_acquire_lock(launch.lock, 0)
    PyThread_set_stacksize(STACK)
    started = PyThread_start_new_thread(function, argument) != NO_THREAD
    PyThread_set_stacksize(stack)
    if not started:
        PyThread_release_lock(launch.lock)
    return started


cdef void end(Launch* launch) noexcept nogil:
    """The end of a started thread."""
    cdef PyThread_type_lock lock = launch.lock      # read now: the struct is the caller's as soon as `finished` is set
    release32(&launch.finished, True)
    PyThread_release_lock(lock)


cdef int forks_so_far() noexcept nogil:
    """The number of forks between the process that loaded the module and this one."""
    return FORKS


cdef bint wait(Launch* launch, Poll poll, int forks) noexcept nogil:
    """Wait for the end of a started thread, and ask the poll meanwhile.

    forks: forks_so_far when the thread was started. False in a process that a callback has forked, which does not have
    the thread.
    """
    if forks != FORKS:
        return False
    while PyThread_acquire_lock_timed(launch.lock, 1000 * POLL_INTERVAL, 0) != PY_LOCK_ACQUIRED:
        ask(poll)
        if forks != FORKS:
            return False
    acquire32(&launch.finished)     # makes all writes of the thread visible, also to ThreadSanitizer
    PyThread_release_lock(launch.lock)
    return True
