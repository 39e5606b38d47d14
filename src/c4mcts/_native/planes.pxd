"""The board as planes of numbers, the input of an evaluator."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from .bitboard cimport Geometry, Lines, Position, lowest_bit


cdef inline void mark(float* planes, size_t top, uint64_t discs, const Geometry* geometry, float number) noexcept nogil:
    """Write a number for each disc of a column (bit = row); top: the place of its cell in the top row."""
    while discs:
        planes[top + (geometry.height - 1 - lowest_bit(discs)) * geometry.width] = number
        discs &= discs - 1


cdef inline void paint(
    float* planes, size_t index, const Position* position, const Geometry* geometry, bint signed,
) noexcept nogil:
    """Write position number `index` into a flat array of planes, row by row, the top row first.

    Two planes, the discs of the player to move and those of the other, with 1 for a disc. signed: one plane, with 1 for
    a disc of the player to move and -1 for a disc of the other.
    """
    cdef size_t size = geometry.width * geometry.height
    cdef size_t place = index * (size if signed else 2 * size)
    cdef const uint64_t* columns
    cdef uint64_t own, other
    cdef int column
    memset(planes + place, 0, (size if signed else 2 * size) * sizeof(float))
    for column in range(geometry.width):
        if Position is Lines:
            columns = &position.lines[2 * geometry.height + 2 * column]
            own = columns[position.ply & 1]
            other = columns[1 - (position.ply & 1)]
        else:
            own = position.mask >> column * (geometry.height + 1) & ~(~<uint64_t>0 << geometry.height)
            other = own & ~(position.own >> column * (geometry.height + 1))
            own ^= other
        mark(planes, place + column, own, geometry, 1.0)
        mark(planes, place + column if signed else place + size + column, other, geometry, -1.0 if signed else 1.0)
