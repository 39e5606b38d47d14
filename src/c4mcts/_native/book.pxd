"""The book: the exact scores of all positions with few discs, and of some lines of play."""

from libc.stdint cimport int8_t, uint64_t

from .bitboard cimport Geometry
from .static_function cimport StaticFunction

cdef enum:
    MISSING = -128      # a position that is not in the book
    MAX_STEPS = 1 << 16     # of the search for an order of moves; the positions of the shipped book need at most 289


cdef class BookScores:
    # The scores of the positions of one rule set with at most `plies` discs, and of lines, for the player to move.
    cdef readonly object rules
    cdef readonly int plies
    cdef readonly int last_ply          # no position of the lines has more discs; at least `plies`
    cdef Geometry geometry
    cdef StaticFunction function        # the scores of positions with plies, plies - 2, ... discs
    cdef const uint64_t[::1] keys       # the lines, sorted
    cdef const int8_t[::1] line_scores  # theirs


cdef int find_score(BookScores book, uint64_t own, uint64_t mask) noexcept nogil
