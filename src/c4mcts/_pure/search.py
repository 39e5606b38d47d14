"""The searcher: one tree, grown by simulations, and what is done with it between them."""

from .._layout import NO_COLUMN, ROOT
from ..rules import sound
from .bitboard import Position, geometry_of, load, play
from .consistency import check
from .poll import Poll, begin, finish
from .pool import FIELDS, PACKED, Estimate, Node, Pool, clear, estimates, keep, most_visits, rows, set_estimates
from .proofs import is_proven
from .rng import Generator
from .simulation import simulate
from .threats import find_threats


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
        rules = sound(rules)
        if solver is not None and solver.rules != rules:
            raise ValueError(f"the solver is for {solver.rules}, not for {rules}")
        self.geometry = geometry_of(rules)
        self.settings = settings._replace(probes=settings.probes and solver is not None)
        self.generator = Generator(*state)
        self.task = None if solver is None else solver.task
        self.poll = Poll()
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

        poll: called in the course of long probes; if it returns true, this simulation is the last.
        """
        pool = self.pool
        done = 0
        begin(self.poll, poll)
        if self.task is not None:
            self.task.poll = self.poll
        try:
            while done < count and not (done and pool.used >= enough) and not self.is_proven():
                simulate(
                    pool,
                    pool.nodes,
                    self.settings,
                    self.geometry,
                    self.generator,
                    self.task,
                    self.root,
                    self.position,
                    self.path,
                )
                done += 1
                if self.poll.halted:
                    break
        except BaseException:
            # a signal's handler has raised in the middle of a simulation: better a fresh tree than half a count
            clear(pool)
            raise
        finish(self.poll)
        return done

    def advance(self, columns):
        """Play moves at the root and keep the subtree they lead to, dropping the rest.

        False, and nothing is changed, if the tree does not hold the last of them.
        """
        node = ROOT
        columns = list(columns)
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
        """What is wrong with the tree: see consistency.check."""
        return check(self.pool, self.settings, self.geometry, self.root, fill)

    def restore(self, own, mask, state, data, short_wins):
        """Take over a tree at a position, in the bytes of its rows, a generator's state, and what short_wins gave.

        Returns what `check` finds; if that is a fault, or an exception is raised, the tree is empty.
        """
        pool = self.pool
        count = len(data) // PACKED.size
        if len(short_wins) > self.geometry.width:
            raise ValueError(f"short_wins must be at most {self.geometry.width} numbers, not {len(short_wins)}")
        self.set_root(own, mask)
        if count * PACKED.size != len(data) or not 1 <= count <= pool.limit:
            return 1, 0
        pool.nodes = [Node(NO_COLUMN) for _ in range(count)]
        for node, values in zip(pool.nodes, PACKED.iter_unpack(data), strict=True):
            for name, value in zip(FIELDS, values, strict=True):
                setattr(node, name, value)
        if pool.estimates is not None:
            pool.estimates = [Estimate(1.0) for _ in range(count)]
        pool.used = count
        fault = 1, 0
        try:
            fault = self.check(fill=True)
        finally:
            if fault[0]:
                clear(pool)
        self.generator = Generator(*state)
        for column, plies in enumerate(short_wins):
            self.pool.short_wins[column] = plies
        return fault

    def nbytes(self):
        """Bytes of memory the tree takes, about: an object of 88 bytes and a place in a list for each node."""
        return (96 if self.pool.estimates is None else 200) * self.pool.used + 300 * len(self.pool.blocks.entries)

    def is_proven(self):
        """Whether the outcome is certain."""
        return is_proven(self.pool.nodes[ROOT].proof)

    def used(self):
        """Number of nodes in the tree."""
        return self.pool.used

    def most_visits(self):
        """Visits of the node that has the most."""
        return most_visits(self.pool)

    def rows(self, first, count):
        """Copies of nodes, see pool.rows."""
        return rows(self.pool, first, count)

    def estimates(self, first, count):
        """Values and priors of nodes, see pool.estimates."""
        return estimates(self.pool, first, count)

    def set_estimates(self, data):
        """Take over values and priors, see pool.set_estimates."""
        return set_estimates(self.pool, data)

    def short_wins(self):
        """Plies to the soonest win seen through each column of the root; 0: none."""
        return [self.pool.short_wins[column] for column in range(self.geometry.width)]

    def state(self):
        """The generator's state."""
        return self.generator.a, self.generator.b
