"""The book: the exact scores of all positions with few discs, and of some lines of play."""

from libc.stdint cimport int8_t, uint64_t

from .bitboard cimport Geometry

cdef enum:
    MISSING = -128  # in the table: not a position, or one that needs no entry


cdef class BookScores:
    # The scores of the positions of one rule set with at most `plies` discs, and of lines, for the player to move.
    cdef readonly object rules
    cdef readonly int plies
    cdef readonly int last_ply          # no position of the lines has more discs; at least `plies`
    cdef Geometry geometry
    cdef const int8_t[::1] scores       # the table
    cdef uint64_t[::1] starts           # by number of discs: the index of the first entry
    cdef uint64_t[:, ::1] choices       # [n][k]: number of ways to choose k of n discs
    cdef uint64_t[:, :, ::1] below      # [c][n][h]: ways in which columns from c on hold n discs, fewer than h in c
    cdef const uint64_t[::1] keys       # the lines, sorted
    cdef const int8_t[::1] line_scores  # theirs


cdef int find_score(BookScores book, uint64_t own, uint64_t mask) noexcept nogil
