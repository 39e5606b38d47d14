"""UCT: select, expand, rollout, backup. One pass is a simulation."""

from libc.stdint cimport uint32_t

from .bitboard cimport Bits, Geometry, Lines, Standard
from .pool cimport Pool
from .rng cimport Generator
from .solver cimport Solver


cdef struct Settings:
    # _layout.Settings, as far as a simulation reads it.
    uint32_t win            # reward units of a win, for the player who moved; a loss is 0
    uint32_t draw
    double exploration      # the exploration factor in reward units
    double first_play       # value of a child without visits in reward units; may be infinite
    bint random_ties        # among equal scores draw one at random, or take the first in column order
    bint roll_root          # a fresh root is rolled out itself before it gets children
    int rollout             # the policy: RANDOM, DECISIVE or SAFE
    bint proofs             # back up exact results
    bint probes             # hand nodes that have earned it to the solver
    bint transpositions     # positions reached by several ways share their children


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
