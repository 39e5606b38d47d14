"""The network: values of positions and priors of moves, computed in integers, so that all platforms get the same.

The rows of all features of a position (see features) are added up (Nasu, "Efficiently updatable neural-network-based
evaluation functions for computer shogi", 2018). For a move the lines through its cell, those through the cell above
and its column are added to numbers of the position. The value and the logit of a move take two layers more.
"""

from .._layout import EXP_BITS, EXP_SIZE, HIDDEN, MAX_NUMBER, NETWORK_ARRAYS, SECOND, UNIT_BITS, exp_table, is_by_place
from .bitboard import Position, load, open_columns
from .cells import geometry_of
from .features import DEAD, Features, LineIndex, column_row, counts, features_of, read
from .threats import find_threats

EXP = exp_table()


def add(sums, row):
    for i in range(len(sums)):
        sums[i] += row[i]


def sum_position(network, position, geometry, features, lines, columns, sums):
    """Add the rows of a position to the sums of the first layer."""
    for line in range(network.index.ends[max(features.free)]):  # of those higher up none holds a disc
        if counts(features.rows[line]):
            add(sums, lines[features.rows[line]])
    for column in range(geometry.width):
        if features.free[column] < geometry.height:
            add(sums, columns[column_row(network.index, position, geometry, column, features.free[column])])


def clip(number):
    """A number of a layer from its sum."""
    return min(max(number, 0), MAX_NUMBER)


def output_of(second, second_bias, last, sums):
    """The output of the two layers after the sums of the first one, in steps of 2**-12."""
    output = 0
    for j in range(SECOND):
        total = second_bias[j]
        for i in range(HIDDEN):
            total += second[j * HIDDEN + i] * clip(sums[i])
        output += last[j] * clip(total >> UNIT_BITS)
    return output


def sum_lines_through(network, features, cell, table, sums):
    """Add the rows of the lines through a cell."""
    for i in range(network.index.starts[cell], network.index.starts[cell + 1]):
        row = features.rows[network.index.through_cell[i]]
        if row != DEAD:
            add(sums, table[row])


def logit_of_move(network, position, geometry, features, column, context):
    """The logit of a move into an open column, in steps of 2**-12."""
    row = features.free[column]
    cell = column * geometry.height + row
    sums = list(context)
    add(sums, network.landing[column_row(network.index, position, geometry, column, row)])
    sum_lines_through(network, features, cell, network.through, sums)
    if row + 1 < geometry.height:
        sum_lines_through(network, features, cell + 1, network.above, sums)
    return output_of(network.move_second, network.move_second_bias, network.move, sums)


def sigmoid(value):
    """The value in [0, 1], of one in steps of 2**-12."""
    index = min(abs(value) >> EXP_BITS, EXP_SIZE - 1)
    return 1.0 / (1.0 + EXP[index]) if value >= 0 else EXP[index] / (1.0 + EXP[index])


def value_of(network, position, geometry, features):
    """The value of a position, in [0, 1] for the player to move."""
    sums = network.bias[:HIDDEN]
    sum_position(network, position, geometry, features, network.lines, network.columns, sums)
    value = output_of(network.value_second, network.value_second_bias, network.value, sums)
    return sigmoid(network.value_bias[0] + value)


def logits_of(network, position, geometry, features, columns, logits):
    """Write the logit of the move into each of these open columns, a bit for each."""
    context = network.bias[HIDDEN:]
    sum_position(network, position, geometry, features, network.context_lines, network.context_columns, context)
    for column in range(geometry.width):
        if columns >> column & 1:
            logits[column] = logit_of_move(network, position, geometry, features, column, context)


def priors_of(network, position, geometry, features, priors):
    """Write the prior of every column; 0 for full ones."""
    columns = open_columns(position, geometry)
    logits = [0] * geometry.width
    highest = -(1 << 31)
    logits_of(network, position, geometry, features, columns, logits)
    for column in range(geometry.width):
        if columns >> column & 1:
            highest = max(highest, logits[column])
    total = 0.0
    for column in range(geometry.width):
        priors[column] = 0.0
        if columns >> column & 1:
            priors[column] = EXP[min(highest - logits[column] >> EXP_BITS, EXP_SIZE - 1)]
            total += priors[column]
    for column in range(geometry.width):
        priors[column] /= total


def evaluate_value(network, position, geometry):
    """The value of a position, in [0, 1] for the player to move. The position must have its threats."""
    features = Features()
    read(network.index, position, geometry, features)
    return value_of(network, position, geometry, features)


def evaluate_moves(network, position, geometry, priors):
    """Write the prior of every column; 0 for full ones. The position must have its threats."""
    features = Features()
    read(network.index, position, geometry, features)
    priors_of(network, position, geometry, features, priors)


def evaluate_columns(network, position, columns, logits):
    """Write the logits of the moves into open columns, in steps of 2**-12; columns: a bit for each.

    The position must have its threats.
    """
    features = Features()
    read(network.index, position, network.geometry, features)
    logits_of(network, position, network.geometry, features, columns, logits)


def rows_of(numbers, begin, end, size):
    """The numbers from begin to end of each row of a table. size: of its rows."""
    return [numbers[row + begin : row + end] for row in range(0, len(numbers), size)]


class Network:
    """The weights, and the lines of the board for which they are used."""

    __slots__ = (
        *NETWORK_ARRAYS,
        "context_columns",  # the rows of columns and lines for the moves; `columns` and `lines` are for the value
        "context_lines",
        "geometry",
        "index",
        "rules",
    )

    def __init__(self, rules, weights):
        """rules: with lines of four. weights: checked, by name, flat: see _layout.network_shapes."""
        self.rules = rules
        self.geometry = geometry_of(rules)
        self.index = LineIndex(rules, is_by_place(weights))
        for name in NETWORK_ARRAYS:
            setattr(self, name, [int(number) for number in weights[name]])
        size = 2 * HIDDEN
        self.context_lines, self.context_columns = (
            rows_of(table, HIDDEN, size, size) for table in (self.lines, self.columns)
        )
        self.lines, self.columns = (rows_of(table, 0, HIDDEN, size) for table in (self.lines, self.columns))
        for name in ("through", "above", "landing"):
            setattr(self, name, rows_of(getattr(self, name), 0, HIDDEN, HIDDEN))

    def evaluate(self, own, mask):
        """The value of an unfinished position, in [0, 1] for the player to move, and the prior of every column."""
        geometry = self.geometry
        position = Position()
        priors = [0.0] * geometry.width
        load(position, geometry, own, mask)
        find_threats(position, geometry)
        features = Features()
        read(self.index, position, geometry, features)
        priors_of(self, position, geometry, features, priors)
        return value_of(self, position, geometry, features), priors

    def evaluate_many(self, own, mask, priors, values):
        """Evaluate unfinished positions: write the priors of each, and its value in [-1, 1], into arrays."""
        if not len(own) == len(mask) == priors.shape[0] == values.shape[0] or priors.shape[1] != self.geometry.width:
            raise ValueError("the arrays do not fit the positions")
        for i in range(len(own)):
            value, found = self.evaluate(own[i], mask[i])
            values[i] = 2.0 * value - 1.0
            for column in range(self.geometry.width):
                priors[i, column] = found[column]

    def features(self, own, mask):
        """The rows that the sums of a position add up, for training.

        Of the position: lines, and LINE_ROWS + columns. For each open column: lines through its cell, LINE_ROWS +
        lines through the cell above, 2 * LINE_ROWS + the column.
        """
        position = Position()
        load(position, self.geometry, own, mask)
        find_threats(position, self.geometry)
        return features_of(self.index, position, self.geometry)
