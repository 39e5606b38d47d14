"""The walk through a tree from a file: it fills the table of blocks, and refuses trees that a search could not survive.

Whether counts and proofs are true is not looked at, only whether every index leads to a node, every move to a cell,
and every line of moves to the end of a game at the latest.
"""

from .._layout import DISTANCE_BITS, DISTANCE_MASK, NO_CHILDREN, NO_FAULT, ROOT, UNKNOWN, UPPERS, Fault
from .bitboard import Position, completes, copy, drop, free_cell, is_open
from .pool import claim, find, has_means, publish
from .proofs import is_proven


def check(tree, root, fill):
    """Walk through a whole tree; returns a Fault and its node, or (NO_FAULT, ROOT).

    fill: enter the positions into the table of blocks, which is not saved with a tree; otherwise they must be there.
    """
    pool = tree.pool
    nodes = pool.nodes
    geometry = tree.geometry
    positions = [Position() for _ in range(geometry.cells + 1)]
    path = [ROOT] * (geometry.cells + 1)
    next_child = [0] * (geometry.cells + 1)  # by level: number of children that have been checked
    seen = bytearray(pool.used)  # by node: 2 if it is the first of a block that was checked, 1 if it is another
    copy(positions[0], root, geometry)
    level = 0
    fault = fault_of(tree, positions[0], ROOT, False, seen, fill)
    while level >= 0 and fault == NO_FAULT:
        node = path[level]
        if next_child[level] == nodes[node].size or next_child[level] < 0:
            level -= 1
            continue
        child = nodes[node].children + next_child[level]
        next_child[level] += 1
        cell = free_cell(positions[level], geometry, nodes[child].column)
        won = completes(positions[level], geometry, cell)
        level += 1
        copy(positions[level], positions[level - 1], geometry)
        drop(positions[level], geometry, cell)
        path[level] = child
        known = nodes[child].children != NO_CHILDREN and nodes[child].children < pool.used
        known = known and seen[nodes[child].children] == 2
        next_child[level] = -1 if known else 0
        fault = fault_of(tree, positions[level], child, won, seen, fill)
    return (fault, path[level]) if fault else (NO_FAULT, ROOT)


def has_end(tree, node, won):
    """Whether a node at the end of a game is known as such: a search that did not know would continue.

    With an evaluator it gets its proof when it is made, and so does a won node if there are proofs; other nodes get it
    at their first visit. A finished game at the root is not searched, and needs none.
    """
    proof = tree.pool.nodes[node].proof
    if node == ROOT or is_proven(proof):
        return True
    known = has_means(tree.settings) or (won and tree.settings.proofs)
    return not known and tree.pool.nodes[node].visits == 0 and proof == UNKNOWN


def fault_of(tree, position, node, won, seen, fill):
    """The fault of one node or of its block of children; marks the block as seen."""
    pool = tree.pool
    nodes = pool.nodes
    geometry = tree.geometry
    proof = nodes[node].proof
    over = won or position.ply == geometry.cells
    # codes are indices of tables, and a distance that is too long would run over into the code of a parent
    if proof >> DISTANCE_BITS >= len(UPPERS) or proof & DISTANCE_MASK > geometry.cells - position.ply:
        return Fault.PROOF
    if nodes[node].children == NO_CHILDREN:
        if nodes[node].size:
            return Fault.BLOCK
        return Fault.AFTER_END if over and not has_end(tree, node, won) else NO_FAULT
    if nodes[node].children + nodes[node].size > pool.used or nodes[node].size == 0:
        return Fault.BLOCK
    if over:
        return Fault.AFTER_END
    return fault_of_block(tree, position, node, seen, fill)


def fault_of_block(tree, position, node, seen, fill):
    """The fault of the children of a node, which are inside the pool; marks them as seen."""
    pool = tree.pool
    nodes = pool.nodes
    geometry = tree.geometry
    first = nodes[node].children
    size = nodes[node].size
    i = 0
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
            if entry is None:
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
