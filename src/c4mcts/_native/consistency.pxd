"""The walk through a tree from a file."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from .bitboard cimport Geometry, Position
from .pool cimport NodePool, Tree


cdef check(Tree tree, const Position* root, bint fill)
