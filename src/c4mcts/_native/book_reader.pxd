"""The search's interface to a book, for boards of either width: the score of a node's position."""

from libc.stdint cimport uint64_t

cdef enum:
    MISSING = -128      # a position that is not in the book


cdef class BookReader:
    # A book that several threads of a search may ask at once. Its subclass is BookScores.
    cdef readonly object rules
    cdef readonly int last_ply          # no position of the book has more discs
    cdef int score_of(self, const uint64_t* own, const uint64_t* mask) noexcept nogil
