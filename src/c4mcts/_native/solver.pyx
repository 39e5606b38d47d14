"""The solver: exact searches that share a transposition table."""

from c4mcts import _layout
from c4mcts._layout import MAX_TABLE_BITS, bucket_bits
from c4mcts._validation import between
from c4mcts.rules import discs

from libc.stdint cimport UINT64_MAX, uint32_t, uint64_t

from c4mcts._native.atomics cimport read32
from c4mcts._native.poll cimport Poll, begin, finish
from c4mcts._native.prober cimport Probe, Prober

from .alphabeta cimport Task, allocate, attach, find_bounds, release
from .bounds cimport Situation
from .cells cimport CELL_BITS, LINES, cells_of, geometry_of, join, private_rules
from .ordering cimport find_centre, use_weights
from .table cimport allocate_table, free_table, set_words, size_of, words
from .team cimport Question, Team, helper_nodes, lend_tasks, prepare, solve_together, take_nodes

cdef int DRAW = _layout.DRAW


cdef class AlphaBetaSolver(Prober):

    def __cinit__(self, rules, size_bits, uint64_t poll_interval, threads=1, max_size_bits=0, order=None):
        """size_bits, max_size_bits: see _pure.table.Table; by default it does not grow. poll_interval: nodes between
        two looks at the clock, at most. threads: number that search a position together.
        """
        cdef int key_bits
        self.rules = private_rules(rules)
        self.task.geometry = geometry_of(self.rules)
        size_bits = between("size_bits", size_bits, 1, MAX_TABLE_BITS)
        if self.task.geometry.kernel == LINES:
            raise ValueError(f"this solver is for boards of at most {CELL_BITS} bits, not {self.rules}")
        key_bits = self.task.geometry.width * (self.task.geometry.height + 1)
        self.team = Team(threads)
        self.threads = self.team.size
        max_size_bits = max(size_bits, between("max_size_bits", max_size_bits, 0, MAX_TABLE_BITS))
        self.task.table.key_bits = key_bits
        self.task.table.max_bits = bucket_bits(key_bits, max_size_bits)
        self.task.table.bits = bucket_bits(key_bits, size_bits)
        if not allocate_table(&self.task.table):
            raise MemoryError(f"no memory for a table of {size_of(&self.task.table)} bytes")
        find_centre(&self.task.ordering, &self.task.geometry)
        if order is not None:
            self.network, weights = order
            use_weights(&self.task.ordering, self.network, weights)
        allocate(&self.task)
        self.task.poll_interval = poll_interval
        self.poll = Poll()
        prepare(self.team, &self.task)

    def __dealloc__(self):
        free_table(&self.task.table)
        release(&self.task)

    def solve(self, own, mask, int low, int high, uint64_t budget, poll, uint64_t milliseconds=UINT64_MAX):
        """Bounds (lower, upper) of a position's score: equal, or both at least `high`, or both at most `low`.

        Wider if the search was stopped: by `budget` nodes in the life of this solver, after these milliseconds, or by
        `poll` returning true, which is called about every 10 ms.
        Exceptions of poll are raised here; the solver stays usable.
        """
        cdef Task* task = &self.task
        cdef Situation situation
        cdef Question question
        question.low, question.high = low, high
        own, mask = discs(task.geometry.width, task.geometry.height, own, mask)
        question.own, question.mask = cells_of(own), cells_of(mask)
        if self.at_work:
            raise RuntimeError("the solver is at work; its callback can't give it another position")
        self.at_work = True
        task.budget = budget
        attach(task, self.poll)
        begin(self.poll, poll, milliseconds)
        solve_together(self.team, task, &situation, &question, self.poll)
        self.at_work = False
        finish(self.poll)
        return situation.lower, situation.upper

    def nodes(self):
        """Nodes searched so far."""
        return self.task.nodes + helper_nodes(self.team)

    def nbytes(self):
        """Bytes of memory that the table takes."""
        return size_of(&self.task.table)

    def words(self):
        """The entries of the table, see table.words."""
        return words(&self.task.table)

    def set_words(self, data):
        """Set the entries of the table, see table.set_words; False, and nothing is changed, if they are not valid."""
        return set_words(&self.task.table, data)

    cdef int begin_probes(self, Poll poll, const uint32_t* others_wait) except -1:
        """See Prober."""
        attach(&self.task, poll)
        self.task.others_wait = others_wait
        lend_tasks(self.team, &self.task)
        return 0

    cdef bint answer(self, uint32_t thread, Probe* probe, int* lower, int* upper) noexcept nogil:
        """See Prober."""
        cdef Task* task = &self.task
        cdef Situation situation
        cdef int high = 0 if probe.guaranteed == DRAW else 1
        if thread > 0:
            task = &self.team.helpers[thread - 1].task
        if read32(task.halted):
            return False
        task.budget = task.nodes + probe.budget
        find_bounds(
            task, &situation, join(probe.own[0], probe.own[1]), join(probe.mask[0], probe.mask[1]), -1, high,
        )
        lower[0] = situation.lower
        upper[0] = situation.upper
        probe.budget = 0
        if task.stopped and task.others_wait != NULL and task.nodes < task.budget:
            probe.budget = task.budget - task.nodes
        return True

    cdef void end_probes(self) noexcept:
        """See Prober."""
        take_nodes(self.team, &self.task)
