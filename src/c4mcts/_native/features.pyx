"""Inputs of the network; features.pxd describes them."""

import numpy as np

from .bitboard cimport geometry_of

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))  # columns and rows from a cell of a line to the next


cdef list rows_through(LineIndex index, const Features* features, int cell):
    """The rows of the lines through a cell."""
    cdef int i
    return [
        features.rows[index.through_cell[i]]
        for i in range(index.starts[cell], index.starts[cell + 1])
        if features.rows[index.through_cell[i]] != DEAD
    ]


cdef tuple features_of(LineIndex index, const Position* position, const Geometry* geometry):
    """The rows of a position and of each open column: see Network.features."""
    cdef Features features
    cdef int column, cell, row, line
    cdef int line_rows = LINE_ROWS // PARITIES * index.group_count
    cdef list first = [], moves = [], move
    read(index, position, geometry, &features)
    for line in range(index.count):
        row = features.rows[index.places[line]]
        if counts(row):
            first.append(row)
    for column in range(geometry.width):
        if features.free[column] == geometry.height:
            continue
        cell = column * geometry.height + features.free[column]
        row = column_row(index, position, geometry, column, features.free[column])
        first.append(line_rows + row)
        move = rows_through(index, &features, cell)
        if features.free[column] + 1 < geometry.height:
            move += [line_rows + row_above for row_above in rows_through(index, &features, cell + 1)]
        move.append(2 * line_rows + row)
        moves.append(move)
    return first, moves


cdef void find_groups(LineIndex index, const Geometry* geometry):
    """List the parities of the cells of a board, or their places, whose parities are the same on 7x6."""
    cdef int column, row, parity, place
    cdef list groups = []
    for column in range(geometry.width):
        for row in range(geometry.height):
            parity = (geometry.width - 1) * geometry.height + row & 1
            place = min(column, geometry.width - 1 - column) * geometry.height + row
            groups.append(parity if index.group_count == PARITIES else place)
    index.groups = np.array(groups, np.uint16)


cdef void find_lines(LineIndex index, const Geometry* geometry):
    """List the lines of four of a board, those with the lowest cells first."""
    cdef int kind, right, up, column, row, turn, i
    cdef list places = [], ends = [], blocks = []
    for kind, (right, up) in enumerate(DIRECTIONS):
        index.steps[kind] = right * geometry.height + up
        index.firsts[kind] = geometry.cells
        index.lasts[kind] = -1
    for row in range(geometry.height):
        ends.append(len(places))
        for kind, (right, up) in enumerate(DIRECTIONS):
            for column in range(geometry.width):
                if 0 <= column + 3 * right < geometry.width and row + 3 * up < geometry.height:
                    i = column * geometry.height + row
                    index.firsts[kind] = min(index.firsts[kind], i)
                    index.lasts[kind] = max(index.lasts[kind], i)
                    places.append(kind * geometry.cells + i)
    for turn in range(2):
        for kind in range(4):
            for i in range(geometry.cells):
                # both diagonals are one kind: each is read from its lowest cell
                blocks.append((min(kind, 2) * index.group_count + (index.groups[i] ^ turn)) * 3 << 8)
    index.count = len(places)
    index.ends = np.array([*ends, index.count], np.int32)
    index.places = np.array([*places, 0], np.uint16)      # not empty on boards without lines either
    index.blocks = np.array(blocks, np.uint16)


cdef void index_lines(LineIndex index, const Geometry* geometry):
    """List the lines through each cell."""
    cdef list through = [[] for _ in range(geometry.cells)]
    cdef int place, cell, i
    for place in index.places[:index.count]:
        cell = place % geometry.cells
        for i in range(4):
            through[cell + i * index.steps[place // geometry.cells]].append(place)
    index.starts = np.concatenate([[0], np.cumsum([len(lines) for lines in through])]).astype(np.int32)
    index.through_cell = np.array([place for lines in through for place in lines] + [0], np.uint16)


cdef class LineIndex:

    def __cinit__(self, rules, by_place):
        cdef Geometry geometry = geometry_of(rules)
        self.cells = geometry.cells
        self.states = np.array([0] * MAX_SIDE + [1, 2] + [3] * (MAX_SIDE - 2), np.uint16)
        self.group_count = PLACES if by_place else PARITIES
        find_groups(self, &geometry)
        find_lines(self, &geometry)
        index_lines(self, &geometry)
