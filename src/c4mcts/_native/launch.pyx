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


cdef int allocate_helper(Helper* helper) except -1:
    """Once, before the first `help`; again in a forked process, where the state of the locks is not known."""
    helper.is_there = helper.leaves = False
    helper.begin = PyThread_allocate_lock()
    if helper.begin == NULL:
        raise MemoryError("no lock for a thread")
    PyThread_acquire_lock(helper.begin, 0)
    return allocate_lock(&helper.launch)


cdef void helper_main(void* argument) noexcept nogil:
    """The function of a helper's thread."""
    cdef Helper* helper = <Helper*>argument
    while True:
        PyThread_acquire_lock(helper.begin, 1)
        if helper.leaves:
            break
        helper.function(helper.argument)
        end(&helper.launch)
    end(&helper.launch)


cdef bint help(Helper* helper, void (*function)(void*) noexcept nogil, void* argument) noexcept:
    """Have a piece of work done, for which the caller must `wait`; False if the system has no more threads.

    To be called with the GIL: see start.
    """
    if helper.is_there and helper.forks != FORKS:
        try:
            allocate_helper(helper)     # the old locks are lost: they belong to a thread that does not exist here
        except MemoryError:
            return False
    helper.function = function
    helper.argument = argument
    if not helper.is_there:
        if not start(&helper.launch, helper_main, helper):
            return False
        helper.is_there = True
        helper.forks = FORKS
    else:
        helper.launch.finished = 0
        PyThread_acquire_lock(helper.launch.lock, 0)
    PyThread_release_lock(helper.begin)
    return True


cdef void dismiss(Helper* helper) noexcept:
    """End the thread, which does not work, and free its locks."""
    if helper.is_there and helper.forks == FORKS:
        helper.leaves = True
        PyThread_acquire_lock(helper.launch.lock, 0)
        PyThread_release_lock(helper.begin)
        PyThread_acquire_lock(helper.launch.lock, 1)
    if helper.begin != NULL:
        PyThread_free_lock(helper.begin)
    free_lock(&helper.launch)


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
