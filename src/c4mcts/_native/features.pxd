"""Inputs of the network: features of a position that don't depend on the size of the board.

A feature is a row of a table. There are two kinds:

line      four cells in a row that do not hold discs of both players: its direction, whose discs it holds, and for each
          cell whether it holds a disc, can be played now, after one more disc, or later
column    one that is not full: the threats of both players in the next WINDOW_ROWS cells

Both know the parity of a cell: whether the player to move gets it once all other columns are full, which is what Allis,
"A knowledge-based approach of Connect-Four" (1988), calls odd and even threats. A network by places, for 7x6 alone,
knows the cell, mirror images joined, of a line the lowest one; for the second player it takes the next cell, whose
parity is the other.
"""

from libc.stdint cimport int32_t, uint16_t, uint64_t

from .bitboard cimport MAX_SIDE, Geometry, Lines, Position, Standard

cdef enum:
    # the first four as in _layout, which the import of network compares
    PARITIES = 2
    PLACES = 24
    LINE_ROWS = 3 * PARITIES * 3 * 256
    WINDOW_ROWS = 5
    OWN = 1 << 8        # in the number of a cell: a disc of the player to move
    OTHER = 1 << 9      # a disc of the other player
    OWN_CELLS = OWN * 0x55      # of the four cells of a line
    OTHER_CELLS = OTHER * 0x55
    DEAD = 0            # the row of lines with discs of both players, which count nowhere; no other line has it


cdef struct Features:
    # What the network sees of a position.
    uint16_t cells[MAX_SIDE * MAX_SIDE]     # a number for each
    int free[MAX_SIDE]                      # by column: the lowest row without a disc
    uint16_t rows[4 * MAX_SIDE * MAX_SIDE]  # by line, at LineIndex.places: its row in the tables


cdef class LineIndex:
    # The lines of four of a board: which there are, and which go through each cell.
    cdef int cells                      # of the board
    cdef int group_count                # PARITIES or PLACES
    cdef uint16_t[::1] groups           # by cell: its parity, or its place
    cdef int count                      # of lines
    cdef int32_t[::1] ends              # by row: lines whose lowest cell is below it
    cdef int steps[4]                   # by direction, from a cell of a line to the next: across, up, the diagonals
    cdef int firsts[4]                  # by direction: the first cell with which a line begins, as below
    cdef int lasts[4]                   # and the last one
    cdef uint16_t[::1] places           # by line: direction * cells + its lowest cell (column * height + row)
    cdef uint16_t[::1] blocks           # by turn, direction and cell: where the rows of its lines begin in the tables
    cdef int32_t[::1] starts            # by cell: where its lines begin in through_cell; at the end their number
    cdef uint16_t[::1] states           # by MAX_SIDE + cells above the free one: the number of a cell without a disc
    cdef uint16_t[::1] through_cell     # places of the lines through the cells


cdef tuple features_of(LineIndex index, const Position* position, const Geometry* geometry)


cdef inline uint64_t own_discs(const Position* position, const Geometry* geometry, int column) noexcept nogil:
    """Discs of the player to move in a column; bit = row."""
    if Position is Lines:
        return position.lines[2 * (geometry.height + column) + (position.ply & 1)]
    elif Position is Standard:
        return position.own >> column * 7 & 63
    else:
        return position.own >> column * (geometry.height + 1) & ~(~<uint64_t>0 << geometry.height)


cdef inline uint64_t discs(const Position* position, const Geometry* geometry, int column) noexcept nogil:
    """All discs in a column; bit = row."""
    if Position is Lines:
        return (
            position.lines[2 * (geometry.height + column)] | position.lines[2 * (geometry.height + column) + 1]
        )
    elif Position is Standard:
        return position.mask >> column * 7 & 63
    else:
        return position.mask >> column * (geometry.height + 1) & ~(~<uint64_t>0 << geometry.height)


cdef inline int threats_from(
    const Position* position, const Geometry* geometry, int player, int column, int row,
) noexcept nogil:
    """Threats of a player in the next WINDOW_ROWS cells of a column, the one in this row first."""
    cdef uint64_t window
    if Position is Lines:
        window = position.threats[2 * column + player]
    elif Position is Standard:
        window = position.threats[player] >> column * 7 & 63
    else:
        window = position.threats[player] >> column * (geometry.height + 1) & ~(~<uint64_t>0 << geometry.height)
    return <int>(window >> row & (1 << WINDOW_ROWS) - 1)


cdef inline void read_cells(
    LineIndex index, const Position* position, const Geometry* geometry, Features* features,
) noexcept nogil:
    """Write a number for each cell, and the free row of each column.

    0 in the lowest two bits of a disc; 1 for a cell that can be played, 2 for the one above it, 3 for all others.
    """
    cdef int height = 6 if Position is Standard else geometry.height
    cdef uint16_t* cells = features.cells
    cdef const uint16_t* states
    cdef uint64_t own, mask
    cdef int column, row
    cdef Py_ssize_t i
    for column in range(geometry.width):
        own = own_discs(position, geometry, column)
        mask = discs(position, geometry, column)
        row = 0
        while row < height and mask >> row & 1:
            row += 1
        features.free[column] = row
        states = &index.states[MAX_SIDE - row]
        for i in range(height):
            cells[i] = states[i]
        for i in range(row):
            cells[i] = OWN if own >> i & 1 else OTHER
        cells += height


cdef inline void find_rows(LineIndex index, int turn, Features* features) noexcept nogil:
    """Write the row of each line in the tables. turn: of the player to move, 0 or 1.

    Of each line that a cell may begin, in order to do the same for eight cells at once; those that leave the board are
    not in LineIndex.places.
    """
    cdef int cells = index.cells
    cdef const uint16_t* numbers = features.cells
    cdef const uint16_t* blocks
    cdef uint16_t* rows
    cdef uint16_t number, own, other, row
    cdef int direction
    cdef Py_ssize_t step, i     # of 32 bits, they might wrap around in builds with -fwrapv: no vectors
    for direction in range(4):
        step = index.steps[direction]
        rows = features.rows + direction * cells
        blocks = &index.blocks[(4 * turn + direction) * cells]
        for i in range(index.firsts[direction], index.lasts[direction] + 1):
            number = <uint16_t>(
                numbers[i] + (numbers[i + step] << 2) + (numbers[i + 2 * step] << 4) + (numbers[i + 3 * step] << 6)
            )
            own = number & OWN_CELLS
            other = number & OTHER_CELLS
            row = <uint16_t>(blocks[i] + (256 if own else 0) + (512 if other else 0) + (number & 255))
            rows[i] = DEAD if (own != 0) & (other != 0) else row


cdef inline void read(
    LineIndex index, const Position* position, const Geometry* geometry, Features* features,
) noexcept nogil:
    """Write the inputs of the network for a position."""
    read_cells(index, position, geometry, features)
    find_rows(index, position.ply & 1, features)


cdef inline int column_row(
    LineIndex index, const Position* position, const Geometry* geometry, int column, int row,
) noexcept nogil:
    """The row of a column in the tables. row: the free one."""
    cdef int turn = position.ply & 1
    cdef int group = index.groups[column * geometry.height + row] ^ turn
    cdef int own = threats_from(position, geometry, turn, column, row)
    cdef int other = threats_from(position, geometry, 1 - turn, column, row)
    return (group << WINDOW_ROWS | own) << WINDOW_ROWS | other


cdef inline bint counts(int row) noexcept nogil:
    """Whether a line counts for the position: whether it holds discs, all of one player."""
    return row != DEAD and (row >> 8) % 3 != 0
