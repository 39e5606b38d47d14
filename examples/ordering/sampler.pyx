"""Moves of large searches by the solver, with the nodes that a search of each takes. On 7 x 6.

At some positions of a search every move is searched by itself, with copies of the search's table and records, so that
each takes the nodes that it would take if it came first.
"""

from libc.stdint cimport int16_t, int32_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy, memset

import numpy as np

from c4mcts.rules import Rules

from c4mcts._native.alphabeta cimport Task, allocate, attach, find_bounds, release, search
from c4mcts._native.bounds cimport Situation
from c4mcts._native.cells cimport geometry_of
from c4mcts._native.network cimport Network
from c4mcts._native.ordering cimport (
    FEATURES, find_centre, find_logits, group_of, place_of, read_move, replies_to, stage_of, use_weights,
)
from c4mcts._native.poll cimport Poll, begin
from c4mcts._native.table cimport allocate_table, free_table, size_of

cdef enum:
    TABLE_BITS = 12     # logarithms of the buckets of a table, at first and at most
    MAX_TABLE_BITS = 18
    MOST_NODES = 1 << 18    # for a move; positions with a larger one are left out

cdef struct Move:
    # A move of a sampled position.
    int32_t position        # number of the position, from 0
    int32_t nodes           # that its search takes
    int16_t is_good         # whether it causes a cutoff
    int16_t empty           # cells of the position
    int16_t group           # the row of its weights, see ordering
    int16_t place           # the weight of its cell
    int16_t features[FEATURES]

cdef Task searched          # the search whose positions are sampled
cdef Task single            # the search of a single move
cdef Move* moves = NULL
cdef size_t n_moves = 0
cdef size_t capacity = 0
cdef int32_t n_positions = 0
cdef uint64_t state
cdef double rates[43]       # by number of empty cells: the share of positions that are sampled


cdef bint is_drawn(double rate) noexcept nogil:
    """Whether a random number is below the rate; xorshift."""
    global state
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return (state >> 11) * 2.0 ** -53 < rate


cdef bint search_alone(Task* task, Situation* child, int alpha, Move* move) noexcept nogil:
    """Search a move by itself; whether it was not too large."""
    cdef int score
    single.ordering = task.ordering
    single.table.bits = task.table.bits
    memcpy(single.table.entries, task.table.entries, size_of(&task.table))
    single.nodes = single.ranked_from = single.next_check = 0
    single.stopped = False
    score = search(&single, child, alpha) if child.sign > 0 else -search(&single, child, -alpha - 1)
    move.nodes = <int32_t>single.nodes
    move.is_good = score > alpha
    return not single.stopped


cdef void sample(Task* task, const Situation* situation, int alpha, Situation** children, int n) noexcept nogil:
    """The observer of the search."""
    global n_moves, capacity, n_positions, moves
    cdef int16_t* replies = replies_to(&task.ordering, situation)
    cdef int16_t* stage = stage_of(&task.ordering, situation)
    cdef int32_t logits[7]
    cdef bint is_useful = False
    cdef Move* move
    cdef int i
    if not is_drawn(rates[42 - situation.ply]):
        return
    if n_moves + 7 > capacity:
        capacity = 2 * capacity + 1024
        moves = <Move*>realloc(moves, capacity * sizeof(Move))
        if moves == NULL:
            with gil:
                raise MemoryError
    find_logits(&task.ordering, situation, children, 0, n, logits)
    for i in range(n):
        move = &moves[n_moves + i]
        move.position = n_positions
        move.empty = <int16_t>(42 - situation.ply)
        move.group = <int16_t>group_of(children[i], situation.ply)
        move.place = <int16_t>place_of(children[i])
        read_move(move.features, situation, children[i], replies, stage, logits[children[i].column])
        if not search_alone(task, children[i], alpha, move):
            return
        is_useful = is_useful or move.is_good
    if is_useful:
        n_moves += n
        n_positions += 1


cdef int prepare(Task* task, Network network, const int16_t[:, ::1] weights, Poll poll, int bits) except -1:
    """Make a task without a limit and with an empty table."""
    memset(task, 0, sizeof(Task))
    task.geometry = geometry_of(Rules())
    task.table.key_bits = 49
    task.table.bits, task.table.max_bits = bits, MAX_TABLE_BITS
    task.poll_interval = 1 << 20
    task.budget = task.next_growth = ~<uint64_t>0
    if not allocate_table(&task.table):
        raise MemoryError
    allocate(task)
    find_centre(&task.ordering, &task.geometry)
    use_weights(&task.ordering, network, weights)
    attach(task, poll)
    return 0


cdef void discard(Task* task) noexcept:
    """Free the memory of a task."""
    free_table(&task.table)
    release(task)


def sampled(positions, network, const int16_t[:, ::1] weights, sampling_rates, uint64_t seed):
    """The moves of sampled positions while the solver searches these ones, a structured array.

    positions: pairs of sets of discs, own and mask. sampling_rates: by number of empty cells.
    """
    global n_moves, n_positions, state
    cdef Situation situation
    cdef Poll poll = Poll()
    begin(poll, bool)
    n_moves = n_positions = 0
    state = seed * 2654435761 + 88172645463325252   # spread, since xorshift starts slowly from small numbers
    for i in range(43):
        rates[i] = sampling_rates[i]
    for own, mask in positions:
        prepare(&searched, network, weights, poll, TABLE_BITS)
        prepare(&single, network, weights, poll, MAX_TABLE_BITS)
        searched.observe = sample
        single.budget = MOST_NODES
        find_bounds(&searched, &situation, own, mask, -100, 100)
        discard(&searched)
        discard(&single)
    return np.asarray(<Move[:n_moves]>moves).copy()
