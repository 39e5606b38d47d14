"""Whether a tree can be what it says: every node against its position."""

import numpy as np

from c4mcts import _layout

from libc.stdint cimport uint16_t
from libc.stdlib cimport free, malloc

from .bitboard cimport completes, copy, drop, free_cell, is_open
from .blocks cimport NO_CHILDREN, Entry, claim, find, grant, must_widen, widen
from .pool cimport Node
from .proofs cimport (
    DISTANCE_BITS, DISTANCE_MASK, DRAWN, LOSS, LOST, UNKNOWN, WIN, WON, lower_of, upper_of,
)

cdef uint32_t ROOT = _layout.ROOT
cdef uint8_t NO_COLUMN = _layout.NO_COLUMN


cdef check(Pool pool, const Settings* settings, const Geometry* geometry, const Position* root, bint fill):
    """Walk through a whole tree; returns a fault's number in _layout.FAULTS and the node, (0, 0) if it is sound.

    fill: note the positions of the blocks on the way, which a tree from a file has not yet; else they must be noted.
    """
    cdef Node* nodes = pool.nodes
    cdef uint32_t[::1] path = np.zeros(geometry.cells + 1, dtype=np.uint32)
    cdef int[::1] turns = np.zeros(geometry.cells + 1, dtype=np.intc)   # how many children have been looked at
    cdef uint8_t[::1] seen = np.zeros(pool.used, dtype=np.uint8)        # 1: in a block, 2: the first in a block
    cdef Position* positions = <Position*>malloc((geometry.cells + 1) * sizeof(Position))
    cdef uint32_t node, child
    cdef uint64_t cell
    cdef bint won, known
    cdef int level = 0
    cdef int fault
    if positions == NULL:
        raise MemoryError(f"no memory for {geometry.cells + 1} positions")
    try:
        copy(&positions[0], root, geometry)
        if fill and must_widen(pool.blocks):
            widen(pool.blocks)
        fault = fault_of(pool, settings, geometry, &positions[0], ROOT, False, seen, fill)
        while level >= 0 and fault == 0:
            node = path[level]
            if turns[level] == nodes[node].size or turns[level] < 0:
                level -= 1
                continue
            child = nodes[node].children + turns[level]
            turns[level] += 1
            cell = free_cell(&positions[level], geometry, nodes[child].column)
            won = completes(&positions[level], geometry, cell)
            level += 1
            copy(&positions[level], &positions[level - 1], geometry)
            drop(&positions[level], geometry, cell)
            path[level] = child
            known = nodes[child].children != NO_CHILDREN and nodes[child].children < pool.used
            known = known and seen[nodes[child].children] == 2
            turns[level] = -1 if known else 0
            if fill and must_widen(pool.blocks):
                widen(pool.blocks)
            fault = fault_of(pool, settings, geometry, &positions[level], child, won, seen, fill)
    finally:
        free(positions)
    if fault:
        return fault, path[level]
    for node in range(1, pool.used):
        if seen[node] == 0:
            return 8, node
    return 0 if is_borne_out(nodes) else 10, ROOT


cdef bint can_be(uint16_t proof, const Position* position, const Geometry* geometry, bint won) noexcept:
    """Whether a node can have a proof; its player wins after an even number of plies, and at once where it has won."""
    cdef int kind = proof & ~DISTANCE_MASK
    cdef int distance = proof & DISTANCE_MASK
    if kind in (WON, LOST):
        if distance > geometry.cells - position.ply or (distance & 1) != (kind == LOST):
            return False
        return (distance == 0) == won
    return distance == 0 and (kind == UNKNOWN or (not won and proof >> DISTANCE_BITS <= 5))


cdef bint ends_unsaid(Pool pool, const Settings* settings, uint32_t node, bint won) noexcept:
    """Whether a node at the end of a game may be taken for one where it goes on.

    It gets its proof when it is made if an evaluator is asked, or if it has won and there are proofs; else at its first
    visit. The root has none: it is not searched.
    """
    cdef int proof = pool.nodes[node].proof
    cdef bint known
    if node == ROOT or proof == (WON if won else DRAWN):
        return False
    known = pool.estimates != NULL or (won and settings.proofs)
    return known or pool.nodes[node].visits > 0 or proof != UNKNOWN


cdef bint is_borne_out(const Node* nodes) noexcept:
    """Whether what is known of the root follows from its children: there is no other way to it."""
    cdef uint32_t first = nodes[ROOT].children
    cdef int lower = LOSS
    cdef int upper = WIN if nodes[ROOT].size == 0 else LOSS
    cdef uint16_t proof = nodes[ROOT].proof
    cdef uint32_t child
    for child in range(first, first + nodes[ROOT].size):
        lower = max(lower, lower_of(nodes[child].proof))
        upper = max(upper, upper_of(nodes[child].proof))
    return lower_of(proof) <= WIN - upper and WIN - lower <= upper_of(proof)


cdef int fault_of(
    Pool pool, const Settings* settings, const Geometry* geometry, const Position* position, uint32_t node, bint won,
    uint8_t[::1] seen, bint fill,
) noexcept:
    """What is wrong with one node and its block of children; marks the block as seen."""
    cdef Node* nodes = pool.nodes
    cdef uint64_t first = nodes[node].children
    cdef int size = nodes[node].size
    cdef uint64_t visits = 0
    cdef Entry* entry
    cdef uint32_t known
    cdef int column, i
    if nodes[node].value_sum > <uint64_t>nodes[node].visits * settings.win:
        return 5
    if not can_be(nodes[node].proof, position, geometry, won) or (node == ROOT) != (nodes[node].column == NO_COLUMN):
        return 6
    if (won or position.ply == geometry.cells) and ends_unsaid(pool, settings, node, won):
        return 9
    if first == NO_CHILDREN:
        return 1 if size else 0
    if first + size > pool.used or size == 0:
        return 1
    if won or position.ply == geometry.cells:
        return 2
    i = 0
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            if i == size or nodes[first + i].column != column:
                return 3
            visits += nodes[first + i].visits
            i += 1
    if i < size:
        return 3
    if settings.transpositions:
        known = find(pool.blocks, position, geometry)
        if known == NO_CHILDREN and fill:
            if seen[first]:
                return 7    # the block is another position's; what is below it has been looked at for that one alone
            entry = claim(pool.blocks, position, geometry, True)
            if entry == NULL:
                return 7
            grant(pool.blocks, entry, <uint32_t>first)
        elif known != first:
            return 7
        if seen[first] == 2:
            return 0
    elif visits + (node != ROOT) > nodes[node].visits:
        return 4
    for i in range(size):
        if seen[first + i]:
            return 1
        seen[first + i] = 2 if i == 0 else 1
    return 0
