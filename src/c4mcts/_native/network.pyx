"""The network; network.pxd describes it."""

import numpy as np

from c4mcts import _layout

from libc.stdint cimport uint64_t

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
    OWN = 1 << 8        # in the number of a cell: a disc of the player to move
    OTHER = 1 << 9      # a disc of the other player
    OWN_CELLS = OWN * 0x55      # of the four cells of a line
    OTHER_CELLS = OTHER * 0x55
    DEAD = LINE_ROWS    # a row of zeros, for lines with discs of both players
    FULL = 256          # rows of signed bytes whose sum fits 16 bits


cdef struct Hidden:
    # A row of the tables for the value.
    int16_t numbers[HIDDEN]


cdef struct Context:
    # A row of the tables for the moves.
    int16_t numbers[CONTEXT]


ctypedef fused Row:
    Hidden
    Context


cdef struct Features:
    # What the network sees of a position.
    uint16_t cells[MAX_SIDE * MAX_SIDE]     # a number for each
    int free[MAX_SIDE]                      # by column: the lowest row without a disc
    uint16_t rows[4 * MAX_SIDE * MAX_SIDE]  # by line, at Network.places: its row in the tables


cdef const double[::1] EXP = _layout.exp_table()
# numbers of cells without discs, from MAX_SIDE on, by their distance from the free one
cdef const uint16_t[::1] STATES = np.array([0] * MAX_SIDE + [1, 2] + [3] * (MAX_SIDE - 2), np.uint16)
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))  # columns and rows from a cell of a line to the next


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


cdef inline void read_cells(const Position* position, const Geometry* geometry, Features* features) noexcept nogil:
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
        states = &STATES[MAX_SIDE - row]
        for i in range(height):
            cells[i] = states[i]
        for i in range(row):
            cells[i] = OWN if own >> i & 1 else OTHER
        cells += height


cdef inline void find_rows(Network network, int turn, Features* features) noexcept nogil:
    """Write the row of each line in the tables. turn: of the player to move, 0 or 1.

    Of each line that a cell may begin, in order to do the same for eight cells at once; those that leave the board are
    not in Network.places.
    """
    cdef int cells = network.geometry.cells
    cdef const uint16_t* numbers = features.cells
    cdef const uint16_t* blocks
    cdef uint16_t* rows
    cdef uint16_t number, own, other, row
    cdef int direction
    cdef Py_ssize_t step, i     # of 32 bits, they might wrap around in builds with -fwrapv: no vectors
    for direction in range(4):
        step = network.steps[direction]
        rows = features.rows + direction * cells
        blocks = &network.blocks[(4 * turn + direction) * cells]
        for i in range(network.firsts[direction], network.lasts[direction] + 1):
            number = <uint16_t>(
                numbers[i] + (numbers[i + step] << 2) + (numbers[i + 2 * step] << 4) + (numbers[i + 3 * step] << 6)
            )
            own = number & OWN_CELLS
            other = number & OTHER_CELLS
            row = <uint16_t>(blocks[i] + (256 if own else 0) + (512 if other else 0) + (number & 255))
            rows[i] = DEAD if (own != 0) & (other != 0) else row


cdef inline void read(
    Network network, const Position* position, const Geometry* geometry, Features* features,
) noexcept nogil:
    """Write what the network sees of a position."""
    read_cells(position, geometry, features)
    find_rows(network, position.ply & 1, features)


cdef inline int column_row(
    Network network, const Position* position, const Geometry* geometry, int column, int row,
) noexcept nogil:
    """The row of a column in the tables. row: the free one."""
    cdef int turn = position.ply & 1
    cdef int parity = network.parity + row + turn & 1
    cdef int own = threats_from(position, geometry, turn, column, row)
    cdef int other = threats_from(position, geometry, 1 - turn, column, row)
    return (parity << WINDOW_ROWS | own) << WINDOW_ROWS | other


cdef inline void add(Row* sums, const Row* row) noexcept nogil:
    """Add a row of a table to sums."""
    cdef Py_ssize_t i
    for i in range(CONTEXT):
        sums.numbers[i] += row.numbers[i]
    if Row is Hidden:   # in one loop of 32, GCC would add two rows at once, but without vectors
        for i in range(CONTEXT, HIDDEN):
            sums.numbers[i] += row.numbers[i]


cdef inline void flush(int32_t* sums, Row* part) noexcept nogil:
    """Add a part of the sums of the first layer to them, and empty it."""
    cdef int i
    for i in range(<int>(sizeof(Row) / sizeof(int16_t))):
        sums[i] += part.numbers[i]
        part.numbers[i] = 0


cdef inline void sum_position(
    Network network, const Position* position, const Geometry* geometry, const Features* features,
    const Row* lines, const Row* columns, int32_t* sums,
) noexcept nogil:
    """Add the rows of a position to the sums of the first layer."""
    cdef const uint16_t* places = &network.places[0]
    cdef Row part           # of up to FULL rows; the compiler keeps it in registers
    cdef int top = 0
    cdef int begin = 0
    cdef int end, line, column
    for column in range(geometry.width):
        top = max(top, features.free[column])
    end = network.ends[top]     # of the lines from here on none holds a disc
    part = lines[DEAD]
    while begin < end:
        for line in range(begin, min(begin + FULL, end)):
            add(&part, &lines[features.rows[places[line]]])
        flush(sums, &part)
        begin += FULL
    for column in range(geometry.width):
        if features.free[column] < geometry.height:
            add(&part, &columns[column_row(network, position, geometry, column, features.free[column])])
    flush(sums, &part)


cdef inline bint counts(int row) noexcept nogil:
    """Whether a line counts for the position: whether it holds discs, all of one player."""
    return row != DEAD and (row >> 8) % 3 != 0


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
    Network network, const Features* features, int cell, const Context* table, Context* sums,
) noexcept nogil:
    """Add the rows of the lines through a cell."""
    cdef const uint16_t* through = &network.through_cell[0]
    cdef int i
    for i in range(network.starts[cell], network.starts[cell + 1]):
        add(sums, &table[features.rows[through[i]]])


cdef inline int32_t logit_of_move(
    Network network, const Position* position, const Geometry* geometry, const Features* features, int column,
    const int32_t* context,
) noexcept nogil:
    """The logit of a move into an open column, in steps of 2**-12."""
    cdef int row = features.free[column]
    cdef int cell = column * geometry.height + row
    cdef const Context* landing = <const Context*>&network.landing[0]
    cdef Context sums = landing[column_row(network, position, geometry, column, row)]   # of at most 33 rows
    cdef const int16_t* move = &network.move[0]
    cdef int16_t clipped[CONTEXT]
    cdef int32_t logit = 0
    cdef int i
    sum_lines_through(network, features, cell, <const Context*>&network.through[0], &sums)
    if row + 1 < geometry.height:
        sum_lines_through(network, features, cell + 1, <const Context*>&network.above[0], &sums)
    for i in range(CONTEXT):
        clipped[i] = <int16_t>clip(context[i] + sums.numbers[i])
    for i in range(CONTEXT):
        logit += <int32_t>move[i] * clipped[i]
    return logit


cdef inline double sigmoid(int32_t value) noexcept nogil:
    """The value in [0, 1], of one in steps of 2**-12."""
    cdef int index = min((value if value >= 0 else -value) >> EXP_BITS, EXP_SIZE - 1)
    return 1.0 / (1.0 + EXP[index]) if value >= 0 else EXP[index] / (1.0 + EXP[index])


cdef inline double value_of(
    Network network, const Position* position, const Geometry* geometry, const Features* features,
) noexcept nogil:
    """The value of a position, in [0, 1] for the player to move."""
    cdef const Hidden* lines = <const Hidden*>&network.lines[0]
    cdef int32_t sums[HIDDEN]
    cdef int i
    for i in range(HIDDEN):
        sums[i] = network.bias[i]
    sum_position(network, position, geometry, features, lines, <const Hidden*>&network.columns[0], sums)
    return sigmoid(value_of_sums(network, sums))


cdef inline void priors_of(
    Network network, const Position* position, const Geometry* geometry, const Features* features, double* priors,
) noexcept nogil:
    """Write the prior of every column; 0 for full ones."""
    cdef const Context* lines = <const Context*>&network.context_lines[0]
    cdef int32_t context[CONTEXT]
    cdef int32_t logits[MAX_SIDE]
    cdef int32_t highest = -0x7FFFFFFF
    cdef double total = 0.0
    cdef int column, i
    for i in range(CONTEXT):
        context[i] = network.bias[HIDDEN + i]
    sum_position(network, position, geometry, features, lines, <const Context*>&network.context_columns[0], context)
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            logits[column] = logit_of_move(network, position, geometry, features, column, context)
            highest = max(highest, logits[column])
    for column in range(geometry.width):
        priors[column] = 0.0
        if is_open(position, geometry, column):
            priors[column] = EXP[min(highest - logits[column] >> EXP_BITS, EXP_SIZE - 1)]
            total += priors[column]
    for column in range(geometry.width):
        priors[column] /= total


cdef double evaluate_value(Network network, const Position* position, const Geometry* geometry) noexcept nogil:
    """The value of a position, in [0, 1] for the player to move. The position must have its threats."""
    cdef Features features
    read(network, position, geometry, &features)
    return value_of(network, position, geometry, &features)


cdef void evaluate_moves(
    Network network, const Position* position, const Geometry* geometry, double* priors,
) noexcept nogil:
    """Write the prior of every column; 0 for full ones. The position must have its threats."""
    cdef Features features
    read(network, position, geometry, &features)
    priors_of(network, position, geometry, &features, priors)


cdef inline double evaluate_both(
    Network network, Position* position, const Geometry* geometry, double* priors,
) noexcept nogil:
    """Find the threats of a position; write the prior of every column and return the value."""
    cdef Features features
    find_threats(position, geometry)
    read(network, position, geometry, &features)
    priors_of(network, position, geometry, &features, priors)
    return value_of(network, position, geometry, &features)


cdef int evaluate_board(Network network, own, mask, double* value, double* priors) except -1:
    """Network.evaluate, which returns what this writes."""
    cdef AnyPosition position
    cdef const Geometry* geometry = &network.geometry
    if geometry.kernel == STANDARD:
        load(&position.standard, geometry, own, mask)
        value[0] = evaluate_both(network, &position.standard, geometry, priors)
    elif geometry.kernel == BITS:
        load(&position.bits, geometry, own, mask)
        value[0] = evaluate_both(network, &position.bits, geometry, priors)
    else:
        load(&position.lines, geometry, own, mask)
        value[0] = evaluate_both(network, &position.lines, geometry, priors)
    return 0


cdef list rows_through(Network network, const Features* features, int cell):
    """The rows of the lines through a cell."""
    cdef int i
    return [
        features.rows[network.through_cell[i]]
        for i in range(network.starts[cell], network.starts[cell + 1])
        if features.rows[network.through_cell[i]] != DEAD
    ]


cdef tuple features_of(Network network, const Position* position, const Geometry* geometry):
    """Network.features for one kernel."""
    cdef Features features
    cdef int column, cell, row, line
    cdef list first = [], moves = [], move
    read(network, position, geometry, &features)
    for line in range(network.count):
        row = features.rows[network.places[line]]
        if counts(row):
            first.append(row)
    for column in range(geometry.width):
        if features.free[column] == geometry.height:
            continue
        cell = column * geometry.height + features.free[column]
        row = column_row(network, position, geometry, column, features.free[column])
        first.append(LINE_ROWS + row)
        move = rows_through(network, &features, cell)
        if features.free[column] + 1 < geometry.height:
            move += [LINE_ROWS + row_above for row_above in rows_through(network, &features, cell + 1)]
        move.append(2 * LINE_ROWS + row)
        moves.append(move)
    return first, moves


cdef void find_lines(Network network, const Geometry* geometry):
    """List the lines of four of a board, those with the lowest cells first."""
    cdef int kind, right, up, column, row, turn, i
    cdef list places = [], ends = [], blocks = []
    for kind, (right, up) in enumerate(DIRECTIONS):
        network.steps[kind] = right * geometry.height + up
        network.firsts[kind] = geometry.cells
        network.lasts[kind] = -1
    for row in range(geometry.height):
        ends.append(len(places))
        for kind, (right, up) in enumerate(DIRECTIONS):
            for column in range(geometry.width):
                if 0 <= column + 3 * right < geometry.width and row + 3 * up < geometry.height:
                    i = column * geometry.height + row
                    network.firsts[kind] = min(network.firsts[kind], i)
                    network.lasts[kind] = max(network.lasts[kind], i)
                    places.append(kind * geometry.cells + i)
    for turn in range(2):
        for kind in range(4):
            for i in range(geometry.cells):
                # both diagonals are one kind: each is read from its lowest cell
                row = i % geometry.height
                blocks.append((2 * min(kind, 2) + (network.parity + row + turn & 1)) * 3 << 8)
    network.count = len(places)
    network.ends = np.array([*ends, network.count], np.int32)
    network.places = np.array([*places, 0], np.uint16)      # not empty on boards without lines either
    network.blocks = np.array(blocks, np.uint16)


cdef void index_lines(Network network, const Geometry* geometry):
    """List the lines through each cell."""
    cdef list through = [[] for _ in range(geometry.cells)]
    cdef int place, cell, i
    for place in network.places[:network.count]:
        cell = place % geometry.cells
        for i in range(4):
            through[cell + i * network.steps[place // geometry.cells]].append(place)
    network.starts = np.concatenate([[0], np.cumsum([len(lines) for lines in through])]).astype(np.int32)
    network.through_cell = np.array([place for lines in through for place in lines] + [0], np.uint16)


cdef with_dead(table):
    """The numbers of a table, and those of the row DEAD."""
    return np.concatenate([table.ravel(), np.zeros(table.shape[1], np.int16)])


cdef class Network:

    def __cinit__(self, rules, weights):
        """rules: with lines of four. weights: checked, by name, flat: see _layout.NETWORK_ARRAYS."""
        self.rules = rules
        self.geometry = geometry_of(rules)
        self.parity = (self.geometry.width - 1) * self.geometry.height & 1
        find_lines(self, &self.geometry)
        index_lines(self, &self.geometry)
        lines = np.array(weights["lines"], np.int16).reshape(-1, HIDDEN + CONTEXT)
        columns = np.array(weights["columns"], np.int16).reshape(-1, HIDDEN + CONTEXT)
        lines[np.arange(LINE_ROWS) // 256 % 3 == 0] = 0   # lines without discs don't count for the position
        self.lines, self.context_lines = with_dead(lines[:, :HIDDEN]), with_dead(lines[:, HIDDEN:])
        self.columns, self.context_columns = columns[:, :HIDDEN].ravel(), columns[:, HIDDEN:].ravel()
        self.through = with_dead(np.array(weights["through"], np.int16).reshape(-1, CONTEXT))
        self.above = with_dead(np.array(weights["above"], np.int16).reshape(-1, CONTEXT))
        self.landing = np.array(weights["landing"], np.int16)
        self.move = np.array(weights["move"], np.int16)
        self.bias = np.array(weights["bias"], np.int32)
        self.second = np.array(weights["second"], np.int16)
        self.second_bias = np.array(weights["second_bias"], np.int32)
        self.value = np.array(weights["value"], np.int16)
        self.value_bias = np.array(weights["value_bias"], np.int32)

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
            return features_of(self, &position.standard, &self.geometry)
        elif self.geometry.kernel == BITS:
            load(&position.bits, &self.geometry, own, mask)
            find_threats(&position.bits, &self.geometry)
            return features_of(self, &position.bits, &self.geometry)
        load(&position.lines, &self.geometry, own, mask)
        find_threats(&position.lines, &self.geometry)
        return features_of(self, &position.lines, &self.geometry)
