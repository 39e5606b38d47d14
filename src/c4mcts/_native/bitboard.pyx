"""Setting up positions, and perft; the moves themselves are in bitboard.pxd."""

import numpy as np

from c4mcts._validation import between
from c4mcts.rules import discs

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef extern from "Python.h":
    ctypedef struct PyInterpreterState:
        pass
    PyInterpreterState* PyInterpreterState_Get()
    int64_t PyInterpreterState_GetID(PyInterpreterState* interpreter)

# Checked here because this module is loaded first. In a subinterpreter poll.ask would wait for the GIL for ever:
# PyGILState_Ensure, with which C code gets it back, supports only the main interpreter.
if PyInterpreterState_GetID(PyInterpreterState_Get()) != 0:
    raise ImportError("it works in the main interpreter only, not in subinterpreters")

ROWS = (np.arange(128)[:, np.newaxis] >> np.arange(7) & 1).astype(np.float32)


cdef int load(Position* position, const Geometry* geometry, own, mask) except -1:
    """Set the board from the discs of the player to move and all discs, checked."""
    cdef int column, row, bit, turn
    cdef const uint8_t[::1] own_bits, mask_bits
    own, mask = discs(geometry.width, geometry.height, own, mask)
    memset(position, 0, sizeof(position[0]))
    if Position is Lines:
        size = (geometry.width * (geometry.height + 1) + 7) // 8
        own_bits = own.to_bytes(size, "little")
        mask_bits = mask.to_bytes(size, "little")
        turn = mask.bit_count() & 1
        for column in range(geometry.width):
            for row in range(geometry.height):
                bit = column * (geometry.height + 1) + row
                if mask_bits[bit >> 3] >> (bit & 7) & 1:
                    position.ply = turn if own_bits[bit >> 3] >> (bit & 7) & 1 else 1 - turn
                    drop(position, geometry, <uint64_t>column << 6 | <uint64_t>row)
    else:
        position.own = own
        position.mask = mask
    position.ply = mask.bit_count()
    return 0


def perft(rules, own, mask, depth):
    """Number of move sequences of `depth` plies; a finished game is not continued. Not for finished positions."""
    cdef Geometry geometry = geometry_of(rules)
    depth = between("depth", depth, 1, geometry.cells)
    if geometry.kernel == STANDARD:
        return count_sequences(<Standard*>NULL, &geometry, own, mask, <int>depth)
    elif geometry.kernel == BITS:
        return count_sequences(<Bits*>NULL, &geometry, own, mask, <int>depth)
    return count_sequences(<Lines*>NULL, &geometry, own, mask, <int>depth)


cdef count_sequences(Position* positions, const Geometry* geometry, own, mask, int depth):
    """perft for one kernel; `positions` only gives its type."""
    cdef int* columns = <int*>malloc((depth + 1) * sizeof(int))
    cdef uint64_t total = 0
    positions = <Position*>malloc((depth + 1) * sizeof(Position))
    try:
        if columns == NULL or positions == NULL:
            raise MemoryError(f"no memory for a depth of {depth}")
        load(positions, geometry, own, mask)
        with nogil:
            walk(positions, geometry, columns, depth, &total)
    finally:
        free(columns)
        free(positions)
    return total


cdef int walk(Position* positions, const Geometry* geometry, int* columns, int depth, uint64_t* total) except -1 nogil:
    """The depth-first walk of perft, with its own stack; Ctrl-C is checked every million steps."""
    cdef uint64_t cell
    cdef int level = 0
    cdef int column
    cdef int steps = 0
    columns[0] = 0
    while level >= 0:
        steps += 1
        if steps == 1000000:
            steps = 0
            with gil:
                PyErr_CheckSignals()
        column = columns[level]
        columns[level] += 1
        if column == geometry.width:
            level -= 1
        elif is_open(&positions[level], geometry, column):
            if level + 1 == depth:
                total[0] += 1
                continue
            cell = free_cell(&positions[level], geometry, column)
            if not completes(&positions[level], geometry, cell):
                copy(&positions[level + 1], &positions[level], geometry)
                drop(&positions[level + 1], geometry, cell)
                level += 1
                columns[level] = 0
    return 0
