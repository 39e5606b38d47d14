"""The searcher: grows one tree by simulations, moves its root, checks it, and returns its nodes."""

from libc.stdint cimport uint32_t

from .bitboard cimport AnyPosition
from .poll cimport Poll
from .pool cimport Node, NodePool, Tree
from .prober cimport Prober
from .threads cimport ThreadGroup


cdef class Searcher:
    # One tree, its root position and the threads that grow it.
    cdef Tree tree
    cdef AnyPosition root           # the position of the tree's root
    cdef Poll poll                  # asks the caller whether to stop
    cdef Prober solver              # for probes, or None
    cdef ThreadGroup group          # the first thread's generator is the searcher's


cdef uint32_t child_of(NodePool pool, uint32_t node, int column) noexcept nogil
