"""UCT: select, expand, rollout, backup. One pass is a simulation.

Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006); the names of the four steps are those of Browne et
al., "A survey of Monte Carlo tree search methods" (2012), section III.
"""

from .._layout import (
    CLAIMED,
    DISTANCE_MASK,
    DRAW,
    DRAWN,
    FIRST_PROBE,
    LOSS,
    NEAR_PROBE_NODES,
    NO_CHILDREN,
    PROBE_NODES,
    RANDOM,
    ROOT,
    SAFE,
    UNKNOWN,
    WIN,
    WON,
)
from .bitboard import completes, copy, drop, free_cell, is_open
from .blocks import claim, grant
from .pool import Node, take
from .proofs import foresee, is_proven, lower_of, mark, probe, settle, upper_of
from .rollout import careful_rollout, rollout
from .selection import draw, select
from .threats import update_threats


def expand(pool, nodes, settings, position, geometry, node):
    """Give a leaf a child for every open column; False if there is none, or no room for them."""
    size = sum(is_open(position, geometry, column) for column in range(geometry.width))
    if size == 0:
        return False
    first = block_of(pool, nodes, settings, position, geometry, size)
    if first == NO_CHILDREN:
        return False
    nodes[node].size = size
    nodes[node].children = first
    return True


def block_of(pool, nodes, settings, position, geometry, size):
    """Index of the first of a position's children, made unless it has some; NO_CHILDREN if there is no room."""
    entry = None
    if settings.transpositions:
        entry = claim(pool.blocks, position, geometry, size <= pool.limit - pool.used)
        if entry is None:
            return NO_CHILDREN
        if entry.first != CLAIMED:
            return entry.first
    first = take(pool, size)
    if first != NO_CHILDREN:
        child = first
        for column in range(geometry.width):
            if is_open(position, geometry, column):
                nodes[child] = Node(column)
                child += 1
        if settings.proofs:
            mark(nodes, position, geometry, first, size)
    if entry is not None:
        grant(pool.blocks, entry, first)
    return first


def inspect(nodes, settings, position, geometry, node):
    """Mark a node that is reached for the first time if the game is over there, or will be in two plies.

    Without proofs only what the rules say is known: the end of the game.
    """
    if settings.proofs:
        foresee(nodes, position, geometry, node)
    elif position.ply == geometry.cells:
        nodes[node].proof = DRAWN


def is_milestone(visits):
    """Whether a node with so many visits is to be probed: at powers of two."""
    return visits >= FIRST_PROBE and visits & (visits - 1) == 0


def arrive(nodes, settings, node):
    """Count a visit; returns how many there were before.

    It counts from the moment a simulation comes by. Until the simulation brings its reward back, the visit is a loss
    that has not happened, which sends other threads elsewhere: the virtual loss of Chaslot, Winands and van den Herik,
    "Parallel Monte-Carlo tree search" (2008), section 3.3.
    """
    visits = nodes[node].visits
    nodes[node].visits = visits + 1
    return visits


def backup(nodes, settings, path, depth, result):
    """Reward every node of the path for a result: 1, 0 or -1 for the player to move at its last node.

    From a node on that gets proven on the way, what is proven takes the place of the result.
    """
    # rewards of the player who moved into the last node, and of the other
    mover = 0 if result > 0 else settings.win if result < 0 else settings.draw
    other = settings.win if result > 0 else 0 if result < 0 else settings.draw
    changed = settings.proofs and nodes[path[depth]].proof != UNKNOWN
    nodes[path[depth]].value_sum += mover
    while depth > 0:
        depth -= 1
        node = path[depth]
        mover, other = other, mover
        changed = changed and settle(nodes, node)
        if changed and is_proven(nodes[node].proof):
            outcome = lower_of(nodes[node].proof)
            mover = settings.win if outcome == WIN else settings.draw if outcome == DRAW else 0
            other = settings.win if outcome == LOSS else settings.draw if outcome == DRAW else 0
        nodes[node].value_sum += mover


def note_win(pool, column, plies):
    """Take note of a simulation that the root's player has won through a column, so many plies after the root."""
    known = pool.short_wins[column]
    if known == 0 or plies < known:
        pool.short_wins[column] = plies


def simulate(pool, nodes, settings, geometry, generator, task, root, position, path):
    """One pass from the root to a leaf, to the end of a game, and back."""
    copy(position, root, geometry)
    node = ROOT
    depth = 0
    path[0] = ROOT
    visits = arrive(nodes, settings, ROOT)
    while not is_proven(nodes[node].proof):
        # the first visit of a node is a rollout of its own; it gets children when it is reached again
        if visits == 0 and (node != ROOT or settings.roll_root):
            break
        if nodes[node].children == NO_CHILDREN and not expand(pool, nodes, settings, position, geometry, node):
            break
        if settings.proofs:
            settle(nodes, node)
            if is_proven(nodes[node].proof):
                break
        floor = WIN - upper_of(nodes[node].proof)
        if settings.random_opponent and depth & 1:
            node = draw(nodes, generator, node)
        else:
            node = select(nodes, settings, generator, node, visits)
        depth += 1
        path[depth] = node
        cell = free_cell(position, geometry, nodes[node].column)
        fresh = nodes[node].visits == 0
        if fresh and not settings.proofs and completes(position, geometry, cell):
            nodes[node].proof = WON
        drop(position, geometry, cell)
        if settings.rollout != RANDOM or settings.proofs:
            update_threats(position, geometry, cell)
        if fresh and nodes[node].proof == UNKNOWN:
            inspect(nodes, settings, position, geometry, node)
        visits = arrive(nodes, settings, node)
        if settings.probes and is_milestone(visits):
            budget = visits * (NEAR_PROBE_NODES if depth == 1 else PROBE_NODES)
            probe(nodes, task, position, node, floor, budget)
    if is_proven(nodes[node].proof):
        result = 1 - lower_of(nodes[node].proof)
    elif settings.rollout == RANDOM:
        result = rollout(position, geometry, generator)
    else:
        result = careful_rollout(position, geometry, generator, settings.rollout == SAFE)
    if settings.short_wins and depth > 0 and result == (-1 if depth & 1 else 1):
        # a proven end has not been played
        plies = depth + (nodes[node].proof & DISTANCE_MASK) if is_proven(nodes[node].proof) else position.ply - root.ply
        note_win(pool, nodes[path[1]].column, plies)
    backup(nodes, settings, path, depth, result)
