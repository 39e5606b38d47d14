"""The network: values of positions and priors of moves, computed in integers, so that all platforms get the same.

It sees a position as a set of features that don't depend on the size of the board. A feature is a row of a table; the
rows of all features of a position are added up (Nasu, "Efficiently updatable neural-network-based evaluation functions
for computer shogi", 2018). There are two kinds of features:

line      four cells in a row that do not hold discs of both players: its direction, whose discs it holds, and for each
          cell whether it holds a disc, can be played now, after one more disc, or later
column    one that is not full: the threats of both players in the next WINDOW_ROWS cells

Both know the parity of a cell: whether the player to move gets it once all other columns are full, which is what Allis,
"A knowledge-based approach of Connect-Four" (1988), calls odd and even threats.

The value takes two layers more. The logit of a move takes the lines through its cell, those through the cell above,
its column, and a few numbers of the position.
"""

from libc.stdint cimport int16_t, int32_t, uint16_t

from .bitboard cimport Geometry, Position


cdef class Network:
    # The weights, and the lines of the board for which they are used.
    cdef readonly object rules
    cdef Geometry geometry
    cdef int parity                     # of the bottom cells
    cdef int count                      # of lines
    cdef int32_t[::1] ends              # by row: lines whose lowest cell is below it
    cdef int steps[4]                   # by direction, from a cell of a line to the next: across, up, the diagonals
    cdef int firsts[4]                  # by direction: the first cell with which a line begins, as below
    cdef int lasts[4]                   # and the last one
    cdef uint16_t[::1] places           # by line: direction * cells + its lowest cell (column * height + row)
    cdef uint16_t[::1] blocks           # by turn, direction and cell: where the rows of its lines begin in the tables
    cdef int32_t[::1] starts            # by cell: where its lines begin in through_cell; at the end their number
    cdef uint16_t[::1] through_cell     # places of the lines through the cells
    # The weights: see _layout.NETWORK_ARRAYS. Tables of lines have the row DEAD at their end.
    cdef int16_t[::1] lines             # for the value
    cdef int16_t[::1] columns
    cdef int16_t[::1] context_lines     # for the moves
    cdef int16_t[::1] context_columns
    cdef int32_t[::1] bias
    cdef int16_t[::1] second
    cdef int32_t[::1] second_bias
    cdef int16_t[::1] value
    cdef int32_t[::1] value_bias
    cdef int16_t[::1] through
    cdef int16_t[::1] above
    cdef int16_t[::1] landing
    cdef int16_t[::1] move


cdef double evaluate_value(Network network, const Position* position, const Geometry* geometry) noexcept nogil
cdef void evaluate_moves(
    Network network, const Position* position, const Geometry* geometry, double* priors,
) noexcept nogil
