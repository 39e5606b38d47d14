"""Whether a tree can be what it says: every node against its position."""

from .._layout import DISTANCE_BITS, DISTANCE_MASK, DRAWN, LOSS, LOST, NO_CHILDREN, NO_COLUMN, ROOT, UNKNOWN, WIN, WON
from .bitboard import Position, completes, copy, drop, free_cell, is_open
from .blocks import claim, find, grant
from .proofs import lower_of, upper_of


def check(pool, settings, geometry, root, fill):
    """Walk through a whole tree; returns a fault's number in _layout.FAULTS and the node, (0, 0) if it is sound.

    fill: note the positions of the blocks on the way, which a tree from a file has not yet; else they must be noted.
    """
    nodes = pool.nodes
    positions = [Position() for _ in range(geometry.cells + 1)]
    path = [ROOT] * (geometry.cells + 1)
    turns = [0] * (geometry.cells + 1)  # how many children have been looked at
    seen = bytearray(pool.used)  # 1: in a block, 2: the first in a block
    copy(positions[0], root, geometry)
    level = 0
    fault = fault_of(pool, settings, geometry, positions[0], ROOT, False, seen, fill)
    while level >= 0 and fault == 0:
        node = path[level]
        if turns[level] == nodes[node].size or turns[level] < 0:
            level -= 1
            continue
        child = nodes[node].children + turns[level]
        turns[level] += 1
        cell = free_cell(positions[level], geometry, nodes[child].column)
        won = completes(positions[level], geometry, cell)
        level += 1
        copy(positions[level], positions[level - 1], geometry)
        drop(positions[level], geometry, cell)
        path[level] = child
        known = nodes[child].children != NO_CHILDREN and nodes[child].children < pool.used
        known = known and seen[nodes[child].children] == 2
        turns[level] = -1 if known else 0
        fault = fault_of(pool, settings, geometry, positions[level], child, won, seen, fill)
    if fault:
        return fault, path[level]
    for node in range(1, pool.used):
        if seen[node] == 0:
            return 8, node
    return 0 if is_borne_out(nodes) else 10, ROOT


def can_be(proof, position, geometry, won):
    """Whether a node can have a proof; its player wins after an even number of plies, and at once where it has won."""
    kind = proof & ~DISTANCE_MASK
    distance = proof & DISTANCE_MASK
    if kind in (WON, LOST):
        if distance > geometry.cells - position.ply or (distance & 1) != (kind == LOST):
            return False
        return (distance == 0) == won
    return distance == 0 and (kind == UNKNOWN or (not won and proof >> DISTANCE_BITS <= 5))


def ends_unsaid(pool, settings, node, won):
    """Whether a node at the end of a game may be taken for one where it goes on.

    It gets its proof when it is made if an evaluator is asked, or if it has won and there are proofs; else at its first
    visit. The root has none: it is not searched.
    """
    proof = pool.nodes[node].proof
    if node == ROOT or proof == (WON if won else DRAWN):
        return False
    known = pool.estimates is not None or (won and settings.proofs)
    return known or pool.nodes[node].visits > 0 or proof != UNKNOWN


def is_borne_out(nodes):
    """Whether what is known of the root follows from its children: there is no other way to it."""
    first = nodes[ROOT].children
    lower = LOSS
    upper = WIN if nodes[ROOT].size == 0 else LOSS
    for child in range(first, first + nodes[ROOT].size):
        lower = max(lower, lower_of(nodes[child].proof))
        upper = max(upper, upper_of(nodes[child].proof))
    proof = nodes[ROOT].proof
    return lower_of(proof) <= WIN - upper and WIN - lower <= upper_of(proof)


def fault_of(pool, settings, geometry, position, node, won, seen, fill):
    """What is wrong with one node and its block of children; marks the block as seen."""
    nodes = pool.nodes
    first = nodes[node].children
    size = nodes[node].size
    if nodes[node].value_sum > nodes[node].visits * settings.win:
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
    visits = 0
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
                return 7  # the block is another position's; what is below it has been looked at for that one alone
            entry = claim(pool.blocks, position, geometry, True)
            if entry is None:
                return 7
            grant(pool.blocks, entry, first)
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
