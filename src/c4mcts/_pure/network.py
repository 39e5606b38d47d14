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

OWN = 1 << 16  # in the number of a cell: a disc of the player to move
OTHER = 1 << 17  # a disc of the other player
OWN_CELLS = OWN * 0x55  # of the four cells of a line
OTHER_CELLS = OTHER * 0x55
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


def read_cells(position, geometry, cells, rows):
    """Write a number for each cell, and the free row of each column.

    0 in the lowest two bits of a disc; 1 for a cell that can be played, 2 for the one above it, 3 for all others.
    """
    cell = 0
    for column in range(geometry.width):
        own = own_discs(position, geometry, column)
        mask = discs(position, geometry, column)
        row = 0
        while mask >> row & 1:
            cells[cell + row] = OWN if own >> row & 1 else OTHER
            row += 1
        rows[column] = row
        for above in range(row, geometry.height):
            cells[cell + above] = min(above - row, 2) + 1
        cell += geometry.height


def line_row(network, cells, line, turn):
    """The row of a line in the tables; -1 if it holds discs of both players. turn: of the player to move, 0 or 1."""
    place = 4 * line
    sum_of_cells = (
        cells[network.cells[place]]
        + (cells[network.cells[place + 1]] << 2)
        + (cells[network.cells[place + 2]] << 4)
        + (cells[network.cells[place + 3]] << 6)
    )
    who = (1 if sum_of_cells & OWN_CELLS else 0) + (2 if sum_of_cells & OTHER_CELLS else 0)
    if who == 3:
        return -1
    return ((network.kinds[line] ^ turn) * 3 + who << 8) + (sum_of_cells & 255)


def column_row(network, position, geometry, column, row):
    """The row of a column in the tables. row: the free one."""
    turn = position.ply & 1
    parity = network.parity + row + turn & 1
    own = threats_from(position, geometry, turn, column, row)
    other = threats_from(position, geometry, 1 - turn, column, row)
    return (parity << WINDOW_ROWS | own) << WINDOW_ROWS | other


def add(sums, table, row, size):
    """Add a row of a table to sums."""
    for i in range(size):
        sums[i] += table[row * size + i]


def sum_position(network, position, geometry, cells, rows, sums):
    """Write the sums of the first layer."""
    turn = position.ply & 1
    for i in range(HIDDEN + CONTEXT):
        sums[i] = network.bias[i]
    for line in range(network.ends[max(rows)]):  # of those higher up none holds a disc
        row = line_row(network, cells, line, turn)
        if row >= 0 and row >> 8 != (network.kinds[line] ^ turn) * 3:
            add(sums, network.lines, row, HIDDEN + CONTEXT)
    for column in range(geometry.width):
        if rows[column] < geometry.height:
            row = column_row(network, position, geometry, column, rows[column])
            add(sums, network.columns, row, HIDDEN + CONTEXT)


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


def sum_lines_through(network, cells, cell, turn, table, sums):
    """Add the rows of the lines through a cell."""
    for i in range(network.starts[cell], network.starts[cell + 1]):
        row = line_row(network, cells, network.through_cell[i], turn)
        if row >= 0:
            add(sums, table, row, CONTEXT)


def logit_of_move(network, position, geometry, cells, rows, column, context):
    """The logit of a move into an open column, in steps of 2**-12."""
    sums = [0] * CONTEXT
    turn = position.ply & 1
    cell = column * geometry.height + rows[column]
    sum_lines_through(network, cells, cell, turn, network.through, sums)
    if rows[column] + 1 < geometry.height:
        sum_lines_through(network, cells, cell + 1, turn, network.above, sums)
    add(sums, network.landing, column_row(network, position, geometry, column, rows[column]), CONTEXT)
    logit = 0
    for i in range(CONTEXT):
        logit += network.move[i] * clip(context[i] + sums[i])
    return logit


def sigmoid(value):
    """The value in [0, 1], of one in steps of 2**-12."""
    index = min(abs(value) >> EXP_BITS, EXP_SIZE - 1)
    return 1.0 / (1.0 + EXP[index]) if value >= 0 else EXP[index] / (1.0 + EXP[index])


def evaluate_value(network, position, geometry):
    """The value of a position, in [0, 1] for the player to move. The position must have its threats."""
    cells = [0] * geometry.cells
    rows = [0] * geometry.width
    sums = [0] * (HIDDEN + CONTEXT)
    read_cells(position, geometry, cells, rows)
    sum_position(network, position, geometry, cells, rows, sums)
    return sigmoid(value_of_sums(network, sums))


def evaluate_moves(network, position, geometry, priors):
    """Write the prior of every column; 0 for full ones. Returns the value. The position must have its threats."""
    cells = [0] * geometry.cells
    rows = [0] * geometry.width
    sums = [0] * (HIDDEN + CONTEXT)
    logits = [0] * geometry.width
    read_cells(position, geometry, cells, rows)
    sum_position(network, position, geometry, cells, rows, sums)
    highest = -(1 << 31)
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            logits[column] = logit_of_move(network, position, geometry, cells, rows, column, sums[HIDDEN:])
            highest = max(highest, logits[column])
    total = 0.0
    for column in range(geometry.width):
        priors[column] = 0.0
        if is_open(position, geometry, column):
            priors[column] = EXP[min(highest - logits[column] >> EXP_BITS, EXP_SIZE - 1)]
            total += priors[column]
    for column in range(geometry.width):
        priors[column] /= total
    return sigmoid(value_of_sums(network, sums))


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


class Network:
    """The weights, and the lines of the board for which they are used."""

    __slots__ = (
        *NETWORK_ARRAYS,
        "cells",  # by line: its four cells, column * height + row; the lowest lines first
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

    def evaluate(self, own, mask):
        """The value of an unfinished position, in [0, 1] for the player to move, and the prior of every column."""
        position = Position()
        priors = [0.0] * self.geometry.width
        load(position, self.geometry, own, mask)
        find_threats(position, self.geometry)
        value = evaluate_moves(self, position, self.geometry, priors)
        return value, priors

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
        turn = position.ply & 1
        cells = [0] * geometry.cells
        rows = [0] * geometry.width
        read_cells(position, geometry, cells, rows)
        found = [line_row(self, cells, line, turn) for line in range(self.count)]
        first = [row for line, row in enumerate(found) if row >= 0 and row >> 8 != (self.kinds[line] ^ turn) * 3]
        moves = []
        for column in range(geometry.width):
            if rows[column] == geometry.height:
                continue
            cell = column * geometry.height + rows[column]
            row = column_row(self, position, geometry, column, rows[column])
            first.append(LINE_ROWS + row)
            move = []
            for i in range(self.starts[cell], self.starts[cell + 1]):
                if found[self.through_cell[i]] >= 0:
                    move.append(found[self.through_cell[i]])
            if rows[column] + 1 < geometry.height:
                for i in range(self.starts[cell + 1], self.starts[cell + 2]):
                    if found[self.through_cell[i]] >= 0:
                        move.append(LINE_ROWS + found[self.through_cell[i]])
            move.append(2 * LINE_ROWS + row)
            moves.append(move)
        return first, moves
