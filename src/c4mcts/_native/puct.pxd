"""Search with an evaluator, which takes the place of rollouts and is called with batches of leaves.

Children are selected by PUCT, see puct_score, or as in Gumbel AlphaZero, see gumbel. Values lie in [-1, 1]. A node's
`visits` count the simulations that have passed through it, `value_sum` the finished ones; the difference is under way.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from .bitboard cimport MAX_SIDE
from .search cimport Searcher


cdef struct Leaf:
    # A leaf that waits for its evaluation.
    uint64_t legal          # the open columns, a bit for each
    uint64_t wins           # those in which the player to move wins at once
    int32_t depth           # plies from the root
    int32_t is_last         # whether the next move fills the board


cdef class PuctSearcher(Searcher):
    # A tree whose leaves are evaluated in batches.
    cdef uint32_t[:, ::1] paths     # by waiting descent: indices of the nodes from the root to its leaf
    cdef Leaf[::1] leaves           # by waiting descent
    cdef double noise[MAX_SIDE]     # by child of the root: its share of the noise in the priors, or g
    cdef bint noisy                 # whether there is noise
    cdef double mixed[MAX_SIDE]     # see root_priors
    cdef bint is_mixed              # whether it is filled
    cdef uint64_t planned           # simulations of the search, for sequential halving
    cdef int waiting                # number of descents whose leaf awaits its evaluation
    cdef int batch_size             # positions that the evaluator gets at once, at most
    cdef bint signed_planes         # whether it gets one plane of 1 and -1, or two of 1


cdef bint lacks_capacity(PuctSearcher searcher, int count) noexcept nogil
cdef int ensure_capacity(PuctSearcher searcher, int count) except -1
cdef int gather_leaves(PuctSearcher searcher, int count, float* planes) noexcept nogil
cdef void complete_leaf(PuctSearcher searcher, int i, const double* priors, double value) noexcept nogil
cdef void rate_children(PuctSearcher searcher, double* scores, double* weights) noexcept nogil
