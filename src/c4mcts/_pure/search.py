"""UCT: select, expand, rollout, backup. One pass is a simulation.

Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006); the names of the four steps are those of Browne et
al., "A survey of Monte Carlo tree search methods" (2012), section III.
"""

from math import inf, sqrt

from .._layout import (
    DRAW,
    DRAWN,
    FIRST_PROBE,
    LN2,
    LOG_BITS,
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
    log_table,
)
from .bitboard import (
    Position,
    completes,
    copy,
    drop,
    free_cell,
    geometry_of,
    is_open,
    load,
    play,
)
from .blocks import find, note
from .pool import Node, Pool, clear, keep, rows
from .proofs import foresee, is_proven, lower_of, mark, probe, settle, upper_of
from .rng import Generator, choice
from .rollout import careful_rollout, rollout
from .threats import find_threats, update_threats

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
    (2002), section 2. N counts the visits of the position where its children are shared, else those of the node.
    A child that can't be better than what the player is sure of is left alone.
    """
    first = nodes[node].children
    size = nodes[node].size
    parent = nodes[node].visits
    if settings.transpositions:
        parent = sum(nodes[first + i].visits for i in range(size))
    exploration = settings.exploration * sqrt(log(parent)) if parent else 0.0
    floor = WIN - upper_of(nodes[node].proof)
    scores = []
    chosen = 0
    for i in range(size):
        visits = nodes[first + i].visits
        if settings.proofs and upper_of(nodes[first + i].proof) <= floor:
            scores.append(-inf)
        elif visits == 0:
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


def expand(pool, nodes, settings, position, geometry, node):
    """Give a leaf a child for every open column; False if there is none or the pool is full."""
    size = sum(is_open(position, geometry, column) for column in range(geometry.width))
    if settings.transpositions:
        nodes[node].children = find(pool.blocks, position, geometry)
        if nodes[node].children != NO_CHILDREN:
            nodes[node].size = size
            return True
    if size == 0 or size > pool.limit - pool.used:
        return False
    nodes[node].children = pool.used
    nodes[node].size = size
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            nodes.append(Node(column))
            pool.used += 1
    if settings.transpositions:
        note(pool.blocks, position, geometry, nodes[node].children)
    if settings.proofs:
        mark(nodes, position, geometry, node)
    return True


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


def backup(nodes, settings, path, depth, result):
    """Add one result to every node of the path; 1, 0 or -1 for the player to move at its last node.

    From a node on that gets proven on the way, what is proven takes the place of the result.
    """
    # rewards of the player who moved into the last node, and of the other
    mover = 0 if result > 0 else settings.win if result < 0 else settings.draw
    other = settings.win if result > 0 else 0 if result < 0 else settings.draw
    changed = settings.proofs and nodes[path[depth]].proof != UNKNOWN
    nodes[path[depth]].visits += 1
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
        nodes[node].visits += 1
        nodes[node].value_sum += mover


def simulate(pool, nodes, settings, geometry, generator, task, root, position, path):
    """One pass from the root to a leaf, to the end of a game, and back."""
    copy(position, root, geometry)
    node = ROOT
    depth = 0
    path[0] = ROOT
    while not is_proven(nodes[node].proof):
        if nodes[node].children == NO_CHILDREN:
            # the first visit of a node is a rollout of its own; it gets children when it is reached again
            if nodes[node].visits == 0 and (node != ROOT or settings.roll_root):
                break
            if not expand(pool, nodes, settings, position, geometry, node):
                break
        if settings.proofs and settle(nodes, node) and is_proven(nodes[node].proof):
            break
        floor = WIN - upper_of(nodes[node].proof)
        node = select(nodes, settings, generator, node)
        depth += 1
        path[depth] = node
        cell = free_cell(position, geometry, nodes[node].column)
        if not settings.proofs and nodes[node].visits == 0 and completes(position, geometry, cell):
            nodes[node].proof = WON
        drop(position, geometry, cell)
        if settings.rollout != RANDOM or settings.proofs:
            update_threats(position, geometry, cell)
        if nodes[node].visits == 0 and nodes[node].proof == UNKNOWN:
            inspect(nodes, settings, position, geometry, node)
        elif settings.probes and is_milestone(nodes[node].visits):
            budget = nodes[node].visits * (NEAR_PROBE_NODES if depth == 1 else PROBE_NODES)
            probe(nodes, task, position, node, floor, budget)
    if is_proven(nodes[node].proof):
        result = 1 - lower_of(nodes[node].proof)
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

    def __init__(self, rules, settings, state, solver):
        """`settings`: a _layout.Settings; `state`: two 64-bit words, not both zero; `solver`: for probes, or None."""
        self.geometry = geometry_of(rules)
        self.settings = settings._replace(probes=settings.probes and solver is not None)
        self.generator = Generator(*state)
        self.task = None if solver is None else solver.task
        self.pool = Pool(settings.max_nodes)
        self.root = Position()
        self.position = Position()
        self.path = [ROOT] * (self.geometry.cells + 1)

    def set_root(self, own, mask):
        """Start a new tree at an unfinished position: discs of the player to move, and all discs."""
        load(self.root, self.geometry, own, mask)
        find_threats(self.root, self.geometry)
        clear(self.pool)

    def simulate(self, count, enough, poll):
        """Run up to `count` simulations, fewer if the tree gets `enough` nodes or its root is proven; returns how many.

        poll: called during long probes; if it returns true, this simulation is the last.
        """
        pool = self.pool
        task = self.task
        done = 0
        if task is not None:
            task.poll = poll
            task.error = None
            task.halted = False
        try:
            while done < count and not (done and pool.used >= enough) and not is_proven(pool.nodes[ROOT].proof):
                simulate(
                    pool,
                    pool.nodes,
                    self.settings,
                    self.geometry,
                    self.generator,
                    task,
                    self.root,
                    self.position,
                    self.path,
                )
                done += 1
                if task is not None and task.halted:
                    break
        except BaseException:
            # a signal's handler has raised in the middle of a simulation: better a fresh tree than half a count
            clear(pool)
            raise
        if task is not None and task.error is not None:
            raise task.error
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

    def is_proven(self):
        """Whether the outcome is certain."""
        return is_proven(self.pool.nodes[ROOT].proof)

    def used(self):
        """Number of nodes in the tree."""
        return self.pool.used

    def rows(self, first, count):
        """Copies of nodes, see pool.rows."""
        return rows(self.pool, first, count)

    def state(self):
        """The generator's state."""
        return self.generator.a, self.generator.b
