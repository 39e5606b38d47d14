"""Exact scores by alpha-beta: null windows, forced moves played out, bounds, a transposition table."""

from libc.stdint cimport uint32_t, uint64_t

from .bitboard cimport Geometry
from .bounds cimport Situation
from .poll cimport Poll
from .table cimport Table


cdef struct Probe:
    # A question about a node of a tree.
    uint64_t own            # discs of the player to move there
    uint64_t mask           # all discs
    uint32_t node
    int floor               # see proofs.probe
    uint64_t budget         # nodes it may take; 0: there is no question


cdef struct Task:
    # A search under way: its rules, its memory and its limits.
    Geometry geometry
    Table table
    Situation* children     # of a position with n discs from n * width on
    Situation** waiting     # likewise: those that are to be searched, the best first
    int centre[64]          # for the bit of each cell: how near it is to the middle, columns counting twice
    int best                # score of the best move so far, and its column, while search_moves looks for them
    int column
    uint64_t nodes          # searched so far
    uint64_t budget         # nodes after which to stop
    uint64_t look           # nodes after which to look at the clock, whether it is time to ask the poll
    uint64_t pause          # the lesser of the two
    uint64_t stride         # most nodes from one look to the next
    void* poll              # the Poll that stops this search and all that follow; NULL in a thread that must not ask
    uint32_t* halted        # what the poll has said
    const uint32_t* wanted  # whether other threads wait for this one; NULL where there are none
    bint stopped            # the search has come to nothing
    Probe open              # of what it was to find out when it was stopped for those who wait: the longest


cdef inline void attach(Task* task, Poll poll) noexcept:
    """Make a poll the task's."""
    task.poll = <void*>poll
    task.halted = &poll.halted
    task.wanted = NULL
    task.open.budget = 0
    task.look = 0


cdef void find_centre(Task* task) noexcept
cdef int make_room(Task* task) except -1
cdef void give_back(Task* task) noexcept
cdef void find_bounds(Task* task, Situation* situation, uint64_t own, uint64_t mask, int low, int high) noexcept nogil
cdef int plies_of(int score, int empty) noexcept nogil
