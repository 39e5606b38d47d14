"""Threats: the cells in which a player would complete a line.

Allis, "A knowledge-based approach of Connect-Four" (1988), section 3.1. A position stores the sets of both players;
functions that need them call update_threats after each move.
"""

from libc.stdint cimport uint64_t

from .bitboard cimport Lines, Position, lowest_bit
from .cells cimport Geometry, gaps, winning_cells


cdef inline void mark_line(
    Lines* position, const Geometry* geometry, int player, int line, int row, int slope,
) noexcept nogil:
    """Add a player's threats in a line that has its cell of column c in row + slope * c."""
    cdef uint64_t cells = gaps(position.lines[2 * line + player], 1, geometry.connect)
    cdef int column
    cells &= ~<uint64_t>0 >> (64 - geometry.width)
    while cells:
        column = lowest_bit(cells)
        cells &= cells - 1
        if 0 <= row + slope * column < geometry.height:
            position.threats[2 * column + player] |= <uint64_t>1 << (row + slope * column)


cdef inline void mark_column(Lines* position, const Geometry* geometry, int player, int column) noexcept nogil:
    """Add a player's threats in a column."""
    cdef uint64_t cells = gaps(position.lines[2 * (geometry.height + column) + player], 1, geometry.connect)
    position.threats[2 * column + player] |= cells & ~<uint64_t>0 >> (64 - geometry.height)


cdef inline void find_threats(Position* position, const Geometry* geometry) noexcept nogil:
    """Find the cells in which either player would complete a line."""
    cdef int player = position.ply & 1
    cdef int i, rising, falling
    if Position is Lines:
        rising = geometry.height + geometry.width
        falling = rising + geometry.width + geometry.height - 1
        for i in range(2 * geometry.width):
            position.threats[i] = 0
        if geometry.n_directions == 0:
            return
        for player in range(2):
            for i in range(geometry.height):
                mark_line(position, geometry, player, i, i, 0)
            for i in range(geometry.width):
                mark_column(position, geometry, player, i)
            if geometry.diagonals:
                for i in range(geometry.width + geometry.height - 1):
                    mark_line(position, geometry, player, rising + i, geometry.height - 1 - i, 1)
                    mark_line(position, geometry, player, falling + i, i, -1)
    else:
        position.threats[player] = winning_cells(position.own, geometry)
        position.threats[1 - player] = winning_cells(position.own ^ position.mask, geometry)


cdef inline void update_threats(Position* position, const Geometry* geometry, uint64_t cell) noexcept nogil:
    """Update the threats of the player who dropped a disc into the cell; occupied cells may stay in the sets."""
    cdef int player = 1 - (position.ply & 1)
    cdef int column, row, rising, falling
    if position.ply < geometry.first_win - 1:
        return
    if Position is Lines:
        if geometry.n_directions == 0:
            return
        column = <int>(cell >> 6)
        row = <int>(cell & 63)
        mark_line(position, geometry, player, row, row, 0)
        mark_column(position, geometry, player, column)
        if geometry.diagonals:
            rising = geometry.height + geometry.width + column - row + geometry.height - 1
            falling = geometry.height + geometry.width + geometry.width + geometry.height - 1 + column + row
            mark_line(position, geometry, player, rising, row - column, 1)
            mark_line(position, geometry, player, falling, row + column, -1)
    else:
        position.threats[player] = winning_cells(position.own ^ position.mask, geometry)


cdef inline bint is_threat(const Position* position, int player, uint64_t cell) noexcept nogil:
    """Whether the player would complete a line in this free cell."""
    if Position is Lines:
        return position.threats[2 * (cell >> 6) + player] >> (cell & 63) & 1
    else:
        return position.threats[player] & cell != 0


cdef inline bint is_below_threat(const Position* position, int player, uint64_t cell) noexcept nogil:
    """Whether a disc in this cell would let the player complete a line on top of it."""
    if Position is Lines:
        return position.threats[2 * (cell >> 6) + player] >> (cell & 63) >> 1 & 1
    else:
        return position.threats[player] & cell << 1 != 0


cdef inline int find_threat(
    const Position* position, const Geometry* geometry, int player, const uint64_t* cells, int n,
) noexcept nogil:
    """Index of the first of the free cells in which the player would complete a line; -1 if there is none."""
    cdef int i
    if Position is not Lines:
        if position.threats[player] & position.mask + geometry.bottom == 0:
            return -1
    for i in range(n):
        if is_threat(position, player, cells[i]):
            return i
    return -1


cdef inline bint has_safe_cell(
    const Position* position, const Geometry* geometry, int player, const uint64_t* cells, int n,
) noexcept nogil:
    """Whether one of the free cells is not below a threat of the player."""
    cdef int i
    if Position is Lines:
        for i in range(n):
            if not is_below_threat(position, player, cells[i]):
                return True
        return False
    else:
        return position.mask + geometry.bottom & geometry.board & ~(position.threats[player] >> 1) != 0
