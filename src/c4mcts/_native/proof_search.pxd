"""The search for small certificates: best first, by the number of moves that a proof still seems to need."""

from libc.stdint cimport uint64_t

from .certificate cimport ProofGoal, Entries, ProofEntry
from .cells cimport Cells

cdef class ProofSearch:
    cdef ProofGoal claim
    cdef Entries entries    # what is known of positions, by key
    cdef Entries asked      # by key, as size: the one from which the solver is asked again, or OUT_OF_REACH
    cdef object ask         # callables, see __cinit__
    cdef object poll
    cdef readonly uint64_t visits
    cdef Cells reply        # left by size_of: the reply to visit next, 0 if all are proven
    cdef int reply_size     # and its size
    cdef bint all_held      # and whether all replies that were counted are held
    cdef ProofEntry* entry_of(self, Cells own, Cells other) except NULL
    cdef int size_of(self, Cells own, Cells other, int limit) except -1
    cdef bint is_out_of_reach(self, Cells own, Cells other, int size) except -1
    cdef int expand(self, Cells own, Cells other, int limit) except -1
    cdef int visit(self, Cells own, Cells other, int limit) except -1
    cdef int count_visit(self) except -1
    cdef void choose(self, Cells own, Cells other, int column) noexcept
    cdef Cells chosen(self, Cells own, Cells other) noexcept
    cdef int write_move(self, Cells own, Cells other, list moves, set seen) except -1
    cdef int write_replies(self, Cells own, Cells other, list moves, set seen) except -1
    cdef int adopt_move(self, Cells own, Cells other, object rest) except -1
    cdef int adopt_replies(self, Cells own, Cells other, object rest) except -1
