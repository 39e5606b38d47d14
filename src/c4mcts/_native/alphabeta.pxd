"""Exact scores by alpha-beta: null windows, forced moves played out, bounds, a transposition table."""

from libc.stdint cimport uint32_t, uint64_t

from c4mcts._native.poll cimport Poll

from .bounds cimport Situation
from .cells cimport Cells, Geometry
from .ordering cimport Ordering
from .sharing cimport Path, Shared
from .table cimport Table

ctypedef void (*Observer)(Task*, const Situation*, int alpha, Situation** children, int n) noexcept nogil


cdef struct Task:
    # A search by the solver: its rules, its memory and its limits. `children` and `waiting` have `width` places for
    # each number of discs n on the board, from n * width on.
    Geometry geometry
    Table table
    Situation* children     # positions after each move
    Situation** waiting     # the ones that remain to be searched, the most promising first
    Ordering ordering
    int best                # score of the best move so far, for the player to move, in search_moves
    int column              # the column of that move
    uint64_t nodes          # searched so far
    uint64_t budget         # value of `nodes` at which to stop
    uint64_t next_poll      # value of `nodes` at which to check whether the poll is due
    uint64_t next_growth    # value of `nodes` at which the table grows
    uint64_t next_check     # the least of the three
    uint64_t ranked_from    # value of `nodes` from which learned weights rank the moves, see ordering
    Observer observe        # is called with the ranked moves of a position, for training; NULL: not
    uint64_t poll_interval  # nodes from one such check to the next, at most
    void* poll              # the Poll of the caller; NULL in a thread that must not call Python
    uint32_t* halted        # Poll.halted: once set, stops this and all later searches until the next poll.begin
    const uint32_t* others_wait     # NodePool.memory_needed: other threads wait for this one; NULL with one thread
    Shared* shared          # shared with the other threads that search this position; NULL: there are none
    uint32_t window         # value of shared.bounds from which this thread searches
    Path path               # on which other threads may decide a position
    uint64_t reported       # value of `nodes` some time ago, which other threads may read
    bint glancing           # whether the search is a glance, whose moves are not stored
    bint stopped            # whether this search was stopped and has no result


cdef inline void attach(Task* task, Poll poll) noexcept:
    """Let a poll stop the task."""
    task.poll = <void*>poll
    task.halted = &poll.halted
    task.others_wait = NULL
    task.shared = NULL
    task.next_poll = 0


cdef int allocate(Task* task) except -1
cdef void release(Task* task) noexcept
cdef uint64_t growth_of(const Task* task) noexcept nogil
cdef void find_bounds(Task* task, Situation* situation, Cells own, Cells mask, int low, int high) noexcept nogil
cdef int search(Task* task, const Situation* situation, int alpha) noexcept nogil
cdef int plies_of(int score, int empty) noexcept nogil
