"""The network; network.pxd describes it."""

import numpy as np

from c4mcts import _layout

from libc.stdint cimport uint16_t, uint64_t

from .bitboard cimport BITS, MAX_SIDE, STANDARD, AnyPosition, Standard, geometry_of, load, open_columns
from .cells cimport private_rules
from .features cimport (
    DEAD, LINE_ROWS, PARITIES, PLACES, WINDOW_ROWS, Features, LineIndex, column_row, features_of, read,
)
from .threats cimport find_threats

cdef enum:
    # as in _layout, which the import compares
    HIDDEN = 32
    SECOND = 16
    UNIT_BITS = 6
    MAX_NUMBER = 255
    EXP_BITS = 5
    EXP_SIZE = 2048
    FULL = 256          # rows of signed bytes whose sum fits 16 bits


cdef struct Row:
    # A row of a table, or a sum of a few.
    int16_t numbers[HIDDEN]


for name, number in (
    ("PARITIES", PARITIES), ("PLACES", PLACES), ("LINE_ROWS", LINE_ROWS), ("WINDOW_ROWS", WINDOW_ROWS),
    ("HIDDEN", HIDDEN), ("SECOND", SECOND), ("UNIT_BITS", UNIT_BITS), ("MAX_NUMBER", MAX_NUMBER),
    ("EXP_BITS", EXP_BITS), ("EXP_SIZE", EXP_SIZE),
):
    if getattr(_layout, name) != number:
        raise ImportError(f"{__name__} was compiled with {name} = {number}, not {getattr(_layout, name)}")

cdef const double[::1] EXP = _layout.exp_table()
cdef inline void add(Row* sums, const Row* row) noexcept nogil:
    """Add a row of a table to sums."""
    cdef Py_ssize_t i
    for i in range(HIDDEN // 2):    # in one loop of 32, GCC would add two rows at once, but without vectors
        sums.numbers[i] += row.numbers[i]
    for i in range(HIDDEN // 2, HIDDEN):
        sums.numbers[i] += row.numbers[i]


cdef inline void flush(int32_t* sums, Row* part) noexcept nogil:
    """Add a part of the sums of the first layer to them, and empty it."""
    cdef int i
    for i in range(HIDDEN):
        sums[i] += part.numbers[i]
        part.numbers[i] = 0


cdef inline void sum_position(
    Network network, const Position* position, const Geometry* geometry, const Features* features,
    const Row* lines, const Row* columns, int32_t* sums,
) noexcept nogil:
    """Add the rows of a position to the sums of the first layer."""
    cdef const uint16_t* places = &network.index.places[0]
    cdef Row part           # of up to FULL rows; the compiler keeps it in registers
    cdef int top = 0
    cdef int begin = 0
    cdef int end, line, column
    for column in range(geometry.width):
        top = max(top, features.free[column])
    end = network.index.ends[top]     # of the lines from here on none holds a disc
    part = lines[DEAD]
    while begin < end:
        for line in range(begin, min(begin + FULL, end)):
            add(&part, &lines[features.rows[places[line]]])
        flush(sums, &part)
        begin += FULL
    for column in range(geometry.width):
        if features.free[column] < geometry.height:
            add(&part, &columns[column_row(network.index, position, geometry, column, features.free[column])])
    flush(sums, &part)


cdef inline int32_t clip(int32_t number) noexcept nogil:
    """A number of a layer from its sum."""
    return min(max(number, 0), MAX_NUMBER)


cdef inline int32_t output_of(
    const int16_t* second, const int32_t* second_bias, const int16_t* last, const int32_t* sums,
) noexcept nogil:
    """The output of the two layers after the sums of the first one, in steps of 2**-12."""
    cdef int32_t output = 0
    cdef int16_t clipped[HIDDEN]    # products of 16 bits take one instruction for eight
    cdef int32_t total
    cdef int i, j
    for i in range(HIDDEN):
        clipped[i] = <int16_t>clip(sums[i])
    for j in range(SECOND):
        total = second_bias[j]
        for i in range(HIDDEN):
            total += <int32_t>second[j * HIDDEN + i] * clipped[i]
        output += last[j] * clip(total >> UNIT_BITS)
    return output


cdef inline void sum_lines_through(
    Network network, const Features* features, int cell, const Row* table, Row* sums,
) noexcept nogil:
    """Add the rows of the lines through a cell."""
    cdef const uint16_t* through = &network.index.through_cell[0]
    cdef int i
    for i in range(network.index.starts[cell], network.index.starts[cell + 1]):
        add(sums, &table[features.rows[through[i]]])


cdef inline int32_t logit_of_move(
    Network network, const Position* position, const Geometry* geometry, const Features* features, int column,
    const int32_t* context,
) noexcept nogil:
    """The logit of a move into an open column, in steps of 2**-12."""
    cdef int row = features.free[column]
    cdef int cell = column * geometry.height + row
    cdef const Row* landing = <const Row*>&network.landing[0]
    cdef Row part = landing[column_row(network.index, position, geometry, column, row)]     # of at most 33 rows
    cdef int32_t sums[HIDDEN]
    cdef int i
    sum_lines_through(network, features, cell, <const Row*>&network.through[0], &part)
    if row + 1 < geometry.height:
        sum_lines_through(network, features, cell + 1, <const Row*>&network.above[0], &part)
    for i in range(HIDDEN):
        sums[i] = context[i] + part.numbers[i]
    return output_of(&network.move_second[0], &network.move_second_bias[0], &network.move[0], sums)


cdef inline double sigmoid(int32_t value) noexcept nogil:
    """The value in [0, 1], of one in steps of 2**-12."""
    cdef int index = min((value if value >= 0 else -value) >> EXP_BITS, EXP_SIZE - 1)
    return 1.0 / (1.0 + EXP[index]) if value >= 0 else EXP[index] / (1.0 + EXP[index])


cdef inline double value_of(
    Network network, const Position* position, const Geometry* geometry, const Features* features,
) noexcept nogil:
    """The value of a position, in [0, 1] for the player to move."""
    cdef const Row* lines = <const Row*>&network.lines[0]
    cdef int32_t sums[HIDDEN]
    cdef int32_t value
    cdef int i
    for i in range(HIDDEN):
        sums[i] = network.bias[i]
    sum_position(network, position, geometry, features, lines, <const Row*>&network.columns[0], sums)
    value = output_of(&network.value_second[0], &network.value_second_bias[0], &network.value[0], sums)
    return sigmoid(network.value_bias[0] + value)


cdef inline void logits_of(
    Network network, const Position* position, const Geometry* geometry, const Features* features,
    uint64_t columns, int32_t* logits,
) noexcept nogil:
    """Write the logit of the move into each of these open columns, a bit for each."""
    cdef const Row* lines = <const Row*>&network.context_lines[0]
    cdef int32_t context[HIDDEN]
    cdef int column, i
    for i in range(HIDDEN):
        context[i] = network.bias[HIDDEN + i]
    sum_position(network, position, geometry, features, lines, <const Row*>&network.context_columns[0], context)
    for column in range(geometry.width):
        if columns >> column & 1:
            logits[column] = logit_of_move(network, position, geometry, features, column, context)


cdef inline void priors_of(
    Network network, const Position* position, const Geometry* geometry, const Features* features, double* priors,
) noexcept nogil:
    """Write the prior of every column; 0 for full ones."""
    cdef uint64_t columns = open_columns(position, geometry)
    cdef int32_t logits[MAX_SIDE]
    cdef int32_t highest = -0x7FFFFFFF
    cdef double total = 0.0
    cdef int column
    logits_of(network, position, geometry, features, columns, logits)
    for column in range(geometry.width):
        if columns >> column & 1:
            highest = max(highest, logits[column])
    for column in range(geometry.width):
        priors[column] = 0.0
        if columns >> column & 1:
            priors[column] = EXP[min(highest - logits[column] >> EXP_BITS, EXP_SIZE - 1)]
            total += priors[column]
    for column in range(geometry.width):
        priors[column] /= total


cdef double evaluate_value(Network network, const Position* position, const Geometry* geometry) noexcept nogil:
    """The value of a position, in [0, 1] for the player to move. The position must have its threats."""
    cdef Features features
    read(network.index, position, geometry, &features)
    return value_of(network, position, geometry, &features)


cdef void evaluate_moves(
    Network network, const Position* position, const Geometry* geometry, double* priors,
) noexcept nogil:
    """Write the prior of every column; 0 for full ones. The position must have its threats."""
    cdef Features features
    read(network.index, position, geometry, &features)
    priors_of(network, position, geometry, &features, priors)


cdef void evaluate_columns(
    Network network, const Standard* position, uint64_t columns, int32_t* logits,
) noexcept nogil:
    """Write the logits of the moves into open columns, in steps of 2**-12; columns: a bit for each.

    The position must have its threats.
    """
    cdef Features features
    read(network.index, position, &network.geometry, &features)
    logits_of(network, position, &network.geometry, &features, columns, logits)


cdef inline double evaluate_both(
    Network network, Position* position, const Geometry* geometry, double* priors,
) noexcept nogil:
    """Find the threats of a position; write the prior of every column and return the value."""
    cdef Features features
    find_threats(position, geometry)
    read(network.index, position, geometry, &features)
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


cdef with_dead(table):
    """The numbers of a table of lines, with zeros in the row DEAD."""
    table[DEAD] = 0
    return table.ravel()


cdef class Network:

    def __cinit__(self, rules, weights):
        """rules: with lines of four. weights: checked, by name, flat: see _layout.network_shapes."""
        self.rules = private_rules(rules)
        self.geometry = geometry_of(self.rules)
        self.index = LineIndex(self.rules, _layout.is_by_place(weights))
        lines = np.array(weights["lines"], np.int16).reshape(-1, 2 * HIDDEN)
        columns = np.array(weights["columns"], np.int16).reshape(-1, 2 * HIDDEN)
        lines[np.arange(len(lines)) // 256 % 3 == 0] = 0   # lines without discs don't count for the position
        self.lines, self.context_lines = with_dead(lines[:, :HIDDEN]), with_dead(lines[:, HIDDEN:])
        self.columns, self.context_columns = columns[:, :HIDDEN].ravel(), columns[:, HIDDEN:].ravel()
        self.through = with_dead(np.array(weights["through"], np.int16).reshape(-1, HIDDEN))
        self.above = with_dead(np.array(weights["above"], np.int16).reshape(-1, HIDDEN))
        self.landing = np.array(weights["landing"], np.int16)
        self.move_second = np.array(weights["move_second"], np.int16)
        self.move_second_bias = np.array(weights["move_second_bias"], np.int32)
        self.move = np.array(weights["move"], np.int16)
        self.bias = np.array(weights["bias"], np.int32)
        self.value_second = np.array(weights["value_second"], np.int16)
        self.value_second_bias = np.array(weights["value_second_bias"], np.int32)
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

        Of the position: lines, and LINE_ROWS + columns. For each open column: lines through its cell, LINE_ROWS +
        lines through the cell above, 2 * LINE_ROWS + the column.
        """
        cdef AnyPosition position
        if self.geometry.kernel == STANDARD:
            load(&position.standard, &self.geometry, own, mask)
            find_threats(&position.standard, &self.geometry)
            return features_of(self.index, &position.standard, &self.geometry)
        elif self.geometry.kernel == BITS:
            load(&position.bits, &self.geometry, own, mask)
            find_threats(&position.bits, &self.geometry)
            return features_of(self.index, &position.bits, &self.geometry)
        load(&position.lines, &self.geometry, own, mask)
        find_threats(&position.lines, &self.geometry)
        return features_of(self.index, &position.lines, &self.geometry)
