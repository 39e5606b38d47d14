"""The searcher: one tree, grown by simulations, and what is done with it between them."""

from c4mcts import _layout

from cpython.pythread cimport (
    PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock,
)
from libc.stdint cimport UINT64_MAX
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from .alphabeta cimport Probe, attach
from .atomics cimport acquire32, read16, read32, release32
from .bitboard cimport BITS, STANDARD, geometry_of, load, play
from .blocks cimport Entry, must_widen, widen
from .checking cimport check
from .polling cimport ask, ask_in_time, begin, finish
from .pool cimport Estimate, clear, estimates, keep, reserve, rows, set_estimates
from .proofs cimport is_proven
from .rng cimport next64
from .simulation cimport TAKEN_AT_ONCE, is_cramped, run
from .threats cimport find_threats

cdef extern from "Python.h" nogil:
    unsigned long PyThread_start_new_thread(void (*function)(void*) noexcept, void* argument)
    int PyThread_acquire_lock_timed(PyThread_type_lock lock, long long microseconds, int interruptible)
    int PY_LOCK_ACQUIRED

cdef uint32_t ROOT = _layout.ROOT
cdef unsigned long NO_THREAD = <unsigned long>-1    # what CPython returns for a thread that could not be started
cdef enum:
    PATIENCE = 10_000   # microseconds that the caller's thread waits for the others before it asks the poll
    PLIES_BETWEEN_LOOKS = 20_000    # played by the caller's thread, at most, before it looks at the clock


cdef uint32_t child_of(Pool pool, uint32_t node, int column) noexcept nogil:
    """The child that a column leads to; ROOT, which is nobody's child, if there is none."""
    cdef Node* nodes = pool.nodes
    cdef uint32_t first = nodes[node].children
    cdef uint32_t child
    for child in range(first, first + nodes[node].size):
        if nodes[child].column == column:
            return child
    return ROOT


cdef int grow(Pool pool, const Settings* settings, const Geometry* geometry) except -1:
    """More memory for the tree; where there is none, the tree counts as full."""
    try:
        if pool.capacity - pool.used < <uint32_t>geometry.width and pool.capacity < pool.limit:
            reserve(pool, min(pool.limit, 2 * <uint64_t>pool.capacity + 64))
        if settings.transpositions and must_widen(pool.blocks):
            widen(pool.blocks)
    except MemoryError:
        pool.limit = pool.capacity
        pool.blocks.limit = pool.blocks.used
    return 0


cdef void work(Searcher searcher, Worker* worker, uint64_t most) noexcept nogil:
    """One thread's share of the simulations, or the next `most` of it."""
    if searcher.geometry.kernel == STANDARD:
        worker.made += run(
            searcher.pool, searcher.nodes, &searcher.settings, &searcher.geometry, &worker.generator, worker.task,
            &searcher.root.standard, &worker.position.standard, worker.path, &searcher.quota, most,
        )
    elif searcher.geometry.kernel == BITS:
        worker.made += run(
            searcher.pool, searcher.nodes, &searcher.settings, &searcher.geometry, &worker.generator, worker.task,
            &searcher.root.bits, &worker.position.bits, worker.path, &searcher.quota, most,
        )
    else:
        worker.made += run(
            searcher.pool, searcher.nodes, &searcher.settings, &searcher.geometry, &worker.generator, worker.task,
            &searcher.root.lines, &worker.position.lines, worker.path, &searcher.quota, most,
        )


cdef void join(void* argument) noexcept nogil:
    """The life of a thread that is not the caller's. The interpreter never hears of it."""
    cdef Worker* worker = <Worker*>argument
    work(<Searcher>worker.searcher, worker, UINT64_MAX)
    release32(&worker.finished, True)
    PyThread_release_lock(worker.busy)


cdef bint start(Searcher searcher, Worker* worker, Generator* seeds) noexcept:
    """Put a thread to work; False if the system has none.

    With the GIL: CPython 3.11 looks up the size of the stack in the state of the thread that holds it, which may be
    freed in that moment if it is not this one.
    """
    cdef Probe open
    worker.searcher = <void*>searcher
    worker.made = worker.finished = 0
    worker.generator.a = next64(seeds)
    worker.generator.b = next64(seeds) | 1
    if searcher.workers[0].task != NULL:
        open = worker.own_task.open
        worker.own_task = searcher.workers[0].task[0]
        worker.own_task.nodes = worker.own_task.look = 0
        worker.own_task.poll = NULL
        worker.own_task.open = open
        worker.task = &worker.own_task
    PyThread_acquire_lock(worker.busy, 0)
    if PyThread_start_new_thread(join, worker) == NO_THREAD:
        PyThread_release_lock(worker.busy)
        return False
    return True


cdef int start_others(Searcher searcher) noexcept:
    """Put the threads to work that are not the caller's; returns how many there are now with the caller's."""
    cdef int started = 1
    while started < searcher.threads and start(
        searcher, &searcher.workers[started], &searcher.workers[0].generator
    ):
        started += 1
    return started


cdef void work_together(Searcher searcher, int started) noexcept nogil:
    """The simulations of the quota, by `started` threads; none is at work any more when this returns.

    From their start on all is C, so that no exception of Python can come between. Only the caller's thread asks the
    poll.
    """
    cdef Worker* workers = searcher.workers
    # what the caller's thread makes between two looks, a few milliseconds: whole takings, so that none is left over
    cdef uint64_t part = TAKEN_AT_ONCE * (1 + PLIES_BETWEEN_LOOKS // (TAKEN_AT_ONCE * searcher.geometry.cells))
    cdef uint64_t before
    cdef int i
    while True:
        before = workers[0].made
        work(searcher, &workers[0], part)
        if workers[0].made - before < part:
            break
        ask_in_time(searcher.poll)
    for i in range(1, started):
        while PyThread_acquire_lock_timed(workers[i].busy, PATIENCE, 0) != PY_LOCK_ACQUIRED:
            ask(searcher.poll)
        acquire32(&workers[i].finished)     # so that all it has written is seen, by a sanitizer too
        PyThread_release_lock(workers[i].busy)
        workers[0].made += workers[i].made
        if workers[0].task != NULL:
            workers[0].task.nodes += workers[i].own_task.nodes


cdef class Searcher:

    def __cinit__(self, rules, settings, state, Solver solver):
        """`settings`: a _layout.Settings; `state`: two 64-bit words, not both zero; `solver`: for probes, or None."""
        cdef int i
        self.geometry = geometry_of(rules)
        self.settings = Settings(
            settings.selection, settings.random_opponent, settings.win, settings.draw, settings.exploration,
            settings.first_play, settings.random_ties, settings.roll_root, settings.rollout, settings.proofs,
            settings.probes and solver is not None, settings.transpositions, settings.short_wins, settings.threads > 1,
            settings.virtual_loss, settings.noise,
        )
        self.solver = solver
        self.poll = Poll()
        self.pool = Pool(settings.max_nodes)
        self.pool.shared = self.pool.blocks.shared = self.settings.shared
        self.workers = <Worker*>calloc(settings.threads, sizeof(Worker))
        if self.workers == NULL:
            raise MemoryError(f"no memory for {settings.threads} threads")
        self.threads = settings.threads
        for i in range(1, self.threads):
            self.workers[i].busy = PyThread_allocate_lock()
            if self.workers[i].busy == NULL:
                raise MemoryError(f"no locks for {settings.threads} threads")
        self.workers[0].generator.a, self.workers[0].generator.b = state

    def __dealloc__(self):
        cdef int i
        for i in range(1, self.threads):
            if self.workers[i].busy != NULL:
                PyThread_free_lock(self.workers[i].busy)
        free(self.workers)

    def set_root(self, own, mask):
        """Start a new tree at an unfinished position: discs of the player to move, and all discs."""
        if self.geometry.kernel == STANDARD:
            load(&self.root.standard, &self.geometry, own, mask)
            find_threats(&self.root.standard, &self.geometry)
        elif self.geometry.kernel == BITS:
            load(&self.root.bits, &self.geometry, own, mask)
            find_threats(&self.root.bits, &self.geometry)
        else:
            load(&self.root.lines, &self.geometry, own, mask)
            find_threats(&self.root.lines, &self.geometry)
        clear(self.pool)

    def simulate(self, uint64_t count, uint64_t enough, poll):
        """Run up to `count` simulations, fewer if the tree gets `enough` nodes or its root is proven; returns how many.

        poll: called in the course of long probes, and by several threads all the time; if it returns true, the
        simulations under way are the last.
        """
        cdef Pool pool = self.pool
        cdef Worker* caller = &self.workers[0]
        cdef uint64_t done = 0
        cdef int i, started
        begin(self.poll, poll)
        if self.solver is not None:
            caller.task = &self.solver.task
            attach(caller.task, self.poll)
            for i in range(1, self.threads):
                self.workers[i].own_task.open.budget = 0
            if self.threads > 1:
                caller.task.wanted = &pool.cramped
        while done < count and not (done and pool.used >= enough) and not self.is_proven():
            if is_cramped(pool, &self.settings, &self.geometry):
                grow(pool, &self.settings, &self.geometry)
            pool.cramped = False
            self.nodes = <Node[:pool.capacity]>pool.nodes
            self.quota = Quota(count - done, 0, enough, &self.poll.halted)
            caller.made = 0
            started = start_others(self)
            with nogil:
                if self.threads == 1:
                    work(self, caller, UINT64_MAX)
                else:
                    work_together(self, started)
            done += caller.made
            if self.poll.halted:
                break
        finish(self.poll)
        return done

    def advance(self, columns):
        """Play moves at the root and keep the subtree they lead to, dropping the rest.

        False, and nothing is changed, if the tree does not hold the last of them.
        """
        cdef uint32_t node = ROOT
        cdef int column
        for column in columns:
            node = child_of(self.pool, node, column)
            if node == ROOT:
                return False
        keep(self.pool, node)
        for column in columns:
            if self.geometry.kernel == STANDARD:
                play(&self.root.standard, &self.geometry, column)
            elif self.geometry.kernel == BITS:
                play(&self.root.bits, &self.geometry, column)
            else:
                play(&self.root.lines, &self.geometry, column)
        if self.geometry.kernel == STANDARD:
            find_threats(&self.root.standard, &self.geometry)
        elif self.geometry.kernel == BITS:
            find_threats(&self.root.bits, &self.geometry)
        else:
            find_threats(&self.root.lines, &self.geometry)
        return True

    def check(self, bint fill=False):
        """What is wrong with the tree: see checking.check."""
        if self.geometry.kernel == STANDARD:
            return check(self.pool, &self.settings, &self.geometry, &self.root.standard, fill)
        elif self.geometry.kernel == BITS:
            return check(self.pool, &self.settings, &self.geometry, &self.root.bits, fill)
        return check(self.pool, &self.settings, &self.geometry, &self.root.lines, fill)

    def restore(self, own, mask, state, bytes data, short_wins):
        """Take over a tree at a position, in the bytes of its rows, a generator's state, and what short_wins gave.

        Returns what `check` finds; if that is a fault, or an exception is raised, the tree is empty.
        """
        cdef Pool pool = self.pool
        cdef const char* source = data
        cdef size_t count = len(data) // sizeof(Node)
        self.set_root(own, mask)
        if count * sizeof(Node) != <size_t>len(data) or not 1 <= count <= pool.limit:
            return 1, 0
        if count > pool.capacity:
            reserve(pool, <uint32_t>count)
        memcpy(pool.nodes, source, count * sizeof(Node))
        pool.used = <uint32_t>count
        fault = 1, 0
        try:
            fault = self.check(fill=True)
        finally:
            if fault[0]:
                clear(pool)
        self.workers[0].generator.a, self.workers[0].generator.b = state
        for column, plies in enumerate(short_wins):
            self.pool.short_wins[<int>column] = plies
        return fault

    def nbytes(self):
        """Bytes of memory the tree takes."""
        cdef size_t node = sizeof(Node) + (sizeof(Estimate) if self.pool.estimates != NULL else 0)
        return self.pool.capacity * node + self.pool.blocks.capacity * sizeof(Entry)

    def is_proven(self):
        """Whether the outcome is certain."""
        return is_proven(read16(&self.pool.nodes[ROOT].proof))

    def used(self):
        """Number of nodes in the tree."""
        return read32(&self.pool.used)

    def rows(self, first, count):
        """Copies of nodes, see pool.rows."""
        return rows(self.pool, first, count)

    def estimates(self, first, count):
        """Values and priors of nodes, see pool.estimates."""
        return estimates(self.pool, first, count)

    def set_estimates(self, data):
        """Take over values and priors, see pool.set_estimates."""
        return set_estimates(self.pool, data)

    def short_wins(self):
        """Plies to the soonest win seen through each column of the root; 0: none."""
        cdef int column
        return [read16(&self.pool.short_wins[column]) for column in range(self.geometry.width)]

    def state(self):
        """The generator's state."""
        return self.workers[0].generator.a, self.workers[0].generator.b
