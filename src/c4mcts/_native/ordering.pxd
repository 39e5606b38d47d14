"""The order in which the solver searches moves: by estimates, and by experience.

Moves that cause cutoffs are remembered in two records: Schaeffer, "The history heuristic" (1983), and Uiterwijk,
"The countermove heuristic" (1992).
"""

from libc.stdint cimport int16_t
from libc.string cimport memset

from .bounds cimport Situation
from .cells cimport CELL_BITS, CELL_WORDS, Cells, Geometry, count_cells, left, lowest_cell

cdef enum:
    FROM_TABLE = 1 << 26    # Situation.order of the move from the table: before all others
    THREAT = 1 << 14        # added to the order for a useful threat
    STEP = 16               # added per half row nearer to the centre, and per chance of the player, see bounds
    STAGE = 6               # number of plies that share their record of cutoffs
    N_STAGES = 11           # of 64 plies
    MAX_RECORD = 1 << 14    # a move's record of cutoffs is between minus this and this
    RECORD_SHIFT = 7        # the sum of a move's two records, shifted right by this, is added


cdef struct Ordering:
    # The data on which the order of the moves depends.
    # By the index of a cell: closeness to the centre, where horizontal distance counts double; records of cutoffs, by
    # the cells of the latest disc and of the move; and by ply // STAGE, player and the cell of the move.
    int centre[CELL_BITS]
    int16_t replies[CELL_BITS][CELL_BITS]
    int16_t stages[2 * N_STAGES * CELL_WORDS][CELL_BITS]


cdef inline void find_centre(Ordering* ordering, const Geometry* geometry) noexcept:
    """Set the closeness to the centre for each cell, by bit index; horizontal distance counts double."""
    cdef int width = geometry.width
    cdef int height = geometry.height
    cdef int column, row, near
    for column in range(width):
        for row in range(height):
            near = 2 * (width - abs(2 * column - (width - 1))) - abs(2 * row - (height - 1))
            ordering.centre[column * (height + 1) + row] = STEP * near


cdef inline void forget(Ordering* ordering) noexcept nogil:
    """Empty the records."""
    memset(ordering.replies, 0, sizeof(ordering.replies))
    memset(ordering.stages, 0, sizeof(ordering.stages))


cdef inline int expected(const Ordering* ordering, const Geometry* geometry, const Situation* child) noexcept nogil:
    """The order (higher is searched first) of the move to the position `child`, before any experience.

    First come the mover's useful threats, those not on top of one of the opponent's; then closeness to the centre, with
    a bonus for threats above a free cell, where the opponent may not play.
    """
    cdef Cells free = (child.own | child.other) + geometry.bottom & geometry.board
    cdef Cells useful = child.other_wins & ~left(child.own_wins, 1)
    cdef int near = ordering.centre[child.cell]
    if useful == 0:     # most often; counting bits is slow
        return near
    return THREAT * count_cells(useful) + near + 8 * STEP * count_cells(useful & left(free, 1))


cdef inline int16_t* replies_to(Ordering* ordering, const Situation* situation) noexcept nogil:
    """The record of replies to the latest disc of a position, by cell."""
    return ordering.replies[lowest_cell(situation.latest)]


cdef inline int16_t* stage_of(Ordering* ordering, const Situation* situation) noexcept nogil:
    """The record of the moves of the player to move at this stage of the game, by cell."""
    return ordering.stages[2 * (situation.ply // STAGE) + (situation.ply & 1)]


cdef inline int learnt(const int16_t* replies, const int16_t* stage, const Situation* child) noexcept nogil:
    """The addition to the order of a child, whose forced moves have been played, from the records and its bound."""
    cdef int cutoffs = replies[child.cell] + stage[child.cell] >> RECORD_SHIFT
    return cutoffs + STEP * child.sign * child.chances


cdef inline void record(int16_t* scores, Situation** children, int n) noexcept nogil:
    """Record that the move to children[n] has caused a cutoff, and that those to the children before it have not."""
    cdef int16_t* score
    cdef int i
    for i in range(n):
        score = &scores[children[i].cell]
        score[0] += -MAX_RECORD - score[0] >> 3
    score = &scores[children[n].cell]
    score[0] += MAX_RECORD - score[0] >> 3
