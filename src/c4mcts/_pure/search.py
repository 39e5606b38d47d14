"""UCT: select, expand, rollout, backup. One pass is a simulation.

Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006); the names of the four steps are those of Browne et
al., "A survey of Monte Carlo tree search methods" (2012), section III.
"""

from math import sqrt

from .._layout import DRAWN, LN2, LOG_BITS, NO_CHILDREN, RANDOM, ROOT, SAFE, UNKNOWN, WON, log_table
from .bitboard import (
    Position,
    completes,
    copy,
    drop,
    find_threats,
    free_cell,
    geometry_of,
    is_open,
    load,
    play,
    update_threats,
)
from .pool import Node, Pool, clear, keep, rows
from .rng import Generator, choice
from .rollout import careful_rollout, rollout

LOG = log_table()


def log(n):
    """Natural logarithm of n >= 1: exact below 2**LOG_BITS, above from the leading bits alone (5e-4 off at most)."""
    shift = 0
    while n >> shift >= 1 << LOG_BITS:
        shift += 1
    return LOG[n >> shift] + shift * LN2


def inverse(n):
    """1 / n."""
    return 1.0 / n


def inverse_sqrt(n):
    """1 / sqrt(n)."""
    return 1.0 / sqrt(n)


def select(nodes, settings, generator, node):
    """The child with the highest UCB1 score, from the view of the player to move at `node`.

    mean + c sqrt(ln N / n): Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem"
    (2002), section 2.
    """
    exploration = settings.exploration * sqrt(log(nodes[node].visits)) if nodes[node].visits else 0.0
    scores = []
    first = nodes[node].children
    size = nodes[node].size
    chosen = 0
    for i in range(size):
        visits = nodes[first + i].visits
        if visits == 0:
            scores.append(settings.first_play)
        else:
            scores.append(nodes[first + i].value_sum * inverse(visits) + exploration * inverse_sqrt(visits))
    best = scores[0]
    for i in range(1, size):
        if scores[i] > best:
            best = scores[i]
            chosen = i
    if settings.random_ties:
        ties = scores.count(best)
        if ties > 1:
            ties = choice(generator, ties)
            while ties > 0:
                chosen += 1
                ties -= scores[chosen] == best
    return first + chosen


def expand(pool, nodes, position, geometry, node):
    """Give a leaf a child for every open column; False if there is none or the pool is full."""
    size = sum(is_open(position, geometry, column) for column in range(geometry.width))
    if size == 0 or size > pool.limit - pool.used:
        return False
    nodes[node].children = pool.used
    nodes[node].size = size
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            nodes.append(Node(column))
            pool.used += 1
    return True


def backup(nodes, settings, path, depth, result):
    """Add one result to every node of the path; 1, 0 or -1 for the player to move at its last node."""
    # rewards of the player who moved into the last node, and of the other
    mover = 0 if result > 0 else settings.win if result < 0 else settings.draw
    other = settings.win if result > 0 else 0 if result < 0 else settings.draw
    while depth >= 0:
        node = path[depth]
        nodes[node].visits += 1
        nodes[node].value_sum += mover
        mover, other = other, mover
        depth -= 1


def simulate(pool, nodes, settings, geometry, generator, root, position, path):
    """One pass from the root to a leaf, to the end of a game, and back."""
    copy(position, root, geometry)
    node = ROOT
    depth = 0
    path[0] = ROOT
    while nodes[node].proof == UNKNOWN:
        if nodes[node].children == NO_CHILDREN:
            # the first visit of a node is a rollout of its own; it gets children when it is reached again
            if nodes[node].visits == 0 and (node != ROOT or settings.roll_root):
                break
            if not expand(pool, nodes, position, geometry, node):
                break
        node = select(nodes, settings, generator, node)
        depth += 1
        path[depth] = node
        cell = free_cell(position, geometry, nodes[node].column)
        if nodes[node].visits == 0 and completes(position, geometry, cell):
            nodes[node].proof = WON
        drop(position, geometry, cell)
        if settings.rollout != RANDOM:
            update_threats(position, geometry, cell)
        if nodes[node].visits == 0 and nodes[node].proof == UNKNOWN and position.ply == geometry.cells:
            nodes[node].proof = DRAWN
    if nodes[node].proof == WON:
        result = -1
    elif nodes[node].proof == DRAWN:
        result = 0
    elif settings.rollout == RANDOM:
        result = rollout(position, geometry, generator)
    else:
        result = careful_rollout(position, geometry, generator, settings.rollout == SAFE)
    backup(nodes, settings, path, depth, result)


def child_of(pool, node, column):
    """The child that a column leads to; ROOT, which is nobody's child, if there is none."""
    nodes = pool.nodes
    first = nodes[node].children
    for child in range(first, first + nodes[node].size):
        if nodes[child].column == column:
            return child
    return ROOT


class Searcher:
    """One tree, its root position and its generator."""

    def __init__(self, rules, settings, state):
        """`settings`: a _layout.Settings; `state`: two 64-bit words, not both zero."""
        self.geometry = geometry_of(rules)
        self.settings = settings
        self.generator = Generator(*state)
        self.pool = Pool(settings.max_nodes)
        self.root = Position()
        self.position = Position()
        self.path = [ROOT] * (self.geometry.cells + 1)

    def set_root(self, own, mask):
        """Start a new tree at an unfinished position: discs of the player to move, and all discs."""
        load(self.root, self.geometry, own, mask)
        find_threats(self.root, self.geometry)
        clear(self.pool)

    def simulate(self, count, enough):
        """Run up to `count` simulations, fewer if the tree gets `enough` nodes; returns how many."""
        pool = self.pool
        settings = self.settings
        geometry = self.geometry
        path = self.path
        done = 0
        try:
            while done < count and not (done and pool.used >= enough):
                simulate(pool, pool.nodes, settings, geometry, self.generator, self.root, self.position, path)
                done += 1
        except BaseException:
            # a signal's handler has raised in the middle of a simulation: better a fresh tree than half a count
            clear(pool)
            raise
        return done

    def advance(self, columns):
        """Play moves at the root and keep the subtree they lead to, dropping the rest.

        False, and nothing is changed, if the tree does not hold the last of them.
        """
        node = ROOT
        for column in columns:
            node = child_of(self.pool, node, column)
            if node == ROOT:
                return False
        keep(self.pool, node)
        for column in columns:
            play(self.root, self.geometry, column)
        find_threats(self.root, self.geometry)
        return True

    def used(self):
        """Number of nodes in the tree."""
        return self.pool.used

    def rows(self, first, count):
        """Copies of nodes, see pool.rows."""
        return rows(self.pool, first, count)

    def state(self):
        """The generator's state."""
        return self.generator.a, self.generator.b
