"""Sets of cells as integers, with the layout of _pure.bitboard; the lines and the gaps among them.

The modules of the solver, this one among them, are compiled twice: for sets of 64 bits, and in `wide` for sets
of 128 bits. A relative cimport in them is of the same width; modules that don't depend on it are cimported by their
full names. `right` and `left` are for shifts by 1 to 63 cells: with 128 bits, they take a third of the instructions of
an operator by a number that the compiler does not know, and less time than one by a constant.
"""

from libc.stdint cimport uint64_t

cdef enum:
    MAX_STEPS = 6                   # shifts that cover a run of 64
    MAX_CONNECT = 64                # of a run that may fit the board


cdef extern from "cells.h" nogil:
    ctypedef unsigned long long Cells "c4_cells"    # of CELL_BITS bits
    ctypedef unsigned long long Vector "c4_vector"  # the same in a vector register, where that makes shifts faster
    enum:
        CELL_BITS "C4_CELL_BITS"        # 64, or 128 in `wide`
        CELL_WORDS "C4_CELL_WORDS"      # words of 64 bits in a set
    Cells join "c4_join" (uint64_t low, uint64_t high)
    Cells right "c4_right" (Cells cells, int n)     # cells >> n, for n from 1 to 63
    Cells left "c4_left" (Cells cells, int n)       # cells << n, likewise
    uint64_t high_word "c4_high_word" (Cells cells)     # the second word; a cast gives the first
    int lowest_cell "c4_lowest_cell" (Cells cells)      # index of the lowest cell of a set that is not empty
    int count_cells "c4_count_cells" (Cells cells)
    Vector vector_of "c4_vector_of" (Cells cells)
    Cells cells_in "c4_cells_in" (Vector vector)
    Vector vector_right "c4_vector_right" (Vector vector, int n)    # `right` and `left` of the cells in it
    Vector vector_left "c4_vector_left" (Vector vector, int n)
    bint is_odd "c4_is_odd_number" (Cells cells)        # their number


cdef enum Kernel:
    STANDARD
    BITS
    LINES


cdef struct Geometry:
    # Constants that follow from the rules.
    Kernel kernel
    int width               # columns
    int height              # rows
    int cells               # width * height
    int connect             # length of a winning run; MAX_CONNECT if it is longer, which never fits the board
    int n_directions        # number of `directions`; 0 when no run fits the board
    int directions[4]       # distances in bits between neighbours, see rules.run_directions; only for Standard and Bits
    bint is_four            # whether runs of four count in all directions, and 3 * (height + 2) is less than 64
    int n_steps             # number of `steps`
    int steps[MAX_STEPS]    # shifts that find a run, in cells, see rules.run_steps
    int diagonals           # 1 if diagonal runs count, otherwise 0
    int first_win           # discs on the board before a move can complete a run
    int choices_per_draw    # random choices of a column that 64 random bits serve
    Cells top               # the top row; only for Standard and Bits, as all below
    Cells board             # all cells
    Cells bottom            # the bottom row
    Cells follow_up         # cells at an even distance from the top row


cdef private_rules(rules)
cdef Geometry geometry_of(rules) except *
cdef Cells cells_of(number) except? 0
cdef number_of(Cells cells)


cdef inline Cells mirror(Cells cells, const Geometry* geometry) noexcept nogil:
    """The cells with left and right exchanged."""
    cdef int stride = geometry.height + 1
    cdef Cells column = ~<Cells>0 >> (CELL_BITS - stride)
    cdef Cells mirrored = 0
    cdef int _
    if geometry.width == 1:
        return cells
    if stride == 64:    # two columns of a word each
        return join(high_word(cells), <uint64_t>cells)
    for _ in range(geometry.width):
        mirrored = left(mirrored, stride) | cells & column
        cells = right(cells, stride)
    return mirrored


cdef inline bint has_line(Cells cells, const Geometry* geometry) noexcept nogil:
    """Whether there is a winning line among the cells; for Standard and Bits."""
    cdef Cells run
    cdef int i, j
    if geometry.kernel == STANDARD or geometry.is_four:
        return line_starts(cells, geometry) != 0
    for i in range(geometry.n_directions):
        run = cells
        for j in range(geometry.n_steps):
            run &= run >> geometry.steps[j] * geometry.directions[i]
        if run:
            return True
    return False


cdef inline Cells line_starts(Cells cells, const Geometry* geometry) noexcept nogil:
    """The lowest cells of all winning lines among the cells; for Standard and Bits."""
    cdef Cells starts = 0
    cdef Cells run
    cdef Vector vector, a, b, c, d
    cdef int i, j
    if geometry.kernel == STANDARD:
        vector = vector_of(cells)
        a = vector & vector_right(vector, 1)
        b = vector & vector_right(vector, 6)
        c = vector & vector_right(vector, 7)
        d = vector & vector_right(vector, 8)
        return cells_in(
            a & vector_right(a, 2) | b & vector_right(b, 12) | c & vector_right(c, 14) | d & vector_right(d, 16)
        )
    if geometry.is_four:
        i = geometry.height
        vector = vector_of(cells)
        a = vector & vector_right(vector, 1)
        b = vector & vector_right(vector, i)
        c = vector & vector_right(vector, i + 1)
        d = vector & vector_right(vector, i + 2)
        return cells_in(
            a & vector_right(a, 2) | b & vector_right(b, 2 * i)
            | c & vector_right(c, 2 * i + 2) | d & vector_right(d, 2 * i + 4)
        )
    for i in range(geometry.n_directions):
        run = cells
        for j in range(geometry.n_steps):
            run &= run >> geometry.steps[j] * geometry.directions[i]
        starts |= run
    return starts


cdef inline Cells lines_of_four(Cells cells, const Geometry* geometry) noexcept nogil:
    """`lines` for runs of four, if geometry.is_four."""
    cdef Vector vector = vector_of(cells)
    cdef Vector found = vector_of(0)
    cdef Vector run
    cdef int i, direction
    for i in range(4):
        direction = geometry.directions[i]
        run = vector & vector_right(vector, direction)
        run = run & vector_right(run, 2 * direction)
        run = run | vector_left(run, direction)
        found = found | run | vector_left(run, 2 * direction)
    return cells_in(found)


cdef inline Cells lines(Cells cells, const Geometry* geometry) noexcept nogil:
    """The cells of all winning lines among the cells; for Standard and Bits."""
    cdef Cells found = 0
    cdef Cells run
    cdef int i, j
    if geometry.is_four:
        return lines_of_four(cells, geometry)
    for i in range(geometry.n_directions):
        run = cells
        for j in range(geometry.n_steps):
            run &= run >> geometry.steps[j] * geometry.directions[i]
        for j in range(geometry.n_steps):
            run |= run << geometry.steps[j] * geometry.directions[i]
        found |= run
    return found


cdef inline Cells gaps(Cells discs, int direction, int connect) noexcept nogil:
    """Cells with which these discs complete a run along one direction, including occupied cells and padding."""
    # ahead[i]: the next i cells along the direction hold discs; behind: the last i
    cdef Cells ahead[MAX_CONNECT]
    cdef Cells behind = ~<Cells>0
    cdef Cells cells
    cdef int i
    ahead[0] = ~<Cells>0
    for i in range(1, connect):
        ahead[i] = ahead[i - 1] & discs >> i * direction
    cells = ahead[connect - 1]
    for i in range(1, connect):
        behind &= discs << i * direction
        cells |= behind & ahead[connect - 1 - i]
    return cells


cdef inline Vector gaps_of_four(Vector discs, int direction) noexcept nogil:
    """`gaps` for runs of four in a direction of at most 21 bits."""
    cdef Vector next = vector_right(discs, direction)
    cdef Vector pairs = discs & next     # the first cell of each
    return (
        vector_right(pairs, direction) & (vector_left(discs, direction) | vector_right(discs, 3 * direction))
        | vector_left(pairs, 2 * direction) & (next | vector_left(discs, 3 * direction))
    )


cdef inline Cells winning_cells(Cells discs, const Geometry* geometry) noexcept nogil:
    """Cells with which these discs complete a line, taken ones among them; for Standard and Bits."""
    cdef Cells cells = 0
    cdef Vector vector, found
    cdef int i
    if geometry.kernel == STANDARD:
        vector = vector_of(discs)
        found = gaps_of_four(vector, 6) | gaps_of_four(vector, 7) | gaps_of_four(vector, 8)
        return cells_in(gaps_of_four(vector, 1) | found) & geometry.board
    if geometry.is_four:
        i = geometry.height
        vector = vector_of(discs)
        found = gaps_of_four(vector, i) | gaps_of_four(vector, i + 1) | gaps_of_four(vector, i + 2)
        return cells_in(gaps_of_four(vector, 1) | found) & geometry.board
    for i in range(geometry.n_directions):
        cells |= gaps(discs, geometry.directions[i], geometry.connect)
    return cells & geometry.board
