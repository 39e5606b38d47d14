"""The board as the search sees it: sets of cells, moves, and planes of numbers, the input of an evaluator.

A set of cells is an integer. Column c owns the bits from c * (height + 1) upwards, lowest row first; the bit above its
top row stays empty, so that no run crosses from one column into the next (7 x 6, bit numbers):

     6 13 20 27 34 41 48     <- always empty
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42

A cell is a set with one element. Only `free_cell` and `above` make cells; other modules must not look inside them.
"""

from .._validation import between
from ..rules import discs
from .cells import geometry_of, has_line


class Position:
    """The discs on the board and, where a function says that it needs them, the threats of both players."""

    __slots__ = ("mask", "own", "ply", "threats")


def load(position, geometry, own, mask):
    """Set the board from the discs of the player to move and all discs, checked."""
    own, mask = discs(geometry.width, geometry.height, own, mask)
    position.own = own
    position.mask = mask
    position.ply = mask.bit_count()
    position.threats = [0, 0]


def copy(position, source, geometry):
    position.own = source.own
    position.mask = source.mask
    position.ply = source.ply
    position.threats = source.threats.copy()


def is_open(position, geometry, column):
    """Whether the column is not full."""
    return position.mask >> (column * (geometry.height + 1) + geometry.height - 1) & 1 == 0


def open_columns(position, geometry):
    """The columns that are not full, a bit for each."""
    columns = 0
    for column in range(geometry.width):
        columns |= is_open(position, geometry, column) << column
    return columns


def free_cell(position, geometry, column):
    """The cell into which a disc falls in an open column."""
    bottom = 1 << column * (geometry.height + 1)
    return position.mask + bottom & (bottom << geometry.height) - bottom


def above(position, cell):
    """The cell above a cell that is not in the top row."""
    return cell << 1


def is_top(position, geometry, cell):
    """Whether the cell is in the top row."""
    return cell & geometry.top != 0


def completes(position, geometry, cell):
    """Whether the player to move wins by dropping a disc into the cell."""
    return has_line(position.own | cell, geometry)


def drop(position, geometry, cell):
    """Put a disc of the player to move into the cell and pass the turn."""
    position.own ^= position.mask
    position.mask |= cell
    position.ply += 1


def play(position, geometry, column):
    """Drop a disc of the player to move into an open column."""
    drop(position, geometry, free_cell(position, geometry, column))


def perft(rules, own, mask, depth):
    """Number of move sequences of `depth` plies; a finished game is not continued. Not for finished positions."""
    geometry = geometry_of(rules)
    depth = between("depth", depth, 1, geometry.cells)
    positions = [Position() for _ in range(depth + 1)]
    columns = [0] * (depth + 1)
    load(positions[0], geometry, own, mask)
    total = 0
    level = 0
    while level >= 0:
        column = columns[level]
        columns[level] += 1
        if column == geometry.width:
            level -= 1
        elif is_open(positions[level], geometry, column):
            if level + 1 == depth:
                total += 1
                continue
            cell = free_cell(positions[level], geometry, column)
            if not completes(positions[level], geometry, cell):
                copy(positions[level + 1], positions[level], geometry)
                drop(positions[level + 1], geometry, cell)
                level += 1
                columns[level] = 0
    return total


def winning_columns(position, geometry):
    """The open columns in which the player to move wins at once, a bit for each."""
    columns = 0
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            columns |= completes(position, geometry, free_cell(position, geometry, column)) << column
    return columns


def mark(planes, top, discs, geometry, number):
    """Write a number for each disc of a column (bit = row); top: the place of its cell in the top row."""
    for row in range(geometry.height):
        if discs >> row & 1:
            planes[top + (geometry.height - 1 - row) * geometry.width] = number


def paint(planes, index, position, geometry, signed):
    """Write position number `index` into a flat array of planes, row by row, the top row first.

    Two planes, the discs of the player to move and the opponent's, with 1 for a disc. signed: one plane, with 1 for
    a disc of the player to move and -1 for a disc of the other.
    """
    size = geometry.width * geometry.height
    place = index * (size if signed else 2 * size)
    for i in range(place, place + (size if signed else 2 * size)):
        planes[i] = 0.0
    for column in range(geometry.width):
        own = position.mask >> column * (geometry.height + 1) & (1 << geometry.height) - 1
        other = own & ~(position.own >> column * (geometry.height + 1))
        own ^= other
        mark(planes, place + column, own, geometry, 1.0)
        mark(planes, place + column if signed else place + size + column, other, geometry, -1.0 if signed else 1.0)
