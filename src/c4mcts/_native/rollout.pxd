"""Rollouts: a game is played to its end with random moves."""

from .bitboard cimport Geometry, Position
from .rng cimport Generator


cdef int rollout(Position* position, const Geometry* geometry, Generator* generator) noexcept nogil
cdef int careful_rollout(
    Position* position, const Geometry* geometry, Generator* generator, bint safe,
) noexcept nogil
