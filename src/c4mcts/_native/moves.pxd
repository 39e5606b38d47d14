"""The legal moves at a root: their bounds and statistics, the choice of one, and their policy.

Bounds of a move are scores on Pons' scale for the player who makes it (see solver.solution): above 0 wins, the higher
the sooner.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from .bitboard cimport MAX_SIDE, Position
from .puct cimport PuctSearcher
from .search cimport Searcher
from .settings cimport Settings


cdef struct Move:
    # A legal move at the root, for the player who makes it.
    int column
    bint wins               # whether it wins at once
    bint answers            # whether it stops a threat: the opponent would win there at once
    int lower               # the lowest score that is possible
    int upper               # the highest score
    uint64_t visits         # of one tree, or of several together
    int short_win           # plies to the soonest win in a simulation; 0: none
    double prior            # its probability by the evaluator, without noise; -1 if there is none
    double share            # its value in [0, 1]: the mean, or the exact value if it is proven; -1 if there is neither
    double score            # decides between equal visits, with HALVING; see puct.rate_children
    double weight           # in the policy at temperature 1
    uint64_t added          # with LAST_ADDED: see selection.added
    double first            # compared first by the rule for the choice; the higher, the better
    double second           # compared where the first are equal


cdef class MoveList:
    # The legal moves of a position, numbered in column order, for the layers above.
    cdef Move moves[MAX_SIDE]
    cdef int size
    cdef int ply                    # discs on the board


cdef int outcome_of(const Move* moves, int size) noexcept nogil
cdef double value_of_outcome(const Settings* settings, int outcome) noexcept nogil
cdef int list_moves(PuctSearcher searcher, const Position* position, Move* moves) noexcept nogil
cdef int draw(const double* weights, int size, uint64_t random_bits) noexcept nogil
cdef int choose(Move* moves, int size, const Settings* settings, uint64_t random_bits) noexcept nogil
cdef void weigh(
    const Move* moves, int size, bint proven, int chosen, double temperature, double* weights,
) noexcept nogil
