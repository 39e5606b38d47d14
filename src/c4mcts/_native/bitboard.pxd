"""The board as the search sees it: sets of cells, moves, and planes of numbers, the input of an evaluator.

Three kernels do the work of the one in _pure.bitboard. Each is a struct, and a function written for the fused type
`Position` is compiled once for each:

Standard    7 x 6, four in a row: a set of cells is a 64-bit integer, and all shifts are known to the compiler
Bits        any board of width * (height + 1) <= 64: the same with shifts from the Geometry
Lines       larger boards: 64 bits for each row, column and diagonal of each player, so that a run is looked for in the
            four lines through a cell, not on the whole board

A set of cells in Standard and Bits has the layout of _pure.bitboard. A cell is a set with one element there, and
column << 6 | row in Lines. Only `free_cell` and `above` make cells; other modules must not look inside them.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from .cells cimport BITS, LINES, STANDARD, Geometry, geometry_of, has_line, winning_cells

cdef enum:
    MAX_SIDE = 64                   # columns, rows
    MAX_LINES = 6 * MAX_SIDE - 2    # rows, columns and diagonals

cdef const float[:, ::1] ROWS   # (128, 7): by the discs of a row of a Standard board (bit = column), 1 for each disc


cdef struct Standard:
    # The discs on the board and, where a function says that it needs them, the threats of both players.
    uint64_t own            # discs of the player to move
    uint64_t mask           # all discs
    uint64_t threats[2]     # by player, 0 moves first: cells with which the player completes a line, see threats.pxd
    int ply                 # number of discs; even if the first player is to move


cdef struct Bits:
    # As Standard.
    uint64_t own
    uint64_t mask
    uint64_t threats[2]
    int ply


cdef struct Lines:
    # Like Standard, line by line. In each line the first player's 64 bits come before the second's.
    int ply
    uint8_t heights[MAX_SIDE]           # by column: number of discs
    uint64_t threats[2 * MAX_SIDE]      # by column and player; bit = row
    # Discs by line and player: rows (bit = column), columns (bit = row), rising diagonals by column - row, falling ones
    # by column + row (bit = column). The lines of smaller boards fill the front of the array; only they are copied.
    uint64_t lines[2 * MAX_LINES]


ctypedef fused Position:
    Standard
    Bits
    Lines


cdef union AnyPosition:
    # Memory for a position; the kernel of the geometry says which member is in use.
    Standard standard
    Bits bits
    Lines lines


cdef int load(Position* position, const Geometry* geometry, own, mask) except -1


cdef extern from "portable.h" nogil:
    int lowest_bit "c4_lowest_bit" (uint64_t bits)  # index of the lowest set bit

cdef extern from "string.h" nogil:
    void* memcpy(void* target, const void* source, size_t count)


cdef inline void copy(Position* position, const Position* source, const Geometry* geometry) noexcept nogil:
    """Make the position equal to the source."""
    if Position is Lines:
        memcpy(position, source, lines_size(geometry))
    else:
        position[0] = source[0]


cdef inline size_t lines_size(const Geometry* geometry) noexcept nogil:
    """Bytes of a Lines that a board of this size uses."""
    cdef size_t lines = 3 * (geometry.width + geometry.height) - 2
    return sizeof(Lines) - (2 * MAX_LINES - 2 * lines) * sizeof(uint64_t)


cdef inline bint is_open(const Position* position, const Geometry* geometry, int column) noexcept nogil:
    """Whether the column is not full."""
    if Position is Lines:
        return position.heights[column] < geometry.height
    elif Position is Standard:
        return (position.mask >> (column * 7 + 5)) & 1 == 0
    else:
        return position.mask >> (column * (geometry.height + 1) + geometry.height - 1) & 1 == 0


cdef inline uint64_t row_of(uint64_t cells, int row) noexcept nogil:
    """A row of a set of cells of a Standard board, a bit for each column.

    The cells of a row are 7 bits apart. The product moves the cell of column c from bit 7 c to bit 36 + c, and none of
    the others to the bits 36 to 42.
    """
    return (cells >> row & <uint64_t>0x40810204081ULL) * <uint64_t>0x1041041041ULL >> 36 & 127


cdef inline uint64_t open_columns(const Position* position, const Geometry* geometry) noexcept nogil:
    """The columns that are not full, a bit for each."""
    cdef uint64_t columns = 0
    cdef int column
    if Position is Standard:
        columns = row_of(~position.mask, 5)
    else:
        for column in range(geometry.width):
            columns |= <uint64_t>is_open(position, geometry, column) << column
    return columns


cdef inline uint64_t free_cell(const Position* position, const Geometry* geometry, int column) noexcept nogil:
    """The cell into which a disc falls in an open column."""
    cdef uint64_t bottom
    if Position is Lines:
        return <uint64_t>column << 6 | position.heights[column]
    elif Position is Standard:
        bottom = <uint64_t>1 << column * 7
        return position.mask + bottom & (bottom << 6) - bottom
    else:
        bottom = <uint64_t>1 << column * (geometry.height + 1)
        return position.mask + bottom & (bottom << geometry.height) - bottom


cdef inline uint64_t above(const Position* position, uint64_t cell) noexcept nogil:
    """The cell above a cell that is not in the top row."""
    if Position is Lines:
        return cell + 1
    else:
        return cell << 1


cdef inline bint is_top(const Position* position, const Geometry* geometry, uint64_t cell) noexcept nogil:
    """Whether the cell is in the top row."""
    if Position is Lines:
        return <int>(cell & 63) == geometry.height - 1
    elif Position is Standard:
        return cell & 0x810204081020ULL != 0
    else:
        return cell & geometry.top != 0


cdef inline void write_words(
    uint64_t* own, uint64_t* mask, const Position* position, const Geometry* geometry,
) noexcept nogil:
    """Write the discs of the player to move and all discs in two words each, the low one first, in the layout of
    _pure.bitboard; nothing if the board has more than 128 bits.
    """
    cdef const uint64_t* columns
    cdef int place = 0
    cdef int turn = position.ply & 1
    cdef int column
    own[0] = own[1] = mask[0] = mask[1] = 0
    if Position is Lines:
        if geometry.width * (geometry.height + 1) > 128:
            return
        columns = &position.lines[2 * geometry.height]
        for column in range(geometry.width):
            add_bits(own, place, columns[2 * column + turn])
            add_bits(mask, place, columns[2 * column] | columns[2 * column + 1])
            place += geometry.height + 1
    else:
        own[0] = position.own
        mask[0] = position.mask


cdef inline void add_bits(uint64_t* words, int place, uint64_t bits) noexcept nogil:
    """Add bits to two words, from a place on; none of them lies beyond the second word."""
    words[place >> 6] |= bits << (place & 63)
    if place & 63 and place < 64:
        words[1] |= bits >> (64 - place)


cdef inline bint has_run(uint64_t discs, const Geometry* geometry) noexcept nogil:
    """Whether a single line holds a run; for Lines."""
    cdef int i
    if geometry.connect == 4:   # shifts that the compiler knows take a third of the instructions
        discs &= discs >> 1
        return discs & discs >> 2 != 0
    for i in range(geometry.n_steps):
        discs &= discs >> geometry.steps[i]
    return discs != 0


cdef inline bint completes(const Position* position, const Geometry* geometry, uint64_t cell) noexcept nogil:
    """Whether the player to move wins by dropping a disc into the cell."""
    cdef const uint64_t* lines
    cdef int column, row
    if Position is Lines:
        if geometry.n_directions == 0:
            return False
        column = <int>(cell >> 6)
        row = <int>(cell & 63)
        lines = &position.lines[position.ply & 1]
        if has_run(lines[2 * row] | <uint64_t>1 << column, geometry):
            return True
        lines += 2 * geometry.height
        if has_run(lines[2 * column] | <uint64_t>1 << row, geometry):
            return True
        lines += 2 * geometry.width
        if not geometry.diagonals:
            return False
        if has_run(lines[2 * (column - row + geometry.height - 1)] | <uint64_t>1 << column, geometry):
            return True
        lines += 2 * (geometry.width + geometry.height - 1)
        return has_run(lines[2 * (column + row)] | <uint64_t>1 << column, geometry)
    else:
        return has_line(position.own | cell, geometry)


cdef inline void drop(Position* position, const Geometry* geometry, uint64_t cell) noexcept nogil:
    """Put a disc of the player to move into the cell and pass the turn."""
    cdef uint64_t* lines
    cdef int column, row
    if Position is Lines:
        column = <int>(cell >> 6)
        row = <int>(cell & 63)
        lines = &position.lines[position.ply & 1]
        lines[2 * row] |= <uint64_t>1 << column
        lines += 2 * geometry.height
        lines[2 * column] |= <uint64_t>1 << row
        lines += 2 * geometry.width
        lines[2 * (column - row + geometry.height - 1)] |= <uint64_t>1 << column
        lines += 2 * (geometry.width + geometry.height - 1)
        lines[2 * (column + row)] |= <uint64_t>1 << column
        position.heights[column] += 1
    else:
        position.own ^= position.mask
        position.mask |= cell
    position.ply += 1


cdef inline void play(Position* position, const Geometry* geometry, int column) noexcept nogil:
    """Drop a disc of the player to move into an open column."""
    drop(position, geometry, free_cell(position, geometry, column))


cdef inline uint64_t winning_columns(const Position* position, const Geometry* geometry) noexcept nogil:
    """The open columns in which the player to move wins at once, a bit for each."""
    cdef uint64_t columns = 0
    cdef int column
    if Position is not Lines:
        if position.mask + geometry.bottom & winning_cells(position.own, geometry) == 0:
            return 0
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            columns |= <uint64_t>completes(position, geometry, free_cell(position, geometry, column)) << column
    return columns


cdef inline void mark(float* planes, size_t top, uint64_t discs, const Geometry* geometry, float number) noexcept nogil:
    """Write a number for each disc of a column (bit = row); top: the place of its cell in the top row."""
    while discs:
        planes[top + (geometry.height - 1 - lowest_bit(discs)) * geometry.width] = number
        discs &= discs - 1


cdef inline void paint_rows(float* planes, const Standard* position, bint signed) noexcept nogil:
    """`paint` for a Standard board."""
    cdef const float* own
    cdef const float* other
    cdef float* line
    cdef int row, column
    for row in range(6):
        line = planes + 7 * (5 - row)
        own = &ROWS[row_of(position.own, row), 0]
        other = &ROWS[row_of(position.own ^ position.mask, row), 0]
        if signed:
            for column in range(7):
                line[column] = own[column] - other[column]
        else:
            memcpy(line, own, 7 * sizeof(float))
            memcpy(line + 42, other, 7 * sizeof(float))


cdef inline void paint(
    float* planes, size_t index, const Position* position, const Geometry* geometry, bint signed,
) noexcept nogil:
    """Write position number `index` into a flat array of planes, row by row, the top row first.

    Two planes, the discs of the player to move and the opponent's, with 1 for a disc. signed: one plane, with 1 for
    a disc of the player to move and -1 for a disc of the other.
    """
    cdef size_t size = geometry.width * geometry.height
    cdef size_t place = index * (size if signed else 2 * size)
    cdef size_t other_place = place if signed else place + size
    cdef float other_number = -1.0 if signed else 1.0
    cdef const uint64_t* columns
    cdef uint64_t own, other
    cdef int column
    if Position is Standard:
        paint_rows(planes + place, position, signed)
    else:
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
            mark(planes, other_place + column, other, geometry, other_number)
