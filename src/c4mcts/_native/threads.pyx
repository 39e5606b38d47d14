"""The threads that grow one tree together; threads.pxd describes the structs."""

from c4mcts._layout import MAX_THREADS
from c4mcts._validation import between

from libc.stdint cimport UINT64_MAX, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from .atomics cimport read32
from .bitboard cimport BITS, STANDARD
from .launch cimport allocate_lock, end, forks_so_far, free_lock, start, wait
from .numbers cimport Generator, next64
from .poll cimport ask_if_due
from .pool cimport NodePool, clear
from .prober cimport Prober, ProbeTask
from .simulation cimport CHUNK, run

cdef enum:
    PLIES_PER_POLL = 2_000   # plies the caller's thread plays between two looks at the clock: approximate upper limit


cdef class ThreadGroup:

    def __cinit__(self, threads):
        cdef uint32_t size = between("threads", threads, 1, MAX_THREADS)
        cdef uint32_t i
        self.threads = <Thread*>calloc(size, sizeof(Thread))
        if self.threads == NULL:
            raise MemoryError(f"no memory for {size} threads")
        self.size = size
        for i in range(1, size):
            allocate_lock(&self.threads[i].launch)

    def __dealloc__(self):
        cdef uint32_t i
        for i in range(1, self.size):
            free_lock(&self.threads[i].launch)
        free(self.threads)


cdef int prepare(ThreadGroup group, Prober prober) except -1:
    """Before the calls of run_threads in one search. prober: which the threads may ask, or None."""
    cdef ProbeTask* task
    cdef uint32_t i
    for i in range(group.size):
        task = &group.threads[i].worker.task
        task.prober = NULL if prober is None else <void*>prober
        task.thread = i
        task.suspended.budget = 0
    if prober is not None:
        prober.begin_probes(group.poll, &group.tree.pool.memory_needed if group.size > 1 else NULL)
    return 0


cdef uint64_t run_threads(ThreadGroup group, uint64_t count, uint64_t max_nodes) except? 0:
    """Run up to `count` simulations on all threads, until the pool must be enlarged or as described in simulation.run.

    Returns the number run.
    """
    cdef NodePool pool = group.tree.pool
    cdef Thread* caller = &group.threads[0]
    cdef uint32_t started
    cdef bint all_ended
    pool.memory_needed = False
    group.quota = Quota(count=count, taken=0, max_nodes=max_nodes, halted=&group.poll.halted)
    caller.done = 0
    started = start_threads(group)
    with nogil:
        all_ended = run_together(group, started)
    if not all_ended:
        clear(pool)     # the other threads have stopped in the middle of simulations
        raise RuntimeError("this process was forked off in the middle of a search, whose threads it does not have")
    return caller.done


cdef void run_thread(ThreadGroup group, Thread* thread, uint64_t max_simulations) noexcept nogil:
    """Up to `max_simulations` of the quota in this thread, with the code for the kernel of the board."""
    cdef Worker* worker = &thread.worker
    cdef Quota* quota = &group.quota
    if group.tree.geometry.kernel == STANDARD:
        thread.done += run(
            group.tree, worker, &group.root.standard, &worker.position.standard, quota, max_simulations,
        )
    elif group.tree.geometry.kernel == BITS:
        thread.done += run(group.tree, worker, &group.root.bits, &worker.position.bits, quota, max_simulations)
    else:
        thread.done += run(group.tree, worker, &group.root.lines, &worker.position.lines, quota, max_simulations)


cdef void thread_main(void* argument) noexcept nogil:
    """The function of a started thread."""
    cdef Thread* thread = <Thread*>argument
    run_thread(<ThreadGroup>thread.group, thread, UINT64_MAX)
    end(&thread.launch)


cdef uint32_t start_threads(ThreadGroup group) noexcept:
    """Start the threads other than the caller's; returns the number now running, including the caller's.

    If the system has no more threads, there are fewer until the next call of run_threads.
    """
    cdef Generator* seeds = &group.threads[0].worker.generator
    cdef Thread* thread
    cdef uint32_t i
    for i in range(1, group.size):
        thread = &group.threads[i]
        thread.group = <void*>group
        thread.done = 0
        thread.worker.generator.a = next64(seeds)
        thread.worker.generator.b = next64(seeds) | 1
        if not start(&thread.launch, thread_main, thread):
            return i
    return group.size


cdef bint run_together(ThreadGroup group, uint32_t started) noexcept nogil:
    """Run the quota in the caller's thread and the `started` ones; all of them have ended when this returns.

    False in a process that a callback has forked: only the caller's thread exists there.

    While the threads run, only the poll callback executes Python code, in the caller's thread, so no exception can
    leave a thread running.
    """
    cdef Thread* threads = group.threads
    # simulations of the caller's thread between two looks at the clock, for 0.1 to 1 ms; a multiple of CHUNK, see run
    cdef uint64_t part = CHUNK * (1 + PLIES_PER_POLL // (CHUNK * group.tree.geometry.cells))
    cdef uint64_t before
    cdef int forks = forks_so_far()
    cdef uint32_t i
    while True:
        before = threads[0].done
        run_thread(group, &threads[0], part)
        # the last simulation of a part may have added the last node
        if threads[0].done - before < part or read32(&group.tree.pool.used) >= group.quota.max_nodes:
            break
        ask_if_due(group.poll)
        if started > 1 and forks_so_far() != forks:
            return False
        if read32(&group.poll.halted):
            break
    for i in range(1, started):
        if not wait(&threads[i].launch, group.poll, forks):
            return False
        threads[0].done += threads[i].done
    return True
