"""The solver: exact searches that share a transposition table."""

from c4mcts._native.poll cimport Poll

from .alphabeta cimport Task
from .team cimport Team


cdef class AlphaBetaSolver:
    # Solves positions of one rule set.
    cdef object rules       # a private copy
    cdef Task task          # the current or latest search, with the table
    cdef Poll poll          # asks the caller whether to stop
    cdef Team team          # the threads that solve a position together
    cdef bint at_work       # whether a call of solve is running
