"""The walk through a tree from a file: it fills the table of blocks, and refuses what a search could not survive.

_pure.consistency says what that is.
"""

import numpy as np

from c4mcts import _layout
from c4mcts._layout import Fault

from libc.stdint cimport uint16_t
from libc.stdlib cimport free, malloc

from .bitboard cimport completes, copy, drop, free_cell, is_open
from .pool cimport NO_CHILDREN, Entry, Node, claim, find, has_means, must_widen, publish, widen
from .proofs cimport DISTANCE_BITS, DISTANCE_MASK, UNKNOWN, is_proven

cdef uint32_t ROOT = _layout.ROOT
cdef int NO_FAULT = _layout.NO_FAULT
cdef int CODES = len(_layout.UPPERS)    # of proofs


cdef check(Tree tree, const Position* root, bint fill):
    """Walk through a whole tree; returns a Fault and its node, or (NO_FAULT, ROOT).

    fill: enter the positions into the table of blocks, which is not saved with a tree; otherwise they must be there.
    """
    cdef NodePool pool = tree.pool
    cdef Node[::1] nodes = pool.nodes
    cdef const Geometry* geometry = &tree.geometry
    cdef uint32_t[::1] path = np.zeros(geometry.cells + 1, dtype=np.uint32)
    # by level: number of children that have been checked
    cdef int[::1] next_child = np.zeros(geometry.cells + 1, dtype=np.intc)
    # by node: 2 if it is the first of a block that was checked, 1 if it is another
    cdef uint8_t[::1] seen = np.zeros(pool.used, dtype=np.uint8)
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
        fault = fault_of(tree, &positions[0], ROOT, False, seen, fill)
        while level >= 0 and fault == NO_FAULT:
            node = path[level]
            if next_child[level] == nodes[node].size or next_child[level] < 0:
                level -= 1
                continue
            child = nodes[node].children + next_child[level]
            next_child[level] += 1
            cell = free_cell(&positions[level], geometry, nodes[child].column)
            won = completes(&positions[level], geometry, cell)
            level += 1
            copy(&positions[level], &positions[level - 1], geometry)
            drop(&positions[level], geometry, cell)
            path[level] = child
            known = nodes[child].children != NO_CHILDREN and nodes[child].children < pool.used
            known = known and seen[nodes[child].children] == 2
            next_child[level] = -1 if known else 0
            if fill and must_widen(pool.blocks):
                widen(pool.blocks)
            fault = fault_of(tree, &positions[level], child, won, seen, fill)
    finally:
        free(positions)
    return (fault, path[level]) if fault else (NO_FAULT, ROOT)


cdef bint has_end(Tree tree, uint32_t node, bint won) noexcept:
    """Whether a node at the end of a game is known as such: a search that did not know would continue.

    With an evaluator it gets its proof when it is made, and so does a won node if there are proofs; other nodes get it
    at their first visit. A finished game at the root is not searched, and needs none.
    """
    cdef NodePool pool = tree.pool
    cdef uint16_t proof = pool.nodes[node].proof
    cdef bint known
    if node == ROOT or is_proven(proof):
        return True
    known = has_means(&tree.settings) or (won and tree.settings.proofs)
    return not known and pool.nodes[node].visits == 0 and proof == UNKNOWN


cdef int fault_of(
    Tree tree, const Position* position, uint32_t node, bint won, uint8_t[::1] seen, bint fill,
) except -1:
    """The fault of one node or of its block of children; marks the block as seen."""
    cdef NodePool pool = tree.pool
    cdef Node[::1] nodes = pool.nodes
    cdef const Geometry* geometry = &tree.geometry
    cdef uint16_t proof = nodes[node].proof
    cdef bint over = won or position.ply == geometry.cells
    # codes are indices of tables, and a distance that is too long would run over into the code of a parent
    if proof >> DISTANCE_BITS >= CODES or proof & DISTANCE_MASK > geometry.cells - position.ply:
        return Fault.PROOF
    if nodes[node].children == NO_CHILDREN:
        if nodes[node].size:
            return Fault.BLOCK
        return Fault.AFTER_END if over and not has_end(tree, node, won) else NO_FAULT
    if <uint64_t>nodes[node].children + nodes[node].size > pool.used or nodes[node].size == 0:
        return Fault.BLOCK
    if over:
        return Fault.AFTER_END
    return fault_of_block(tree, position, node, seen, fill)


cdef int fault_of_block(
    Tree tree, const Position* position, uint32_t node, uint8_t[::1] seen, bint fill,
) except -1:
    """The fault of the children of a node, which are inside the pool; marks them as seen."""
    cdef NodePool pool = tree.pool
    cdef Node[::1] nodes = pool.nodes
    cdef const Geometry* geometry = &tree.geometry
    cdef uint32_t first = nodes[node].children
    cdef int size = nodes[node].size
    cdef Entry* entry
    cdef uint32_t known
    cdef int i = 0
    cdef int column
    for column in range(geometry.width):
        if is_open(position, geometry, column) and (node != ROOT or tree.root_columns >> column & 1):
            if i == size or nodes[first + i].column != column:
                return Fault.COLUMNS
            i += 1
    if i < size:
        return Fault.COLUMNS
    if tree.settings.transpositions:
        known = find(pool.blocks, position, geometry)
        if known == NO_CHILDREN and fill:
            if seen[first]:
                # the block belongs to another position, and the nodes below it were checked only for that one
                return Fault.SHARED_BLOCK
            entry = claim(pool.blocks, position, geometry, True)
            if entry == NULL:
                return Fault.SHARED_BLOCK
            publish(pool.blocks, entry, first)
        elif known != first:
            return Fault.SHARED_BLOCK
        if seen[first] == 2:
            return NO_FAULT
    for i in range(size):
        if seen[first + i]:
            return Fault.BLOCK
        seen[first + i] = 2 if i == 0 else 1
    return NO_FAULT
