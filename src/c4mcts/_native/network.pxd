"""The network: values of positions and priors of moves, computed in integers, so that all platforms get the same.

The rows of all features of a position (see features) are added up (Nasu, "Efficiently updatable neural-network-based
evaluation functions for computer shogi", 2018). For a move the lines through its cell, those through the cell above
and its column are added to numbers of the position. The value and the logit of a move take two layers more.
"""

from libc.stdint cimport int16_t, int32_t, uint64_t

from .bitboard cimport Geometry, Position, Standard
from .features cimport LineIndex


cdef class Network:
    # The weights, and the lines of the board for which they are used.
    cdef readonly object rules
    cdef Geometry geometry
    cdef LineIndex index
    # The weights: see _layout.network_shapes. Tables of lines have zeros in the row DEAD.
    cdef int16_t[::1] lines             # for the value
    cdef int16_t[::1] columns
    cdef int16_t[::1] context_lines     # for the moves
    cdef int16_t[::1] context_columns
    cdef int32_t[::1] bias
    cdef int16_t[::1] value_second
    cdef int32_t[::1] value_second_bias
    cdef int16_t[::1] value
    cdef int32_t[::1] value_bias
    cdef int16_t[::1] through
    cdef int16_t[::1] above
    cdef int16_t[::1] landing
    cdef int16_t[::1] move_second
    cdef int32_t[::1] move_second_bias
    cdef int16_t[::1] move


cdef double evaluate_value(Network network, const Position* position, const Geometry* geometry) noexcept nogil
cdef void evaluate_moves(
    Network network, const Position* position, const Geometry* geometry, double* priors,
) noexcept nogil
cdef void evaluate_columns(
    Network network, const Standard* position, uint64_t columns, int32_t* logits,
) noexcept nogil
