"""The book: the exact scores of all positions with few discs, and of some lines of play."""

from libc.stdint cimport int8_t, uint64_t

from c4mcts._native.book_reader cimport BookReader
from c4mcts._native.static_function cimport StaticFunction

from .cells cimport Geometry

cdef enum:
    MAX_STEPS = 1 << 16     # of the search for an order of moves; the positions of the shipped book need at most 289


cdef class BookScores(BookReader):
    # The scores of the positions of one rule set with at most `plies` discs, and of lines, for the player to move.
    # last_ply: of the lines, at least `plies`.
    cdef readonly int plies
    cdef Geometry geometry
    cdef StaticFunction function        # the scores of positions with plies, plies - 2, ... discs
    cdef const uint64_t[::1] keys       # the lines, sorted, CELL_WORDS each
    cdef const int8_t[::1] line_scores  # theirs
