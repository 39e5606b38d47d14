"""The team: the threads that grow one tree together; team.pxd holds the picture."""

import os

from c4mcts._layout import MAX_THREADS
from c4mcts._validation import between

from cpython.pythread cimport (
    PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock,
)
from libc.stdint cimport UINT64_MAX, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from .alphabeta cimport give_back, make_room
from .atomics cimport acquire32, read32, release32
from .bitboard cimport BITS, STANDARD
from .bounds cimport Situation
from .poll cimport PATIENCE, ask, ask_in_time
from .pool cimport clear
from .rng cimport next64
from .simulation cimport TAKEN_AT_ONCE, run

cdef extern from "Python.h" nogil:
    unsigned long PyThread_start_new_thread(void (*function)(void*) noexcept, void* argument)
    int PyThread_acquire_lock_timed(PyThread_type_lock lock, long long microseconds, int interruptible)
    int PY_LOCK_ACQUIRED
    size_t PyThread_get_stacksize()
    int PyThread_set_stacksize(size_t bytes)

cdef unsigned long NO_THREAD = <unsigned long>-1    # what CPython returns for a thread that could not be started
cdef enum:
    STACK = 1 << 20         # bytes for each thread: the default is less in some places, or may have been set so
    PLIES_BETWEEN_LOOKS = 20_000    # played by the caller's thread, about and at most, before it looks at the clock


cdef int FORKS = 0      # how often this process, or those before it, was forked off


def note_fork():
    """This process is new."""
    global FORKS
    FORKS += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=note_fork)


cdef class Team:

    def __cinit__(self, threads):
        cdef uint32_t count = between("threads", threads, 1, MAX_THREADS)
        cdef uint32_t i
        self.workers = <Worker*>calloc(count, sizeof(Worker))
        if self.workers == NULL:
            raise MemoryError(f"no memory for {threads} threads")
        self.threads = count
        for i in range(1, count):
            self.workers[i].busy = PyThread_allocate_lock()
            if self.workers[i].busy == NULL:
                raise MemoryError(f"no locks for {threads} threads")

    def __dealloc__(self):
        cdef uint32_t i
        for i in range(1, self.threads):
            if self.workers[i].busy != NULL:
                PyThread_free_lock(self.workers[i].busy)
            give_back(&self.workers[i].own_task)
        free(self.workers)


cdef int prepare(Team team, Task* task) except -1:
    """Before a call: the solver's task, for probes, or NULL. Each thread gets one like it; the table is shared."""
    cdef Task* own
    cdef Situation* children
    cdef Situation** waiting
    cdef uint32_t i
    team.workers[0].task = task
    if task == NULL or team.threads == 1:
        return 0
    task.wanted = &team.pool.cramped
    for i in range(1, team.threads):
        own = &team.workers[i].own_task
        children, waiting = own.children, own.waiting
        own[0] = task[0]
        own.children, own.waiting = children, waiting
        own.poll = NULL
        if own.children == NULL:
            make_room(own)
        team.workers[i].task = own
    return 0


cdef uint64_t make(Team team, uint64_t count, uint64_t enough) except? 0:
    """Up to `count` simulations, by all, until the tree needs more memory; see simulation.run. Returns how many."""
    cdef Pool pool = team.pool
    cdef uint32_t started
    cdef bint whole
    pool.cramped = False
    team.nodes = <Node[:pool.capacity]>pool.nodes
    team.quota = Quota(count, 0, enough, &team.poll.halted)
    team.workers[0].made = 0
    if team.threads == 1:
        with nogil:
            work(team, &team.workers[0], UINT64_MAX)
    else:
        started = start_others(team)
        with nogil:
            whole = work_together(team, started)
        if not whole:
            clear(pool)     # nobody knows what the others were at
            raise RuntimeError("this process was forked off in the middle of a search, whose threads it has not")
    return team.workers[0].made


cdef void work(Team team, Worker* worker, uint64_t most) noexcept nogil:
    """One thread's share of the simulations, or the next `most` of it."""
    if team.geometry.kernel == STANDARD:
        worker.made += run(
            team.pool, team.nodes, team.settings, team.geometry, &worker.generator, worker.task,
            &team.root.standard, &worker.position.standard, worker.path, &team.quota, most,
        )
    elif team.geometry.kernel == BITS:
        worker.made += run(
            team.pool, team.nodes, team.settings, team.geometry, &worker.generator, worker.task,
            &team.root.bits, &worker.position.bits, worker.path, &team.quota, most,
        )
    else:
        worker.made += run(
            team.pool, team.nodes, team.settings, team.geometry, &worker.generator, worker.task,
            &team.root.lines, &worker.position.lines, worker.path, &team.quota, most,
        )


cdef void take_part(void* argument) noexcept nogil:
    """The life of a thread that is not the caller's."""
    cdef Worker* worker = <Worker*>argument
    work(<Team>worker.team, worker, UINT64_MAX)
    release32(&worker.finished, True)
    PyThread_release_lock(worker.busy)


cdef bint start(Team team, Worker* worker, Generator* seeds) noexcept:
    """Put a thread to work; False if the system has none.

    With the GIL: CPython 3.11 looks up the size of the stack in the state of the thread that holds it, which may be
    freed in that moment if it is not this one.
    """
    worker.team = <void*>team
    worker.made = worker.finished = 0
    worker.generator.a = next64(seeds)
    worker.generator.b = next64(seeds) | 1
    worker.own_task.nodes = worker.own_task.look = 0
    PyThread_acquire_lock(worker.busy, 0)
    if PyThread_start_new_thread(take_part, worker) == NO_THREAD:
        PyThread_release_lock(worker.busy)
        return False
    return True


cdef uint32_t start_others(Team team) noexcept:
    """Put the threads to work that are not the caller's; returns how many there are now with the caller's.

    Fewer, until the tree next needs memory, if the system has no more.
    """
    cdef size_t stack = PyThread_get_stacksize()
    cdef uint32_t started = 1
    PyThread_set_stacksize(STACK)
    while started < team.threads and start(team, &team.workers[started], &team.workers[0].generator):
        started += 1
    PyThread_set_stacksize(stack)
    return started


cdef bint work_together(Team team, uint32_t started) noexcept nogil:
    """The simulations of the quota, by `started` threads; none is at work any more when this returns.

    False in a process that a callback has forked off: there all but the caller's thread are gone.

    From their start on all is C, so that no exception of Python can come between. Only the caller's thread asks the
    poll.
    """
    cdef Worker* workers = team.workers
    # what the caller's thread makes between two looks, 0.1 to 10 milliseconds: whole takings, so that none is left over
    cdef uint64_t part = TAKEN_AT_ONCE * (1 + PLIES_BETWEEN_LOOKS // (TAKEN_AT_ONCE * team.geometry.cells))
    cdef uint64_t before
    cdef int forks = FORKS
    cdef uint32_t i
    while True:
        before = workers[0].made
        work(team, &workers[0], part)
        if workers[0].made - before < part:
            break
        ask_in_time(team.poll)
        if FORKS != forks:
            return False
        if read32(&team.poll.halted):
            break
    for i in range(1, started):
        while PyThread_acquire_lock_timed(workers[i].busy, 1000 * PATIENCE, 0) != PY_LOCK_ACQUIRED:
            ask(team.poll)
            if FORKS != forks:
                return False
        acquire32(&workers[i].finished)     # so that all it has written is seen, by a sanitizer too
        PyThread_release_lock(workers[i].busy)
        workers[0].made += workers[i].made
        if workers[0].task != NULL:
            workers[0].task.nodes += workers[i].own_task.nodes
    return True
