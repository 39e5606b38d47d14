"""The network; network.pxd describes it."""

import numpy as np

from c4mcts import _layout

from libc.stdint cimport uint32_t, uint64_t

from .bitboard cimport (
    BITS, MAX_SIDE, STANDARD, AnyPosition, Lines, Standard, geometry_of, is_open, load,
)
from .threats cimport find_threats

cdef enum:
    # as in _layout, which the import compares
    LINE_ROWS = 6 * 3 * 256
    WINDOW_ROWS = 5
    HIDDEN = 32
    CONTEXT = 16
    SECOND = 16
    UNIT_BITS = 6
    MAX_NUMBER = 255
    EXP_BITS = 5
    EXP_SIZE = 2048
    OWN = 1 << 16       # in the number of a cell: a disc of the player to move
    OTHER = 1 << 17     # a disc of the other player
    OWN_CELLS = OWN * 0x55      # of the four cells of a line
    OTHER_CELLS = OTHER * 0x55
    FULL = 256          # rows of signed bytes whose sum fits 16 bits


cdef const double[::1] EXP = _layout.exp_table()


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
    const Position* position, const Geometry* geometry, uint32_t* cells, int* rows,
) noexcept nogil:
    """Write a number for each cell, and the free row of each column.

    0 in the lowest two bits of a disc; 1 for a cell that can be played, 2 for the one above it, 3 for all others.
    """
    cdef int height = 6 if Position is Standard else geometry.height
    cdef int cell = 0
    cdef uint64_t own, mask
    cdef int column, row, above
    for column in range(geometry.width):
        own = own_discs(position, geometry, column)
        mask = discs(position, geometry, column)
        row = 0
        while mask >> row & 1:
            cells[cell + row] = OWN if own >> row & 1 else OTHER
            row += 1
            if row == 64:
                break
        rows[column] = row
        for above in range(row, height):
            cells[cell + above] = min(above - row, 2) + 1
        cell += height


cdef inline int line_row(Network network, const uint32_t* cells, int line, int turn) noexcept nogil:
    """The row of a line in the tables; -1 if it holds discs of both players. turn: of the player to move, 0 or 1."""
    cdef const uint16_t* place = &network.cells[4 * line]
    cdef uint32_t sum_of_cells = (
        cells[place[0]] + (cells[place[1]] << 2) + (cells[place[2]] << 4) + (cells[place[3]] << 6)
    )
    cdef int who = (1 if sum_of_cells & OWN_CELLS else 0) + (2 if sum_of_cells & OTHER_CELLS else 0)
    if who == 3:
        return -1
    return ((network.kinds[line] ^ turn) * 3 + who << 8) + <int>(sum_of_cells & 255)


cdef inline int column_row(
    Network network, const Position* position, const Geometry* geometry, int column, int row,
) noexcept nogil:
    """The row of a column in the tables. row: the free one."""
    cdef int turn = position.ply & 1
    cdef int parity = network.parity + row + turn & 1
    cdef int own = threats_from(position, geometry, turn, column, row)
    cdef int other = threats_from(position, geometry, 1 - turn, column, row)
    return (parity << WINDOW_ROWS | own) << WINDOW_ROWS | other


cdef inline void add(int16_t* sums, const int16_t* table, int row, int size) noexcept nogil:
    """Add a row of a table to sums."""
    cdef const int16_t* numbers = table + row * size
    cdef int i
    for i in range(size):
        sums[i] += numbers[i]


cdef inline void flush(int32_t* sums, int16_t* part) noexcept nogil:
    """Add a part of the sums of the first layer to them, and empty it."""
    cdef int i
    for i in range(HIDDEN + CONTEXT):
        sums[i] += part[i]
        part[i] = 0


cdef inline void sum_position(
    Network network, const Position* position, const Geometry* geometry, const uint32_t* cells, const int* rows,
    int32_t* sums,
) noexcept nogil:
    """Write the sums of the first layer."""
    cdef int turn = position.ply & 1
    cdef const int16_t* lines = &network.lines[0]
    cdef int16_t part[HIDDEN + CONTEXT]     # of up to FULL rows
    cdef int added = 0
    cdef int top = 0
    cdef int i, line, column, row
    for i in range(HIDDEN + CONTEXT):
        sums[i] = network.bias[i]
        part[i] = 0
    for column in range(geometry.width):
        top = max(top, rows[column])
    for line in range(network.ends[top]):   # of those higher up none holds a disc
        row = line_row(network, cells, line, turn)
        if row >= 0 and row >> 8 != (network.kinds[line] ^ turn) * 3:
            add(part, lines, row, HIDDEN + CONTEXT)
            added += 1
            if added == FULL:
                flush(sums, part)
                added = 0
    flush(sums, part)
    for column in range(geometry.width):
        if rows[column] < geometry.height:
            row = column_row(network, position, geometry, column, rows[column])
            add(part, &network.columns[0], row, HIDDEN + CONTEXT)
    flush(sums, part)


cdef inline int32_t clip(int32_t number) noexcept nogil:
    """A number of a layer from its sum."""
    return min(max(number, 0), MAX_NUMBER)


cdef inline int32_t value_of_sums(Network network, const int32_t* sums) noexcept nogil:
    """The value, in steps of 2**-12 before the sigmoid."""
    cdef const int16_t* second = &network.second[0]
    cdef int32_t value = network.value_bias[0]
    cdef int16_t clipped[HIDDEN]    # products of 16 bits take one instruction for eight
    cdef int32_t total
    cdef int i, j
    for i in range(HIDDEN):
        clipped[i] = <int16_t>clip(sums[i])
    for j in range(SECOND):
        total = network.second_bias[j]
        for i in range(HIDDEN):
            total += <int32_t>second[j * HIDDEN + i] * clipped[i]
        value += network.value[j] * clip(total >> UNIT_BITS)
    return value


cdef inline void sum_lines_through(
    Network network, const uint32_t* cells, int cell, int turn, const int16_t* table, int16_t* sums,
) noexcept nogil:
    """Add the rows of the lines through a cell."""
    cdef int i, row
    for i in range(network.starts[cell], network.starts[cell + 1]):
        row = line_row(network, cells, network.through_cell[i], turn)
        if row >= 0:
            add(sums, table, row, CONTEXT)


cdef inline int32_t logit_of_move(
    Network network, const Position* position, const Geometry* geometry, const uint32_t* cells, const int* rows,
    int column, const int32_t* context,
) noexcept nogil:
    """The logit of a move into an open column, in steps of 2**-12."""
    cdef int16_t sums[CONTEXT]      # of at most 33 rows
    cdef int turn = position.ply & 1
    cdef int cell = column * geometry.height + rows[column]
    cdef int32_t logit = 0
    cdef int i
    for i in range(CONTEXT):
        sums[i] = 0
    sum_lines_through(network, cells, cell, turn, &network.through[0], sums)
    if rows[column] + 1 < geometry.height:
        sum_lines_through(network, cells, cell + 1, turn, &network.above[0], sums)
    add(sums, &network.landing[0], column_row(network, position, geometry, column, rows[column]), CONTEXT)
    for i in range(CONTEXT):
        logit += network.move[i] * clip(context[i] + sums[i])
    return logit


cdef inline double sigmoid(int32_t value) noexcept nogil:
    """The value in [0, 1], of one in steps of 2**-12."""
    cdef int index = min((value if value >= 0 else -value) >> EXP_BITS, EXP_SIZE - 1)
    return 1.0 / (1.0 + EXP[index]) if value >= 0 else EXP[index] / (1.0 + EXP[index])


cdef double evaluate_value(Network network, const Position* position, const Geometry* geometry) noexcept nogil:
    """The value of a position, in [0, 1] for the player to move. The position must have its threats."""
    cdef uint32_t cells[MAX_SIDE * MAX_SIDE]
    cdef int rows[MAX_SIDE]
    cdef int32_t sums[HIDDEN + CONTEXT]
    read_cells(position, geometry, cells, rows)
    sum_position(network, position, geometry, cells, rows, sums)
    return sigmoid(value_of_sums(network, sums))


cdef double evaluate_moves(
    Network network, const Position* position, const Geometry* geometry, double* priors,
) noexcept nogil:
    """Write the prior of every column; 0 for full ones. Returns the value. The position must have its threats."""
    cdef uint32_t cells[MAX_SIDE * MAX_SIDE]
    cdef int rows[MAX_SIDE]
    cdef int32_t sums[HIDDEN + CONTEXT]
    cdef int32_t logits[MAX_SIDE]
    cdef int32_t highest = -0x7FFFFFFF
    cdef double total = 0.0
    cdef int column
    read_cells(position, geometry, cells, rows)
    sum_position(network, position, geometry, cells, rows, sums)
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            logits[column] = logit_of_move(network, position, geometry, cells, rows, column, &sums[HIDDEN])
            highest = max(highest, logits[column])
    for column in range(geometry.width):
        priors[column] = 0.0
        if is_open(position, geometry, column):
            priors[column] = EXP[min(highest - logits[column] >> EXP_BITS, EXP_SIZE - 1)]
            total += priors[column]
    for column in range(geometry.width):
        priors[column] /= total
    return sigmoid(value_of_sums(network, sums))


cdef int evaluate_board(Network network, own, mask, double* value, double* priors) except -1:
    """Network.evaluate, which returns what this writes."""
    cdef AnyPosition position
    cdef const Geometry* geometry = &network.geometry
    if geometry.kernel == STANDARD:
        load(&position.standard, geometry, own, mask)
        find_threats(&position.standard, geometry)
        value[0] = evaluate_moves(network, &position.standard, geometry, priors)
    elif geometry.kernel == BITS:
        load(&position.bits, geometry, own, mask)
        find_threats(&position.bits, geometry)
        value[0] = evaluate_moves(network, &position.bits, geometry, priors)
    else:
        load(&position.lines, geometry, own, mask)
        find_threats(&position.lines, geometry)
        value[0] = evaluate_moves(network, &position.lines, geometry, priors)
    return 0


cdef list features_of(Network network, const Position* position, const Geometry* geometry):
    """Network.features for one kernel."""
    cdef uint32_t cells[MAX_SIDE * MAX_SIDE]
    cdef int rows[MAX_SIDE]
    cdef int turn = position.ply & 1
    cdef int column, cell, row, line, i
    cdef list first = [], moves = [], move
    read_cells(position, geometry, cells, rows)
    for line in range(network.count):
        row = line_row(network, cells, line, turn)
        if row >= 0 and row >> 8 != (network.kinds[line] ^ turn) * 3:
            first.append(row)
    for column in range(geometry.width):
        if rows[column] == geometry.height:
            continue
        cell = column * geometry.height + rows[column]
        first.append(LINE_ROWS + column_row(network, position, geometry, column, rows[column]))
        move = []
        for i in range(network.starts[cell], network.starts[cell + 1]):
            row = line_row(network, cells, network.through_cell[i], turn)
            if row >= 0:
                move.append(row)
        if rows[column] + 1 < geometry.height:
            for i in range(network.starts[cell + 1], network.starts[cell + 2]):
                row = line_row(network, cells, network.through_cell[i], turn)
                if row >= 0:
                    move.append(LINE_ROWS + row)
        move.append(2 * LINE_ROWS + column_row(network, position, geometry, column, rows[column]))
        moves.append(move)
    return [first, moves]


cdef void find_lines(Network network, const Geometry* geometry):
    """List the lines of four of a board: four cells each, column * height + row; their direction and parity.

    Those with the lowest cells come first.
    """
    cdef int kind, right, up, column, row, i
    cdef list cells = [], kinds = [], ends = []
    for row in range(geometry.height):
        ends.append(network.count)
        for kind, (right, up) in enumerate(((1, 0), (0, 1), (1, 1), (-1, 1))):
            for column in range(geometry.width):
                if 0 <= column + 3 * right < geometry.width and row + 3 * up < geometry.height:
                    for i in range(4):
                        cells.append((column + i * right) * geometry.height + row + i * up)
                    # both diagonals are one kind: each is read from its lowest cell
                    kinds.append(2 * min(kind, 2) + (network.parity + row & 1))
                    network.count += 1
    network.ends = np.array([*ends, network.count], np.int32)
    network.cells = np.array(cells, np.uint16)
    network.kinds = np.array(kinds, np.uint8)


cdef void index_lines(Network network, const Geometry* geometry):
    """List the lines through each cell."""
    cdef list through = [[] for _ in range(geometry.cells)]
    cdef int i
    for i in range(4 * network.count):
        through[network.cells[i]].append(i // 4)
    network.starts = np.concatenate([[0], np.cumsum([len(lines) for lines in through])]).astype(np.int32)
    network.through_cell = np.array([line for lines in through for line in lines], np.uint16)


cdef class Network:

    def __cinit__(self, rules, weights):
        """rules: with lines of four. weights: checked, by name, flat: see _layout.NETWORK_ARRAYS."""
        self.rules = rules
        self.geometry = geometry_of(rules)
        self.parity = (self.geometry.width - 1) * self.geometry.height & 1
        find_lines(self, &self.geometry)
        index_lines(self, &self.geometry)
        self.lines = np.array(weights["lines"], np.int16)
        self.columns = np.array(weights["columns"], np.int16)
        self.bias = np.array(weights["bias"], np.int32)
        self.second = np.array(weights["second"], np.int16)
        self.second_bias = np.array(weights["second_bias"], np.int32)
        self.value = np.array(weights["value"], np.int16)
        self.value_bias = np.array(weights["value_bias"], np.int32)
        self.through = np.array(weights["through"], np.int16)
        self.above = np.array(weights["above"], np.int16)
        self.landing = np.array(weights["landing"], np.int16)
        self.move = np.array(weights["move"], np.int16)

    def evaluate(self, own, mask):
        """The value of an unfinished position, in [0, 1] for the player to move, and the prior of every column."""
        cdef double priors[MAX_SIDE]
        cdef double value
        cdef int column
        evaluate_board(self, own, mask, &value, priors)
        return value, [priors[column] for column in range(self.geometry.width)]

    def evaluate_many(self, list own, list mask, float[:, ::1] priors, float[::1] values):
        """Evaluate unfinished positions: write the priors of each, and its value in [-1, 1], into arrays."""
        cdef double found[MAX_SIDE]
        cdef double value
        cdef Py_ssize_t i
        cdef int column
        if not len(own) == len(mask) == priors.shape[0] == values.shape[0] or priors.shape[1] != self.geometry.width:
            raise ValueError("the arrays do not fit the positions")
        for i in range(len(own)):
            evaluate_board(self, own[i], mask[i], &value, found)
            values[i] = <float>(2.0 * value - 1.0)
            for column in range(self.geometry.width):
                priors[i, column] = <float>found[column]

    def features(self, own, mask):
        """The rows that the sums of a position add up, for training.

        Those of the position: lines, and LINE_ROWS + columns. For each open column: lines through its cell, LINE_ROWS +
        lines through the cell above, 2 * LINE_ROWS + the column.
        """
        cdef AnyPosition position
        if self.geometry.kernel == STANDARD:
            load(&position.standard, &self.geometry, own, mask)
            find_threats(&position.standard, &self.geometry)
            return tuple(features_of(self, &position.standard, &self.geometry))
        elif self.geometry.kernel == BITS:
            load(&position.bits, &self.geometry, own, mask)
            find_threats(&position.bits, &self.geometry)
            return tuple(features_of(self, &position.bits, &self.geometry))
        load(&position.lines, &self.geometry, own, mask)
        find_threats(&position.lines, &self.geometry)
        return tuple(features_of(self, &position.lines, &self.geometry))
