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

from .._layout import LINE_ROWS, PARITIES, PLACES, WINDOW_ROWS
from .cells import geometry_of

OWN = 1 << 8  # in the number of a cell: a disc of the player to move
OTHER = 1 << 9  # a disc of the other player
OWN_CELLS = OWN * 0x55  # of the four cells of a line
OTHER_CELLS = OTHER * 0x55
DEAD = 0  # the row of lines with discs of both players, which count nowhere; no other line has it


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
    """The inputs of the network for a position."""

    __slots__ = (
        "cells",  # a number for each
        "free",  # by column: the lowest row without a disc
        "rows",  # by line: its row in the tables
    )


def read_cells(index, position, geometry, features):
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
            features.cells.append(index.states[i - row])


def find_rows(index, turn, features):
    """Write the row of each line in the tables. turn: of the player to move, 0 or 1."""
    features.rows = []
    for line in range(index.count):
        number = 0
        for i in range(4):
            number += features.cells[index.cells[4 * line + i]] << 2 * i
        who = (1 if number & OWN_CELLS else 0) + (2 if number & OTHER_CELLS else 0)
        row = ((index.kinds[line] ^ turn) * 3 + who << 8) + (number & 255)
        features.rows.append(DEAD if who == 3 else row)


def read(index, position, geometry, features):
    """Write the inputs of the network for a position."""
    read_cells(index, position, geometry, features)
    find_rows(index, position.ply & 1, features)


def column_row(index, position, geometry, column, row):
    """The row of a column in the tables. row: the free one."""
    turn = position.ply & 1
    group = index.groups[column * geometry.height + row] ^ turn
    own = threats_from(position, geometry, turn, column, row)
    other = threats_from(position, geometry, 1 - turn, column, row)
    return (group << WINDOW_ROWS | own) << WINDOW_ROWS | other


def counts(row):
    """Whether a line counts for the position: whether it holds discs, all of one player."""
    return row != DEAD and (row >> 8) % 3 != 0


def rows_through(index, features, cell):
    """The rows of the lines through a cell."""
    rows = [features.rows[index.through_cell[i]] for i in range(index.starts[cell], index.starts[cell + 1])]
    return [row for row in rows if row != DEAD]


def features_of(index, position, geometry):
    """The rows of a position and of each open column: see Network.features."""
    features = Features()
    read(index, position, geometry, features)
    first = [row for row in features.rows if counts(row)]
    line_rows = LINE_ROWS // PARITIES * index.group_count
    moves = []
    for column in range(geometry.width):
        if features.free[column] == geometry.height:
            continue
        cell = column * geometry.height + features.free[column]
        row = column_row(index, position, geometry, column, features.free[column])
        first.append(line_rows + row)
        move = rows_through(index, features, cell)
        if features.free[column] + 1 < geometry.height:
            move += [line_rows + above for above in rows_through(index, features, cell + 1)]
        move.append(2 * line_rows + row)
        moves.append(move)
    return first, moves


def find_groups(index, geometry):
    """List the parities of the cells of a board, or their places, whose parities are the same on 7x6."""
    for column in range(geometry.width):
        for row in range(geometry.height):
            parity = (geometry.width - 1) * geometry.height + row & 1
            place = min(column, geometry.width - 1 - column) * geometry.height + row
            index.groups.append(parity if index.group_count == PARITIES else place)


def find_lines(index, geometry):
    """List the lines of four of a board: four cells each, column * height + row; their direction and group.

    Those with the lowest cells come first.
    """
    for row in range(geometry.height):
        index.ends.append(index.count)
        for kind, (right, up) in enumerate(((1, 0), (0, 1), (1, 1), (-1, 1))):
            for column in range(geometry.width):
                if 0 <= column + 3 * right < geometry.width and row + 3 * up < geometry.height:
                    for i in range(4):
                        index.cells.append((column + i * right) * geometry.height + row + i * up)
                    # both diagonals are one kind: each is read from its lowest cell
                    index.kinds.append(min(kind, 2) * index.group_count + index.groups[column * geometry.height + row])
                    index.count += 1
    index.ends.append(index.count)


def index_lines(index, geometry):
    """List the lines through each cell."""
    through = [[] for _ in range(geometry.cells)]
    for i, cell in enumerate(index.cells):
        through[cell].append(i // 4)
    index.starts.append(0)
    for lines in through:
        index.through_cell.extend(lines)
        index.starts.append(len(index.through_cell))


class LineIndex:
    """The lines of four of a board: which there are, and which go through each cell."""

    __slots__ = (
        "cells",  # by line: its four cells, column * height + row; the lowest lines first
        "count",  # of lines
        "ends",  # by row: lines whose lowest cell is below it
        "group_count",  # PARITIES or PLACES
        "groups",  # by cell: its parity, or its place
        "kinds",  # by line: direction and group of the lowest cell
        "starts",  # by cell: where its lines begin in through_cell; at the end their number
        "states",  # by cells above the free one of a column: the number of a cell without a disc
        "through_cell",  # lines through the cells
    )

    def __init__(self, rules, by_place):
        geometry = geometry_of(rules)
        self.group_count = PLACES if by_place else PARITIES
        self.states = [1, 2] + [3] * geometry.height
        self.groups = []
        self.cells = []
        self.kinds = []
        self.count = 0
        self.ends = []
        self.starts = []
        self.through_cell = []
        find_groups(self, geometry)
        find_lines(self, geometry)
        index_lines(self, geometry)
