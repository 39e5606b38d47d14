"""The solver: what keeps a table from one exact search to the next."""

from .alphabeta cimport Task
from .poll cimport Poll


cdef class Solver:
    # Solves positions of one rule set, with one table.
    cdef object rules           # its own, which nobody else has
    cdef Task task
    cdef Poll poll
