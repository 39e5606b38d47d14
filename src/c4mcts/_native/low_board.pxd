"""The seven lower rows of a large board, in which most random games end.

A column is a byte, so the columns around a disc are one 64-bit integer, in which runs of four are found by the shifts
of a small board. That takes half the time of Lines, with which a game continues if it grows higher.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from .bitboard cimport MAX_SIDE, Geometry, Lines, drop

cdef extern from "portable.h" nogil:
    bint is_little_endian "c4_is_little_endian" ()

cdef enum:
    LOW_ROWS = 7    # the highest bit of a byte stays empty, so that no run continues in the next column
    BEFORE = 3      # columns before the disc's, in the integer
    AFTER = 4       # columns after it


cdef struct LowBoard:
    # Row r of a column is bit r of its byte.
    int ply
    uint8_t heights[MAX_SIDE]                           # by column: number of discs
    uint8_t discs[2 * (BEFORE + MAX_SIDE + AFTER)]      # by player and column, with columns beyond both edges


cdef inline bint fits_low(const Geometry* geometry) noexcept nogil:
    """Whether a LowBoard finds the winning lines."""
    return is_little_endian() and geometry.connect == 4 and geometry.n_directions > 0


cdef inline bint lower(LowBoard* low, const Lines* position, const Geometry* geometry) noexcept nogil:
    """Copy a position; False if it has a disc above LOW_ROWS."""
    cdef int column, player
    memset(low, 0, sizeof(LowBoard))
    low.ply = position.ply
    for column in range(geometry.width):
        if position.heights[column] > LOW_ROWS:
            return False
        low.heights[column] = position.heights[column]
        for player in range(2):
            low.discs[player * (BEFORE + MAX_SIDE + AFTER) + BEFORE + column] = <uint8_t>(
                position.lines[2 * (geometry.height + column) + player]
            )
    return True


cdef inline void lift(Lines* position, const Geometry* geometry, const LowBoard* low) noexcept nogil:
    """Add the discs that a LowBoard has beyond the position's."""
    cdef int column, row
    for column in range(geometry.width):
        for row in range(position.heights[column], low.heights[column]):
            # drop takes the player from the ply
            position.ply = low.discs[BEFORE + MAX_SIDE + AFTER + BEFORE + column] >> row & 1
            drop(position, geometry, <uint64_t>column << 6 | <uint64_t>row)
    position.ply = low.ply


cdef inline bint drop_low(LowBoard* low, const Geometry* geometry, int column) noexcept nogil:
    """Put a disc of the player to move into a column and pass the turn; returns whether the player wins."""
    cdef uint8_t* around = &low.discs[(low.ply & 1) * (BEFORE + MAX_SIDE + AFTER) + column]
    cdef int row = low.heights[column]
    cdef uint64_t cells, a, b, c, d
    memcpy(&cells, around, sizeof(cells))
    cells |= <uint64_t>1 << (8 * BEFORE + row)
    around[BEFORE] = <uint8_t>(cells >> 8 * BEFORE)
    low.heights[column] = <uint8_t>(row + 1)
    low.ply += 1
    a = cells & cells >> 1
    b = cells & cells >> 8
    if not geometry.diagonals:
        return (a & a >> 2 | b & b >> 16) != 0
    c = cells & cells >> 7
    d = cells & cells >> 9
    return (a & a >> 2 | b & b >> 16 | c & c >> 14 | d & d >> 18) != 0
