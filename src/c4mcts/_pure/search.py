"""UCT: select, expand, rollout, backup. One pass is a simulation.

Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006); the names of the four steps are those of Browne et
al., "A survey of Monte Carlo tree search methods" (2012), section III.
"""

from .._layout import (
    DRAW,
    DRAWN,
    FIRST_PROBE,
    LOSS,
    NEAR_PROBE_NODES,
    NO_CHILDREN,
    NO_COLUMN,
    PROBE_NODES,
    RANDOM,
    ROOT,
    SAFE,
    UNKNOWN,
    WIN,
    WON,
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
from .blocks import find, is_full, note
from .checking import check
from .pool import FIELDS, PACKED, Node, Pool, clear, keep, rows
from .proofs import foresee, is_proven, lower_of, mark, probe, settle, upper_of
from .rng import Generator
from .rollout import careful_rollout, rollout
from .selection import select
from .solver import finish
from .threats import find_threats, update_threats


def expand(pool, nodes, settings, position, geometry, node):
    """Give a leaf a child for every open column; False if there is none or the pool is full."""
    size = sum(is_open(position, geometry, column) for column in range(geometry.width))
    if settings.transpositions:
        nodes[node].children = find(pool.blocks, position, geometry)
        if nodes[node].children != NO_CHILDREN:
            nodes[node].size = size
            return True
        if is_full(pool.blocks):
            return False
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
        if task is not None:
            finish(task)
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

    def check(self, fill=False):
        """What is wrong with the tree: see checking.check."""
        return check(self.pool, self.settings, self.geometry, self.root, fill)

    def restore(self, own, mask, state, data):
        """Take over a tree at a position, in the bytes of its rows, and a generator's state.

        Returns what `check` finds; if that is a fault, or an exception is raised, the tree is empty.
        """
        pool = self.pool
        count = len(data) // PACKED.size
        self.set_root(own, mask)
        if count * PACKED.size != len(data) or not 1 <= count <= pool.limit:
            return 1, 0
        pool.nodes = [Node(NO_COLUMN) for _ in range(count)]
        for node, values in zip(pool.nodes, PACKED.iter_unpack(data), strict=True):
            for name, value in zip(FIELDS, values, strict=True):
                setattr(node, name, value)
        pool.used = count
        fault = 1, 0
        try:
            fault = self.check(fill=True)
        finally:
            if fault[0]:
                clear(pool)
        self.generator = Generator(*state)
        return fault

    def nbytes(self):
        """Bytes of memory the tree takes, about: an object of 88 bytes and a place in a list for each node."""
        return 96 * self.pool.used + 200 * len(self.pool.blocks.firsts)

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
