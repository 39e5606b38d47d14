"""The order in which the solver searches moves: by estimates, by experience, and on 7 x 6 by learned weights.

Moves that cause cutoffs are remembered in two records: Schaeffer, "The history heuristic" (1983), and Uiterwijk,
"The countermove heuristic" (1992). Positions with many empty cells are few, and large searches follow from them. There
weights of features and of the network's logits rank the moves: first those that are likely to cause a cutoff soon.
"""

from libc.stdint cimport int16_t, int32_t
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
    RANKED_EMPTY = 24       # with at least this many empty cells weights rank the moves
    NETWORK_EMPTY = 26      # with at least this many the network's logit is one of the features
    RANKED_AFTER = 1 << 11  # once a search has taken so many nodes; short searches gain nothing

cdef enum:
    # the features of a move; see _pure.ordering.read_move
    FORCED                  # forced moves that were played after it
    SAFE                    # moves in the position after them that don't lose at once
    CHANCES                 # see bounds.Situation
    ODD                     # columns with an odd number of empty cells
    REPLY                   # the two records of the move, in 64ths
    STAGED
    THREATS                 # the order by estimates and experience: the part for threats
    NEAR                    # and the rest, in 16ths
    LOGIT                   # of the network, in steps of 2**-6
    OWN                     # of the player to move after the forced moves, from here on
    OTHER = OWN + 11        # of the other player, from here on
    FEATURES = OTHER + 11
    ROWS = 0                # useful winning cells in row 1, 2 ... 5
    ABOVE = 5               # those above a free cell
    WINS                    # all winning cells
    PAIRS                   # winning cells above another one
    LINES                   # lines without discs of the opponent, with one, two and three discs
    # in a row of the table: of the features, then of the move's own cell, mirrored
    WEIGHTS = FEATURES + 24


cdef struct Ordering:
    # The data on which the order of the moves depends.
    # By the index of a cell: closeness to the centre, where horizontal distance counts double; records of cutoffs, by
    # the cells of the latest disc and of the move; and by ply // STAGE, player and the cell of the move.
    int centre[CELL_BITS]
    int16_t replies[CELL_BITS][CELL_BITS]
    int16_t stages[2 * N_STAGES * CELL_WORDS][CELL_BITS]
    void* network           # the Network whose logits are a feature; NULL: there are no weights
    int16_t weights[8][WEIGHTS]     # see group_of


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


cdef inline void sort(Situation** children, int begin, int end) noexcept nogil:
    """Sort children[begin:end] by falling order; among equals the first remains first."""
    cdef Situation* child
    cdef int i, place
    for i in range(begin + 1, end):
        child = children[i]
        place = i
        while place > begin and children[place - 1].order < child.order:
            children[place] = children[place - 1]
            place -= 1
        children[place] = child


cdef inline int group_of(const Situation* child, int ply) noexcept nogil:
    """The row of weights for a move after `ply` discs: by stage, player and whose turn it is after the forced moves."""
    return (4 if 42 - ply < NETWORK_EMPTY else 0) + 2 * (ply & 1) + (1 if child.sign > 0 else 0)


cdef inline int place_of(const Situation* child) noexcept nogil:
    """The place of the weight of a move's own cell."""
    return FEATURES + 6 * min(child.column, 6 - child.column) + child.cell % 7


cdef void use_weights(Ordering* ordering, network, const int16_t[:, ::1] weights)
cdef void read_move(
    int16_t* features, const Situation* situation, const Situation* child, const int16_t* replies,
    const int16_t* stage, int32_t logit,
) noexcept nogil
cdef void find_logits(
    const Ordering* ordering, const Situation* situation, Situation** children, int begin, int end, int32_t* logits,
) noexcept nogil
cdef void rank(
    const Ordering* ordering, const Situation* situation, Situation** children, int begin, int end,
    const int16_t* replies, const int16_t* stage,
) noexcept nogil
