"""The learned weights at work; ordering.pxd has the rest, so that the search can inline it."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from c4mcts._native.bitboard cimport Standard
from c4mcts._native.network cimport Network, evaluate_columns

cdef enum:
    BOTTOM = 0x40810204081  # the bottom row of 7 x 6

cdef extern from "portable.h" nogil:
    int count_bits "c4_count_bits" (uint64_t bits)


cdef void use_weights(Ordering* ordering, network, const int16_t[:, ::1] weights):
    """Rank moves by weights of 7 x 6. The caller keeps the network, which is for 7 x 6 too, alive."""
    cdef int i, j
    ordering.network = <void*>network
    for i in range(8):
        for j in range(WEIGHTS):
            ordering.weights[i][j] = weights[i, j]


cdef inline void find_lines(
    uint64_t* starts, uint64_t discs, uint64_t possible, int direction,
) noexcept nogil:
    """Write the starts of the lines within the possible cells that hold one, two and three of the discs."""
    cdef uint64_t pairs = possible & possible >> direction
    cdef uint64_t lines = pairs & pairs >> 2 * direction
    cdef uint64_t either = discs ^ discs >> direction   # of the first two cells of a line, one holds a disc
    cdef uint64_t both = discs & discs >> direction
    cdef uint64_t low = either ^ either >> 2 * direction    # the number of discs in a line, in binary
    cdef uint64_t high = both ^ both >> 2 * direction ^ either & either >> 2 * direction
    starts[0] = lines & low & ~high
    starts[1] = lines & high & ~low
    starts[2] = lines & low & high


cdef inline void count_lines(int16_t* features, uint64_t discs, uint64_t possible) noexcept nogil:
    """Count the lines within the possible cells that hold one, two and three of the discs."""
    cdef uint64_t up[3]
    cdef uint64_t across[3]
    cdef uint64_t rising[3]
    cdef uint64_t falling[3]
    cdef int i
    find_lines(up, discs, possible, 1)
    find_lines(across, discs, possible, 7)
    find_lines(rising, discs, possible, 8)
    find_lines(falling, discs, possible, 6)
    for i in range(3):
        # in the left four columns diagonals rise from the lower three rows and fall from the upper ones: all fit a word
        features[i] = count_bits(up[i]) + count_bits(across[i] << 28 | rising[i] | falling[i])


cdef inline void read_player(
    int16_t* features, uint64_t discs, uint64_t wins, uint64_t rival_wins, uint64_t vacant, uint64_t free,
) noexcept nogil:
    """Write the features of a player."""
    cdef uint64_t useful = wins & ~(rival_wins << 1)
    cdef int row
    count_lines(features + LINES, discs, discs | vacant)
    if wins == 0:   # most often; counting bits is slow
        return
    for row in range(1, 6):
        features[ROWS + row - 1] = count_bits(useful & <uint64_t>BOTTOM << row)
    features[ABOVE] = count_bits(useful & free << 1)
    features[WINS] = count_bits(wins)
    features[PAIRS] = count_bits(wins & wins << 1)


cdef void read_move(
    int16_t* features, const Situation* situation, const Situation* child, const int16_t* replies,
    const int16_t* stage, int32_t logit,
) noexcept nogil:
    """Write the features of the move from a position to `child`, whose order is by estimates and experience."""
    cdef uint64_t own = <uint64_t>child.own
    cdef uint64_t other = <uint64_t>child.other
    cdef uint64_t vacant = <uint64_t>BOTTOM * 63 & ~(own | other)
    cdef uint64_t free = (own | other) + <uint64_t>BOTTOM & <uint64_t>BOTTOM * 63
    cdef int threats = child.order + THREAT // 2 >> 14
    memset(features, 0, FEATURES * sizeof(int16_t))
    features[FORCED] = child.ply - situation.ply - 1
    features[SAFE] = count_cells(child.moves)
    features[CHANCES] = child.chances
    features[ODD] = count_bits(free & <uint64_t>BOTTOM * 42)
    features[REPLY] = replies[child.cell] >> 6
    features[STAGED] = stage[child.cell] >> 6
    features[THREATS] = threats
    features[NEAR] = child.order - THREAT * threats >> 4
    features[LOGIT] = min(max(logit >> 6, -4096), 4096)
    read_player(features + OWN, own, <uint64_t>child.own_wins, <uint64_t>child.other_wins, vacant, free)
    read_player(features + OTHER, other, <uint64_t>child.other_wins, <uint64_t>child.own_wins, vacant, free)


cdef void find_logits(
    const Ordering* ordering, const Situation* situation, Situation** children, int begin, int end, int32_t* logits,
) noexcept nogil:
    """Write the network's logits of moves of a position, by column; 0 with few empty cells, where it takes too long."""
    cdef Standard position
    cdef uint64_t columns = 0
    cdef int i
    for i in range(begin, end):
        columns |= <uint64_t>1 << children[i].column
        logits[children[i].column] = 0
    if 42 - situation.ply < NETWORK_EMPTY:
        return
    position.own = <uint64_t>situation.own
    position.mask = position.own | <uint64_t>situation.other
    position.threats[situation.ply & 1] = <uint64_t>situation.own_wins
    position.threats[1 - (situation.ply & 1)] = <uint64_t>situation.other_wins
    position.ply = situation.ply
    evaluate_columns(<Network>ordering.network, &position, columns, logits)


cdef void rank(
    const Ordering* ordering, const Situation* situation, Situation** children, int begin, int end,
    const int16_t* replies, const int16_t* stage,
) noexcept nogil:
    """Sort moves of a position, children[begin:end], by the weighted sums of their features."""
    cdef int16_t features[FEATURES]
    cdef int32_t logits[7]
    cdef const int16_t* weights
    cdef Situation* child
    cdef int32_t total
    cdef int i, j
    find_logits(ordering, situation, children, begin, end, logits)
    for i in range(begin, end):
        child = children[i]
        read_move(features, situation, child, replies, stage, logits[child.column])
        weights = ordering.weights[group_of(child, situation.ply)]
        total = weights[place_of(child)]
        for j in range(FEATURES):
            total += <int32_t>weights[j] * features[j]
        child.order = total
    sort(children, begin, end)
