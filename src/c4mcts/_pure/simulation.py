"""UCT: select, expand, rollout, backup. One pass is a simulation.

Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006); the four steps are named as in Browne et
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
    NETWORK,
    NO_CHILDREN,
    PROBE_NODES,
    PROBE_REACH,
    RANDOM,
    ROOT,
    SAFE,
    UNKNOWN,
    WIN,
    WON,
)
from .bitboard import completes, copy, drop, free_cell, open_columns
from .network import evaluate_moves, evaluate_value
from .pool import Node, NodeEstimate, claim, publish, take
from .proofs import is_proven, lower_of, mark_by_book, mark_by_lookahead, mark_children, probe, update_bounds, upper_of
from .rollout import careful_rollout, rollout
from .selection import random_child, select, select_by_prior
from .threats import update_threats


class Worker:
    """The data that each thread needs to run simulations; the pure backend has one thread."""

    __slots__ = (
        "generator",
        "path",  # indices of the nodes from the root to the current one
        "position",  # at the current node
        "task",  # of the solver, for probes; None without
        "watch",  # called before each selection with the node and its earlier visits; None. Only here: search.steps
    )

    def __init__(self, generator, task, position, path):
        self.generator = generator
        self.task = task
        self.position = position
        self.path = path
        self.watch = None


def expand(tree, nodes, position, node):
    """Give a leaf a child for every open column, of the root's only those it may play; False if there is none, or if
    the pool is full.
    """
    geometry = tree.geometry
    columns = open_columns(position, geometry)
    if node == ROOT:
        columns &= tree.root_columns
    size = sum(columns >> column & 1 for column in range(geometry.width))
    if size == 0:
        return False
    first = children_of(tree, nodes, position, columns, size)
    if first == NO_CHILDREN:
        return False
    nodes[node].size = size
    nodes[node].children = first
    return True


def children_of(tree, nodes, position, columns, size):
    """Index of the first child of a position; makes its children if it has none. NO_CHILDREN if the pool is full.

    columns: that may be played, a bit for each. size: how many these are.
    """
    pool = tree.pool
    geometry = tree.geometry
    entry = None
    if tree.settings.transpositions:
        entry = claim(pool.blocks, position, geometry, size <= pool.limit - pool.used)
        if entry is None:
            return NO_CHILDREN
        if entry.first != CLAIMED:
            return entry.first
    first = take(pool, size)
    if first != NO_CHILDREN:
        child = first
        for column in range(geometry.width):
            if columns >> column & 1:
                nodes[child] = Node(column)
                child += 1
        if tree.settings.proofs:
            mark_children(nodes, position, geometry, first, size)
        if tree.settings.rollout == NETWORK:
            write_priors(tree, position, geometry, first, size)
    if entry is not None:
        publish(pool.blocks, entry, first)
    return first


def write_priors(tree, position, geometry, first, size):
    priors = [0.0] * geometry.width
    evaluate_moves(tree.network, position, geometry, priors)
    for child in range(first, first + size):
        tree.pool.estimates[child] = NodeEstimate(priors[tree.pool.nodes[child].column])


def mark_if_decided(nodes, settings, position, geometry, node):
    """Mark a node at its first visit if the game is over there or, with proofs, is decided within two plies."""
    if settings.proofs:
        mark_by_lookahead(nodes, position, geometry, node)
    elif position.ply == geometry.cells:
        nodes[node].proof = DRAWN


def is_probe_due(visits):
    """Whether a node with `visits` visits is probed: at powers of two, from FIRST_PROBE on."""
    return visits >= FIRST_PROBE and visits & (visits - 1) == 0


def is_in_reach(position, geometry, visits, budget):
    """Whether a probe may find something.

    On boards of more than 64 bits, hardly any probe does before the game is near its end, except for the first one of a
    node, which costs little. The others wait until there are so few empty cells that the budget may be enough.
    """
    if geometry.width * (geometry.height + 1) > 64:
        beyond = min(max(geometry.cells - position.ply - PROBE_REACH, 0), 63)
        return visits == FIRST_PROBE or budget >> beyond != 0
    return True


def add_visit(nodes, settings, node):
    """Count a visit; returns the number before it.

    The visit counts as soon as a simulation passes through the node. Until the simulation adds its reward, the visit
    looks like a loss and makes other threads prefer other nodes: the virtual loss of Chaslot, Winands and van den
    Herik, "Parallel Monte-Carlo tree search" (2008), section 3.3.
    """
    visits = nodes[node].visits
    nodes[node].visits = visits + 1
    return visits


def backup(nodes, settings, path, depth, mover, other):
    """Add rewards to every node of the path: for the player who moved into its last node, and for the other.

    Once a node on the way up is proven, the rewards of its proven outcome replace them for it and the nodes above it.
    """
    changed = settings.proofs and nodes[path[depth]].proof != UNKNOWN
    nodes[path[depth]].value_sum += mover
    while depth > 0:
        depth -= 1
        node = path[depth]
        mover, other = other, mover
        changed = changed and update_bounds(nodes, node)
        if changed and is_proven(nodes[node].proof):
            outcome = lower_of(nodes[node].proof)
            mover = settings.win if outcome == WIN else settings.draw if outcome == DRAW else 0
            other = settings.win if outcome == LOSS else settings.draw if outcome == DRAW else 0
        nodes[node].value_sum += mover


def discounted(tree, outcome, plies):
    """The reward of an outcome for a player, `plies` plies before the end of the game."""
    if outcome == DRAW:
        return tree.settings.draw
    rewards = tree.wins if outcome == WIN else tree.losses
    return rewards[min(plies, tree.geometry.cells)]


def backup_discounted(tree, nodes, path, depth, result, plies):
    """Like `backup`, with rewards that depend on the plies from a node to the end of the game.

    plies: from the last node of the path; of a proven outcome, by the proof.
    """
    outcome = 1 - result  # for the player who moved into a node
    changed = tree.settings.proofs and nodes[path[depth]].proof != UNKNOWN
    nodes[path[depth]].value_sum += discounted(tree, outcome, plies)
    while depth > 0:
        depth -= 1
        node = path[depth]
        outcome = WIN - outcome
        plies += 1
        changed = changed and update_bounds(nodes, node)
        if changed and is_proven(nodes[node].proof):
            outcome = lower_of(nodes[node].proof)
            plies = nodes[node].proof & DISTANCE_MASK
        nodes[node].value_sum += discounted(tree, outcome, plies)


def record_win(pool, column, plies):
    """Record that the root's player has won a simulation through a column, `plies` plies after the root."""
    known = pool.short_wins[column]
    if known == 0 or plies < known:
        pool.short_wins[column] = plies


def has_moves(tree, nodes, settings, position, node, visits):
    """Whether a simulation that has come to a node goes on to one of its children; makes them if there are none.

    visits: of the node before. At the first there is only a rollout; it gets children at the second.
    """
    if is_proven(nodes[node].proof) or (visits == 0 and (node != ROOT or settings.roll_root)):
        return False
    if nodes[node].children == NO_CHILDREN and not expand(tree, nodes, position, node):
        return False
    if settings.proofs:
        update_bounds(nodes, node)
        return not is_proven(nodes[node].proof)
    return True


def enter(tree, nodes, settings, position, node):
    """Play the move into a node, and count the visit; marks what its first one shows. Returns its earlier visits."""
    geometry = tree.geometry
    cell = free_cell(position, geometry, nodes[node].column)
    fresh = nodes[node].visits == 0
    if fresh and not settings.proofs and completes(position, geometry, cell):
        nodes[node].proof = WON
    drop(position, geometry, cell)
    if settings.rollout != RANDOM or settings.proofs:
        update_threats(position, geometry, cell)
    if fresh and nodes[node].proof == UNKNOWN:
        mark_if_decided(nodes, settings, position, geometry, node)
    if fresh and position.ply <= tree.book_plies:
        mark_by_book(nodes, tree.book, position, geometry, node)
    return add_visit(nodes, settings, node)


def descend(tree, nodes, settings, worker, position):
    """Select moves from the root, where `position` is, down to a leaf. Writes the path; returns the leaf's depth."""
    path = worker.path
    node = ROOT
    depth = 0
    path[0] = ROOT
    visits = add_visit(nodes, settings, ROOT)
    while has_moves(tree, nodes, settings, position, node, visits):
        guaranteed = WIN - upper_of(nodes[node].proof)
        if worker.watch is not None:
            worker.watch(node, visits)
        if settings.random_opponent and depth & 1:
            node = random_child(nodes, worker.generator, node)
        elif settings.rollout == NETWORK:
            node = select_by_prior(tree, nodes, worker.generator, node, visits)
        else:
            node = select(nodes, settings, worker.generator, node, visits)
        depth += 1
        path[depth] = node
        visits = enter(tree, nodes, settings, position, node)
        if settings.probes and is_probe_due(visits):
            budget = visits * (NEAR_PROBE_NODES if depth == 1 else PROBE_NODES)
            if is_in_reach(position, tree.geometry, visits, budget):
                probe(nodes, worker.task, position, tree.geometry, node, guaranteed, budget)
    return depth


def simulate(tree, nodes, settings, worker, root, position):
    """One simulation: from the root to a leaf, a rollout to the end of the game, and backup. Overwrites `position`."""
    geometry = tree.geometry
    path = worker.path
    copy(position, root, geometry)
    depth = descend(tree, nodes, settings, worker, position)
    node = path[depth]
    if settings.rollout == NETWORK and not is_proven(nodes[node].proof):
        other = int(settings.win * evaluate_value(tree.network, position, geometry) + 0.5)
        backup(nodes, settings, path, depth, settings.win - other, other)
        return
    if is_proven(nodes[node].proof):
        result = 1 - lower_of(nodes[node].proof)
        plies = nodes[node].proof & DISTANCE_MASK  # from the node to the end of the game
    else:
        if settings.rollout == RANDOM:
            result = rollout(position, geometry, worker.generator)
        else:
            result = careful_rollout(position, geometry, worker.generator, settings.rollout == SAFE)
        plies = position.ply - root.ply - depth
    if settings.short_wins and depth > 0 and result == (-1 if depth & 1 else 1):
        record_win(tree.pool, nodes[path[1]].column, depth + plies)
    if settings.discount < 1.0:
        backup_discounted(tree, nodes, path, depth, result, plies)
    else:
        mover = 0 if result > 0 else settings.win if result < 0 else settings.draw
        other = settings.win if result > 0 else 0 if result < 0 else settings.draw
        backup(nodes, settings, path, depth, mover, other)
