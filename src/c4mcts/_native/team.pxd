"""The threads that solve one position together.

The first is the caller's. The others run only C code and are started for one call of `solve_together`.
"""

from libc.stdint cimport uint32_t, uint64_t

from c4mcts._native.launch cimport Launch
from c4mcts._native.poll cimport Poll

from .alphabeta cimport Task
from .bounds cimport Situation
from .cells cimport Cells
from .sharing cimport Shared


cdef struct Question:
    # The question to find_bounds.
    Cells own               # discs of the player to move
    Cells mask              # all discs
    int low                 # only scores between these two are distinguished
    int high


cdef struct Helper:
    # A thread that is not the caller's, with its private state.
    Task task               # it shares the table of the caller's task
    Question question       # a copy
    Situation situation     # the position; at the end with its bounds
    Launch launch


cdef class Team:
    cdef Helper* helpers    # size - 1 of them
    cdef uint32_t size      # number of threads, with the caller's
    cdef Shared shared      # of the running call of solve_together


cdef int prepare(Team team, const Task* task) except -1
cdef void solve_together(Team team, Task* task, Situation* situation, const Question* question, Poll poll) noexcept
cdef void lend_tasks(Team team, const Task* task) noexcept
cdef void take_nodes(Team team, Task* task) noexcept
cdef uint64_t helper_nodes(Team team) noexcept
