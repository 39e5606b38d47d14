"""The solver: exact searches that share a transposition table."""

from .alphabeta cimport Task
from .poll cimport Poll


cdef class Solver:
    # Solves positions of one rule set.
    cdef object rules       # a copy that nobody else has
    cdef Task task          # the current or latest search, with the table
    cdef Poll poll          # asks the caller whether to stop
