"""UCT: select, expand, rollout, backup. One pass is a simulation."""

from libc.stdint cimport uint32_t

from .bitboard cimport Bits, Geometry, Lines, Standard
from .pool cimport Pool
from .rng cimport Generator
from .selection cimport Settings
from .solver cimport Solver


cdef union Board:
    # One position in the kernel of the geometry.
    Standard standard
    Bits bits
    Lines lines


cdef class Searcher:
    # One tree, its root position and its generator.
    cdef Geometry geometry
    cdef Settings settings
    cdef Generator generator
    cdef Solver solver      # for probes, or None
    cdef Pool pool
    cdef Board root
    cdef Board position     # the position at the current node
    cdef uint32_t[::1] path     # nodes from the root to the current one
