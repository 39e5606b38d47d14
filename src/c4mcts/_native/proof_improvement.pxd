"""Smaller proofs: moves of a proof that was found are chosen again."""

from .cells cimport Cells
from .certificate cimport Entries
from .numbers cimport Generator
from .proof_search cimport ProofSearch

cdef class ProofImprovement:
    cdef ProofSearch search
    cdef Entries uses       # how often each position is used, as its size
    cdef int limit          # see LIMITS
    cdef int saved          # positions, since the last pass began
    cdef bint counts_listed     # whether only positions with a listed move count
    cdef double temperature     # of random choices
    cdef Generator random
    cdef int begin(self, own, other, bint is_to_move, bint counts_listed) except -1
    cdef int improve_all(self, own, other, bint is_to_move) except -1
    cdef int use_move(self, Cells own, Cells other, int change) except? -1
    cdef int use_replies(self, Cells own, Cells other, int change) except? -1
    cdef int is_changed(self, Cells key, int change) except -1
    cdef int improve_move(self, Cells own, Cells other, set seen) except -1
    cdef int improve_replies(self, Cells own, Cells other, set seen) except -1
    cdef int choose_again(self, Cells own, Cells other, Cells chosen, Cells others) except -1
    cdef double cost_of(self, int added) noexcept
