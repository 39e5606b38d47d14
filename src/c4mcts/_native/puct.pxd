"""PUCT: an evaluator in the place of rollouts, asked in batches.

The score is that of AlphaZero: Silver et al., "Mastering the game of Go without human knowledge" (2017), methods;
Rosin, "Multi-armed bandits with episode context" (2011). Values lie in [-1, 1]. A node's `visits` count the simulations
that have come by, `value_sum` those that have come back: the difference is under way.
"""

from libc.stdint cimport uint32_t

from .pool cimport Node
from .search cimport Searcher


cdef class PuctSearcher(Searcher):
    # A tree whose leaves are evaluated in batches.
    cdef Node[::1] nodes            # the pool's, during a batch
    cdef uint32_t[:, ::1] paths     # by simulation of a batch: nodes from the root to its leaf
    cdef int[::1] depths            # and how many plies that is
    cdef double[::1] noise          # what the priors of the root's children are mixed with; empty: nothing
    cdef int waiting                # descents that wait for an evaluation
    cdef int batch_size
    cdef bint signed_planes
