"""Checks that a tree is sound: every node is compared with its position and its children."""

from .._layout import (
    DISTANCE_BITS,
    DISTANCE_MASK,
    DRAWN,
    LOSS,
    LOST,
    NO_CHILDREN,
    NO_COLUMN,
    NO_FAULT,
    ROOT,
    UNKNOWN,
    WIN,
    WON,
    Fault,
)
from .bitboard import Position, completes, copy, drop, free_cell, is_open
from .pool import claim, find, has_means, publish
from .proofs import lower_of, upper_of


def check(tree, root, fill):
    """Walk through a whole tree; returns a Fault and its node, or (NO_FAULT, ROOT) if it is sound.

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
    if fault:
        return fault, path[level]
    for node in range(1, pool.used):
        if seen[node] == 0:
            return Fault.NO_PARENT, node
    return NO_FAULT if root_follows_from_children(nodes) else Fault.ROOT_PROOF, ROOT


def is_possible_proof(proof, position, geometry, won):
    """Whether the stored proof is possible at all.

    For example, a win for the player who moved into the node has an even distance: 0 if the game is `won` there.
    """
    kind = proof & ~DISTANCE_MASK
    distance = proof & DISTANCE_MASK
    if kind in (WON, LOST):
        if distance > geometry.cells - position.ply or (distance & 1) != (kind == LOST):
            return False
        return (distance == 0) == won
    return distance == 0 and (kind == UNKNOWN or (not won and proof >> DISTANCE_BITS <= 5))


def lacks_end_proof(tree, node, won):
    """Whether a node at the end of a game has no proof though it should have one.

    With an evaluator it gets the proof when it is made, and so does a won node if there are proofs; other nodes get it
    at their first visit. A finished game at the root is not searched, and needs none.
    """
    pool = tree.pool
    proof = pool.nodes[node].proof
    if node == ROOT or proof == (WON if won else DRAWN):
        return False
    known = has_means(tree.settings) or (won and tree.settings.proofs)
    return known or pool.nodes[node].visits > 0 or proof != UNKNOWN


def root_follows_from_children(nodes):
    """Whether the bounds of the root follow from those of its children, the only way to get them."""
    first = nodes[ROOT].children
    lower = LOSS
    upper = WIN if nodes[ROOT].size == 0 else LOSS
    for child in range(first, first + nodes[ROOT].size):
        lower = max(lower, lower_of(nodes[child].proof))
        upper = max(upper, upper_of(nodes[child].proof))
    proof = nodes[ROOT].proof
    return lower_of(proof) <= WIN - upper and WIN - lower <= upper_of(proof)


def fault_of(tree, position, node, won, seen, fill):
    """The fault of one node or of its block of children; marks the block as seen."""
    pool = tree.pool
    nodes = pool.nodes
    geometry = tree.geometry
    over = won or position.ply == geometry.cells
    if nodes[node].value_sum > nodes[node].visits * tree.settings.win:
        return Fault.REWARDS
    if not is_possible_proof(nodes[node].proof, position, geometry, won):
        return Fault.PROOF
    if node == ROOT and nodes[node].column != NO_COLUMN:
        return Fault.ROOT_COLUMN
    if over and lacks_end_proof(tree, node, won):
        return Fault.NO_END
    if nodes[node].children == NO_CHILDREN:
        return Fault.BLOCK if nodes[node].size else NO_FAULT
    if nodes[node].children + nodes[node].size > pool.used or nodes[node].size == 0:
        return Fault.BLOCK
    if over:
        return Fault.CHILDREN_AFTER_END
    return fault_of_block(tree, position, node, seen, fill)


def fault_of_block(tree, position, node, seen, fill):
    """The fault of the children of a node, which are inside the pool; marks them as seen."""
    pool = tree.pool
    nodes = pool.nodes
    geometry = tree.geometry
    first = nodes[node].children
    size = nodes[node].size
    i = 0
    visits = 0
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            if i == size or nodes[first + i].column != column:
                return Fault.COLUMNS
            visits += nodes[first + i].visits
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
    elif visits + (node != ROOT) > nodes[node].visits:
        return Fault.VISITS
    for i in range(size):
        if seen[first + i]:
            return Fault.BLOCK
        seen[first + i] = 2 if i == 0 else 1
    return NO_FAULT
