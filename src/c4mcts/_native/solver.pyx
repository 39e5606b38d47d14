"""The solver: exact searches that share a transposition table."""

from c4mcts._layout import MAX_TABLE_BITS
from c4mcts._validation import between
from c4mcts.rules import discs, sound

from libc cimport stdlib
from libc.stdint cimport uint64_t

from .alphabeta cimport allocate, attach, release
from .bitboard cimport LINES, geometry_of
from .bounds cimport Situation
from .ordering cimport find_centre
from .poll cimport Poll, begin, finish
from .table cimport set_words, words
from .team cimport Question, Team, helper_nodes, prepare, solve_together

cdef extern from "portable.h" nogil:
    void large_pages "c4_large_pages" (void* memory, size_t bytes)

cdef enum:
    LARGE_TABLE = 1 << 25   # bytes; for smaller tables clearing large pages takes longer than they save


cdef class AlphaBetaSolver:

    def __cinit__(self, rules, size_bits, uint64_t poll_interval, threads=1):
        """size_bits: see _pure.table.Table. poll_interval: nodes between two looks at the clock, at most.

        threads: number that search a position together.
        """
        cdef int key_bits
        cdef size_t buckets
        self.rules = sound(rules)
        self.task.geometry = geometry_of(self.rules)
        size_bits = between("size_bits", size_bits, 1, MAX_TABLE_BITS)
        if self.task.geometry.kernel == LINES:
            raise ValueError(f"the native solver is for boards of at most 64 bits, not {self.rules}")
        key_bits = self.task.geometry.width * (self.task.geometry.height + 1)
        self.task.table.key_bits = key_bits
        self.task.table.bits = max(1, min(<int>size_bits - 4, key_bits - 1), key_bits - 40)
        buckets = <size_t>1 << self.task.table.bits
        self.task.table.entries = <uint64_t*>stdlib.calloc(2 * buckets, sizeof(uint64_t))
        if self.task.table.entries == NULL:
            raise MemoryError(f"no memory for a table of {16 * buckets} bytes")
        if 16 * buckets > LARGE_TABLE:
            large_pages(self.task.table.entries, 16 * buckets)
        find_centre(&self.task.ordering, &self.task.geometry)
        allocate(&self.task)
        self.task.poll_interval = poll_interval
        self.poll = Poll()
        self.team = Team(threads)
        prepare(self.team, &self.task)

    def __dealloc__(self):
        stdlib.free(self.task.table.entries)
        release(&self.task)

    def solve(self, own, mask, int low, int high, uint64_t budget, poll):
        """Bounds (lower, upper) of a position's score: equal, or both at least `high`, or both at most `low`.

        Wider if the search was stopped: by `budget` nodes in the life of this solver, or by `poll` returning true.
        Exceptions of poll are raised here; the solver stays usable.
        """
        cdef Task* task = &self.task
        cdef Situation situation
        cdef Question question
        question.low, question.high = low, high
        question.own, question.mask = discs(task.geometry.width, task.geometry.height, own, mask)
        if self.at_work:
            raise RuntimeError("the solver is at work; its callback can't give it another position")
        self.at_work = True
        task.budget = budget
        attach(task, self.poll)
        begin(self.poll, poll)
        solve_together(self.team, task, &situation, &question, self.poll)
        self.at_work = False
        finish(self.poll)
        return situation.lower, situation.upper

    def nodes(self):
        """Nodes searched so far."""
        return self.task.nodes + helper_nodes(self.team)

    def nbytes(self):
        """Bytes of memory that the table takes."""
        return <size_t>16 << self.task.table.bits

    def words(self):
        """The entries of the table, see table.words."""
        return words(&self.task.table)

    def set_words(self, data):
        """Set the entries of the table, see table.set_words; False, and nothing is changed, if they are not valid."""
        return set_words(&self.task.table, data)
