"""The board as planes of numbers, the input of an evaluator."""

from libc.stdint cimport uint64_t

from .bitboard cimport Geometry, Lines, Position


cdef inline void paint(
    float[::1] planes, size_t index, const Position* position, const Geometry* geometry, bint signed,
) noexcept nogil:
    """Write position number `index` into a flat array of planes, row by row, the top row first.

    Two planes, the discs of the player to move and those of the other, with 1 for a disc. signed: one plane, with 1 for
    a disc of the player to move and -1 for a disc of the other.
    """
    cdef size_t size = geometry.width * geometry.height
    cdef size_t start = index * (size if signed else 2 * size)
    cdef size_t place
    cdef const uint64_t* columns
    cdef uint64_t cell
    cdef bint own, other
    cdef int row, column
    for row in range(geometry.height):
        for column in range(geometry.width):
            if Position is Lines:
                columns = &position.lines[2 * geometry.height + 2 * column]
                cell = <uint64_t>1 << geometry.height - 1 - row
                own = columns[position.ply & 1] & cell != 0
                other = columns[1 - (position.ply & 1)] & cell != 0
            else:
                cell = <uint64_t>1 << column * (geometry.height + 1) + geometry.height - 1 - row
                own = position.own & cell != 0
                other = position.mask & cell != 0 and not own
            place = start + row * geometry.width + column
            if signed:
                planes[place] = <float>own - <float>other
            else:
                planes[place] = <float>own
                planes[place + size] = <float>other
