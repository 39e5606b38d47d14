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

from .._layout import (
    CONTEXT,
    EXP_BITS,
    EXP_SIZE,
    HIDDEN,
    LINE_ROWS,
    MAX_NUMBER,
    NETWORK_ARRAYS,
    SECOND,
    UNIT_BITS,
    WINDOW_ROWS,
    exp_table,
)
from .bitboard import Position, is_open, load
from .cells import geometry_of
from .threats import find_threats

OWN = 1 << 8  # in the number of a cell: a disc of the player to move
OTHER = 1 << 9  # a disc of the other player
OWN_CELLS = OWN * 0x55  # of the four cells of a line
OTHER_CELLS = OTHER * 0x55
DEAD = LINE_ROWS  # the row of lines with discs of both players, which count nowhere
EXP = exp_table()


def own_discs(position, geometry, column):
    """Discs of the player to move in a column; bit = row."""
    return position.own >> column * (geometry.height + 1) & (1 << geometry.height) - 1


def discs(position, geometry, column):
    """All discs in a column; bit = row."""
    return position.mask >> column * (geometry.height + 1) & (1 << geometry.height) - 1


def threats_from(position, geometry, player, column, row):
    """Threats of a player in the next WINDOW_ROWS cells of a column, the one in this row first."""
    window = position.threats[player] >> column * (geometry.height + 1) & (1 << geometry.height) - 1
    return window >> row & (1 << WINDOW_ROWS) - 1


class Features:
    """What the network sees of a position."""

    __slots__ = (
        "cells",  # a number for each
        "free",  # by column: the lowest row without a disc
        "rows",  # by line: its row in the tables
    )


def read_cells(position, geometry, features):
    """Write a number for each cell, and the free row of each column.

    0 in the lowest two bits of a disc; 1 for a cell that can be played, 2 for the one above it, 3 for all others.
    """
    features.cells, features.free = [], []
    for column in range(geometry.width):
        own = own_discs(position, geometry, column)
        mask = discs(position, geometry, column)
        row = mask.bit_count()
        features.free.append(row)
        for i in range(row):
            features.cells.append(OWN if own >> i & 1 else OTHER)
        for i in range(row, geometry.height):
            features.cells.append(min(i - row, 2) + 1)


def find_rows(network, turn, features):
    """Write the row of each line in the tables. turn: of the player to move, 0 or 1."""
    features.rows = []
    for line in range(network.count):
        number = 0
        for i in range(4):
            number += features.cells[network.cells[4 * line + i]] << 2 * i
        who = (1 if number & OWN_CELLS else 0) + (2 if number & OTHER_CELLS else 0)
        row = ((network.kinds[line] ^ turn) * 3 + who << 8) + (number & 255)
        features.rows.append(DEAD if who == 3 else row)


def read(network, position, geometry, features):
    """Write what the network sees of a position."""
    read_cells(position, geometry, features)
    find_rows(network, position.ply & 1, features)


def column_row(network, position, geometry, column, row):
    """The row of a column in the tables. row: the free one."""
    turn = position.ply & 1
    parity = network.parity + row + turn & 1
    own = threats_from(position, geometry, turn, column, row)
    other = threats_from(position, geometry, 1 - turn, column, row)
    return (parity << WINDOW_ROWS | own) << WINDOW_ROWS | other


def add(sums, row):
    """Add a row of a table to sums."""
    for i in range(len(sums)):
        sums[i] += row[i]


def sum_position(network, position, geometry, features, lines, columns, sums):
    """Add the rows of a position to the sums of the first layer."""
    for line in range(network.ends[max(features.free)]):  # of those higher up none holds a disc
        if counts(features.rows[line]):
            add(sums, lines[features.rows[line]])
    for column in range(geometry.width):
        if features.free[column] < geometry.height:
            add(sums, columns[column_row(network, position, geometry, column, features.free[column])])


def counts(row):
    """Whether a line counts for the position: whether it holds discs, all of one player."""
    return row != DEAD and (row >> 8) % 3 != 0


def clip(number):
    """A number of a layer from its sum."""
    return min(max(number, 0), MAX_NUMBER)


def value_of_sums(network, sums):
    """The value, in steps of 2**-12 before the sigmoid."""
    value = network.value_bias[0]
    for j in range(SECOND):
        total = network.second_bias[j]
        for i in range(HIDDEN):
            total += network.second[j * HIDDEN + i] * clip(sums[i])
        value += network.value[j] * clip(total >> UNIT_BITS)
    return value


def sum_lines_through(network, features, cell, table, sums):
    """Add the rows of the lines through a cell."""
    for i in range(network.starts[cell], network.starts[cell + 1]):
        row = features.rows[network.through_cell[i]]
        if row != DEAD:
            add(sums, table[row])


def logit_of_move(network, position, geometry, features, column, context):
    """The logit of a move into an open column, in steps of 2**-12."""
    row = features.free[column]
    cell = column * geometry.height + row
    sums = list(network.landing[column_row(network, position, geometry, column, row)])
    sum_lines_through(network, features, cell, network.through, sums)
    if row + 1 < geometry.height:
        sum_lines_through(network, features, cell + 1, network.above, sums)
    logit = 0
    for i in range(CONTEXT):
        logit += network.move[i] * clip(context[i] + sums[i])
    return logit


def sigmoid(value):
    """The value in [0, 1], of one in steps of 2**-12."""
    index = min(abs(value) >> EXP_BITS, EXP_SIZE - 1)
    return 1.0 / (1.0 + EXP[index]) if value >= 0 else EXP[index] / (1.0 + EXP[index])


def value_of(network, position, geometry, features):
    """The value of a position, in [0, 1] for the player to move."""
    sums = network.bias[:HIDDEN]
    sum_position(network, position, geometry, features, network.lines, network.columns, sums)
    return sigmoid(value_of_sums(network, sums))


def priors_of(network, position, geometry, features, priors):
    """Write the prior of every column; 0 for full ones."""
    context = network.bias[HIDDEN:]
    sum_position(network, position, geometry, features, network.context_lines, network.context_columns, context)
    logits = [0] * geometry.width
    highest = -(1 << 31)
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            logits[column] = logit_of_move(network, position, geometry, features, column, context)
            highest = max(highest, logits[column])
    total = 0.0
    for column in range(geometry.width):
        priors[column] = 0.0
        if is_open(position, geometry, column):
            priors[column] = EXP[min(highest - logits[column] >> EXP_BITS, EXP_SIZE - 1)]
            total += priors[column]
    for column in range(geometry.width):
        priors[column] /= total


def evaluate_value(network, position, geometry):
    """The value of a position, in [0, 1] for the player to move. The position must have its threats."""
    features = Features()
    read(network, position, geometry, features)
    return value_of(network, position, geometry, features)


def evaluate_moves(network, position, geometry, priors):
    """Write the prior of every column; 0 for full ones. The position must have its threats."""
    features = Features()
    read(network, position, geometry, features)
    priors_of(network, position, geometry, features, priors)


def rows_through(network, features, cell):
    """The rows of the lines through a cell."""
    rows = [features.rows[network.through_cell[i]] for i in range(network.starts[cell], network.starts[cell + 1])]
    return [row for row in rows if row != DEAD]


def find_lines(network, geometry):
    """List the lines of four of a board: four cells each, column * height + row; their direction and parity.

    Those with the lowest cells come first.
    """
    for row in range(geometry.height):
        network.ends.append(network.count)
        for kind, (right, up) in enumerate(((1, 0), (0, 1), (1, 1), (-1, 1))):
            for column in range(geometry.width):
                if 0 <= column + 3 * right < geometry.width and row + 3 * up < geometry.height:
                    for i in range(4):
                        network.cells.append((column + i * right) * geometry.height + row + i * up)
                    # both diagonals are one kind: each is read from its lowest cell
                    network.kinds.append(2 * min(kind, 2) + (network.parity + row & 1))
                    network.count += 1
    network.ends.append(network.count)


def index_lines(network, geometry):
    """List the lines through each cell."""
    through = [[] for _ in range(geometry.cells)]
    for i, cell in enumerate(network.cells):
        through[cell].append(i // 4)
    network.starts.append(0)
    for lines in through:
        network.through_cell.extend(lines)
        network.starts.append(len(network.through_cell))


def rows_of(numbers, begin, end, size):
    """The numbers from begin to end of each row of a table. size: of its rows."""
    return [numbers[row + begin : row + end] for row in range(0, len(numbers), size)]


class Network:
    """The weights, and the lines of the board for which they are used."""

    __slots__ = (
        *NETWORK_ARRAYS,
        "cells",  # by line: its four cells, column * height + row; the lowest lines first
        "context_columns",  # the rows of columns and lines for the moves; `columns` and `lines` are for the value
        "context_lines",
        "count",  # of lines
        "ends",  # by row: lines whose lowest cell is below it
        "geometry",
        "kinds",  # by line: direction and parity
        "parity",  # of the bottom cells
        "rules",
        "starts",  # by cell: where its lines begin in through_cell; at the end their number
        "through_cell",  # lines through the cells
    )

    def __init__(self, rules, weights):
        """rules: with lines of four. weights: checked, by name, flat: see _layout.NETWORK_ARRAYS."""
        self.rules = rules
        self.geometry = geometry_of(rules)
        self.parity = (self.geometry.width - 1) * self.geometry.height & 1
        self.cells = []
        self.kinds = []
        self.count = 0
        self.ends = []
        self.starts = []
        self.through_cell = []
        find_lines(self, self.geometry)
        index_lines(self, self.geometry)
        for name in NETWORK_ARRAYS:
            setattr(self, name, [int(number) for number in weights[name]])
        size = HIDDEN + CONTEXT
        self.context_lines, self.context_columns = (
            rows_of(table, HIDDEN, size, size) for table in (self.lines, self.columns)
        )
        self.lines, self.columns = (rows_of(table, 0, HIDDEN, size) for table in (self.lines, self.columns))
        for name in ("through", "above", "landing"):
            setattr(self, name, rows_of(getattr(self, name), 0, CONTEXT, CONTEXT))

    def evaluate(self, own, mask):
        """The value of an unfinished position, in [0, 1] for the player to move, and the prior of every column."""
        geometry = self.geometry
        position = Position()
        priors = [0.0] * geometry.width
        load(position, geometry, own, mask)
        find_threats(position, geometry)
        features = Features()
        read(self, position, geometry, features)
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

        Those of the position: lines, and LINE_ROWS + columns. For each open column: lines through its cell, LINE_ROWS +
        lines through the cell above, 2 * LINE_ROWS + the column.
        """
        geometry = self.geometry
        position = Position()
        load(position, geometry, own, mask)
        find_threats(position, geometry)
        features = Features()
        read(self, position, geometry, features)
        first = [row for row in features.rows if counts(row)]
        moves = []
        for column in range(geometry.width):
            if features.free[column] == geometry.height:
                continue
            cell = column * geometry.height + features.free[column]
            row = column_row(self, position, geometry, column, features.free[column])
            first.append(LINE_ROWS + row)
            move = rows_through(self, features, cell)
            if features.free[column] + 1 < geometry.height:
                move += [LINE_ROWS + above for above in rows_through(self, features, cell + 1)]
            move.append(2 * LINE_ROWS + row)
            moves.append(move)
        return first, moves
