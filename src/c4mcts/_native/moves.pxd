"""What a search with an evaluator knows of the moves at its root: which one to play, and their policy.

The rules are those of search.root_bounds, search.move_selection and SearchResult.policy. Bounds of a move are scores on
Pons' scale for the player who makes it (see solver.solution): above 0 wins, the higher the sooner.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from .bitboard cimport Position
from .pool cimport Settings
from .puct cimport PuctSearcher


cdef struct Move:
    # A legal move at the root, for the player who makes it.
    int column
    bint wins               # whether it wins at once
    bint answers            # whether it stops a threat: the opponent would win there at once
    int lower               # the lowest score that is possible
    int upper               # the highest score
    uint32_t visits
    double prior            # its probability by the evaluator, without noise; 0 in a tree without children
    double share            # its value in [0, 1]: the mean, or the exact value if it is proven; -1 if there is neither
    double score            # decides between equal visits, with HALVING; see puct.rate_children
    double weight           # in the policy at temperature 1


cdef int outcome_of(const Move* moves, int size) noexcept nogil
cdef double value_of_outcome(const Settings* settings, int outcome) noexcept nogil
cdef int list_moves(PuctSearcher searcher, const Position* position, bint checks, Move* moves) noexcept nogil
cdef int choose(
    const Move* moves, int size, const Settings* settings, int choice, uint64_t random_bits,
) noexcept nogil
cdef void weigh(const Move* moves, int size, int chosen, double temperature, double* weights) noexcept nogil
cdef int draw(const double* weights, int size, uint64_t random_bits) noexcept nogil
