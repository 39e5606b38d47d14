"""Whether a tree can be what it says: every node against its position."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from .bitboard cimport Geometry, Position
from .pool cimport Pool
from .selection cimport Settings


cdef check(Pool pool, const Settings* settings, const Geometry* geometry, const Position* root, bint fill)
