"""The solver: exact searches that share a transposition table."""

from c4mcts._native.poll cimport Poll
from c4mcts._native.prober cimport Prober

from .alphabeta cimport Task
from .team cimport Team


cdef class AlphaBetaSolver(Prober):
    # Solves positions of one rule set.
    cdef Task task          # the current or latest search, with the table
    cdef object network     # whose logits are part of the order of moves; None: there are no weights
    cdef Poll poll          # asks the caller whether to stop
    cdef Team team          # the threads that solve a position together, or ask at once
    cdef bint at_work       # whether a call of solve is running
