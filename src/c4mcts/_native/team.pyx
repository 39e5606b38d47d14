"""The threads that solve one position together; team.pxd describes the structs."""

from c4mcts._layout import MAX_THREADS
from c4mcts._validation import between

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from c4mcts._native.atomics cimport read64, write64
from c4mcts._native.launch cimport allocate_lock, end, forks_so_far, free_lock, start, wait

from .alphabeta cimport allocate, find_bounds, growth_of, release
from .table cimport grow

cdef enum:
    ALONE = 1 << 14     # nodes that the caller's thread searches first


cdef class Team:

    def __cinit__(self, threads):
        self.size = between("threads", threads, 1, MAX_THREADS)
        self.helpers = <Helper*>calloc(self.size, sizeof(Helper))
        if self.helpers == NULL:
            raise MemoryError(f"no memory for {self.size} threads")

    def __dealloc__(self):
        cdef uint32_t i
        if self.helpers != NULL:
            for i in range(self.size - 1):
                free_lock(&self.helpers[i].launch)
                release(&self.helpers[i].task)
        free(self.helpers)


cdef int prepare(Team team, const Task* task) except -1:
    """Once, before the first call of solve_together: give each helper a copy of the caller's task."""
    cdef Helper* helper
    cdef uint32_t i
    for i in range(team.size - 1):
        helper = &team.helpers[i]
        helper.task = task[0]
        helper.task.children = NULL
        helper.task.waiting = NULL
        allocate(&helper.task)
        allocate_lock(&helper.launch)
    return 0


cdef void solve_together(Team team, Task* task, Situation* situation, const Question* question, Poll poll) noexcept:
    """find_bounds by all threads; `task` is the caller's.

    The caller's begins alone: most positions are solved before others are worth starting. A shared table can't grow, so
    all threads stop when it should, and go on with a larger one; a search on a table larger than it needs takes up to
    twice as long. If the system has no more threads, fewer do it. In a process that a callback has forked there is only
    the caller's, which continues alone until then.
    """
    cdef uint64_t budget = task.budget
    cdef uint64_t growth
    cdef uint32_t started
    cdef int forks
    if team.size > 1:
        task.budget = min(budget, task.nodes + ALONE)
    with nogil:
        find_bounds(task, situation, question.own, question.mask, question.low, question.high)
    while is_open(situation, question) and task.nodes < budget and not poll.halted:
        growth = growth_of(task)
        task.budget = min(budget, growth)
        forks = forks_so_far()
        started = start_helpers(team, task, question)
        with nogil:
            find_bounds(task, situation, question.own, question.mask, question.low, question.high)
            wait_for_helpers(team, task, situation, started, poll, forks)
            task.shared = NULL
            if is_open(situation, question) and task.nodes >= growth:
                grow(&task.table, poll)


cdef inline bint is_open(const Situation* situation, const Question* question) noexcept nogil:
    """Whether the bounds of the position do not answer the question yet."""
    cdef int lower = situation.lower
    cdef int upper = situation.upper
    return lower < upper and lower < question.high and upper > question.low


cdef uint32_t start_helpers(Team team, Task* task, const Question* question) noexcept:
    """Start the helpers; returns the number running."""
    cdef Shared* shared = &team.shared
    cdef Helper* helper
    cdef uint32_t i
    memset(shared, 0, sizeof(Shared))
    shared.budget = task.budget
    shared.claimed = task.nodes
    task.shared = shared
    task.window = 0
    task.budget = task.nodes
    for i in range(team.size - 1):
        helper = &team.helpers[i]
        helper.question = question[0]
        helper.task.table = task.table
        helper.task.halted = task.halted
        helper.task.others_wait = NULL
        helper.task.shared = shared
        helper.task.window = 0
        helper.task.nodes = helper.task.budget = helper.task.next_poll = 0
        if not start(&helper.launch, helper_main, helper):
            return i
    return team.size - 1


cdef void helper_main(void* argument) noexcept nogil:
    """The function of a started thread."""
    cdef Helper* helper = <Helper*>argument
    cdef Question* question = &helper.question
    find_bounds(&helper.task, &helper.situation, question.own, question.mask, question.low, question.high)
    end(&helper.launch)


cdef void wait_for_helpers(
    Team team, Task* task, Situation* situation, uint32_t started, Poll poll, int forks,
) noexcept nogil:
    """Wait for the end of the helpers that were started; take over their nodes, and the narrowest of their bounds."""
    cdef Helper* helper
    cdef uint32_t i
    for i in range(started):
        helper = &team.helpers[i]
        if wait(&helper.launch, poll, forks):
            situation.lower = max(situation.lower, helper.situation.lower)
            situation.upper = min(situation.upper, helper.situation.upper)
            task.nodes += helper.task.nodes
        write64(&helper.task.reported, 0)


cdef void lend_tasks(Team team, const Task* task) noexcept:
    """Let as many other threads probe positions with the table and the limits of the caller's task."""
    cdef Task* own
    cdef Situation* children
    cdef Situation** waiting
    cdef uint32_t i
    for i in range(team.size - 1):
        own = &team.helpers[i].task
        children, waiting = own.children, own.waiting
        own[0] = task[0]
        own.children, own.waiting = children, waiting
        own.poll = NULL     # they must not call Python
        own.nodes = 0


cdef void take_nodes(Team team, Task* task) noexcept:
    """Add the nodes that the other threads have searched in their tasks to the caller's count."""
    cdef uint32_t i
    for i in range(team.size - 1):
        task.nodes += team.helpers[i].task.nodes
        team.helpers[i].task.nodes = 0


cdef uint64_t helper_nodes(Team team) noexcept:
    """Nodes that the helpers have searched so far in the running call of solve_together."""
    cdef uint64_t nodes = 0
    cdef uint32_t i
    for i in range(team.size - 1):
        nodes += read64(&team.helpers[i].task.reported)
    return nodes
