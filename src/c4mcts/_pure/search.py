"""The searcher: grows one tree by simulations, moves its root, checks it, and returns its nodes."""

from math import inf

from .._layout import (
    ALL_COLUMNS,
    MIN_LINE_VISITS,
    NETWORK,
    NO_COLUMN,
    NO_FAULT,
    PACKED_NODE,
    ROOT,
    UNKNOWN,
    Fault,
    discounted_rewards,
)
from .bitboard import Position, load, play
from .cells import geometry_of
from .consistency import check
from .numbers import Generator
from .poll import Poll, ask_if_due, begin, finish
from .pool import (
    FIELDS,
    Node,
    NodeEstimate,
    NodePool,
    Tree,
    clear,
    estimates,
    keep_subtree,
    most_visits,
    rows,
    set_estimates,
)
from .proofs import is_proven, keeps, line_order
from .simulation import Worker, simulate
from .threats import find_threats


def child_of(pool, node, column):
    """The child that a column leads to; ROOT, which is never a child, if there is none."""
    nodes = pool.nodes
    first = nodes[node].children
    for child in range(first, first + nodes[node].size):
        if nodes[child].column == column:
            return child
    return ROOT


def best_line(pool, node, proof):
    """The best moves below a node, to the first that is neither proven nor visited MIN_LINE_VISITS times.

    proof: of the node. From a proven position on, the line has only moves that keep the proof.
    """
    nodes = pool.nodes
    line = []
    order = 0
    size = nodes[node].size
    while size:
        first = nodes[node].children
        node = ROOT
        for child in range(first, first + size):
            if keeps(proof, nodes[child].proof):
                rank = line_order(nodes[child].proof, nodes[child].visits)
                if node == ROOT or rank > order:
                    node = child
                    order = rank
        if node == ROOT or (nodes[node].visits < MIN_LINE_VISITS and nodes[node].proof == UNKNOWN):
            break
        line.append(nodes[node].column)
        proof = nodes[node].proof
        size = nodes[node].size
    return line


class Searcher:
    """One tree, its root position and its generator."""

    def __init__(self, rules, settings, state, solver, book=None, network=None):
        """settings: a _layout.Settings. state: two 64-bit integers, not both zero. solver: for probes, or None.

        book: a BookScores whose positions are proven at their first visit, or None; needs settings.proofs. network: a
        Network, which settings.rollout == NETWORK needs, or None.
        """
        if settings.rollout == NETWORK and (network is None or network.rules != rules):
            raise ValueError(f"there must be a network for {rules}")
        if solver is not None and solver.rules != rules:
            raise ValueError(f"the solver is for {solver.rules}, not for {rules}")
        if book is not None and book.rules != rules:
            raise ValueError(f"the book is for {book.rules}, not for {rules}")
        self.tree = Tree()
        self.tree.network = network
        self.tree.book = book
        self.tree.book_plies = -1 if book is None else book.last_ply
        self.tree.root_columns = ALL_COLUMNS
        self.tree.geometry = geometry_of(rules)
        self.tree.settings = settings._replace(probes=settings.probes and solver is not None)
        self.tree.wins, self.tree.losses = discounted_rewards(
            settings.win, settings.draw, settings.discount, self.tree.geometry.cells
        )
        self.tree.pool = NodePool(settings.max_nodes)
        if settings.rollout == NETWORK:
            self.tree.pool.estimates = [NodeEstimate(1.0)]
        task = None if solver is None else solver.task
        path = [ROOT] * (self.tree.geometry.cells + 1)
        self.worker = Worker(Generator(*state), task, Position(), path)
        self.poll = Poll()
        self.root = Position()

    def set_root(self, own, mask, columns=ALL_COLUMNS):
        """Start a new tree at an unfinished position: discs of the player to move, and all discs.

        columns: that the root may play, a bit for each; the others are no moves of it.
        """
        self.tree.root_columns = columns
        load(self.root, self.tree.geometry, own, mask)
        find_threats(self.root, self.tree.geometry)
        clear(self.tree.pool)

    def set_salt(self, salt):
        self.tree.settings = self.tree.settings._replace(salt=salt)

    def simulate(self, count, max_nodes, poll, milliseconds=inf):
        """Run up to `count` simulations, until the tree has `max_nodes` or its root is proven; returns the number run.

        At least one, unless the root is proven. After these milliseconds, or once `poll` returns true, which is called
        about every 10 ms, the simulation under way is the last; a probe is left in the middle.
        """
        pool = self.tree.pool
        done = 0
        begin(self.poll, poll, milliseconds)
        if self.worker.task is not None:
            self.worker.task.poll = self.poll
        try:
            while done < count and not (done and pool.used >= max_nodes) and not self.is_proven():
                simulate(self.tree, pool.nodes, self.tree.settings, self.worker, self.root, self.worker.position)
                done += 1
                ask_if_due(self.poll)
                if self.poll.halted:
                    break
        except BaseException:
            # a signal handler has raised in the middle of a simulation: its visits are without rewards
            clear(pool)
            raise
        finally:
            finish(self.poll)
        return done

    def advance(self, columns):
        """Play moves at the root, keep the subtree that they lead to, and drop the rest.

        False, and nothing is changed, if the tree does not reach that far.
        """
        node = ROOT
        columns = list(columns)
        for column in columns:
            node = child_of(self.tree.pool, node, column)
            if node == ROOT:
                return False
        keep_subtree(self.tree.pool, node)
        self.tree.root_columns = ALL_COLUMNS
        for column in columns:
            play(self.root, self.tree.geometry, column)
        find_threats(self.root, self.tree.geometry)
        return True

    def check(self, fill=False):
        """The first fault of the tree and its node: see consistency.check."""
        return check(self.tree, self.root, fill)

    def restore(self, own, mask, state, data, short_wins):
        """Replace the tree by one that was saved: position, generator's state, nodes as from `rows`, and short_wins.

        Returns what `check` finds; if that is a fault, or an exception is raised, the tree is empty.
        """
        pool = self.tree.pool
        count = len(data) // PACKED_NODE.size
        if len(short_wins) > self.tree.geometry.width:
            raise ValueError(f"short_wins must be at most {self.tree.geometry.width} numbers, not {len(short_wins)}")
        self.set_root(own, mask)
        if count * PACKED_NODE.size != len(data) or not 1 <= count <= pool.limit:
            return Fault.BLOCK, ROOT
        pool.nodes = [Node(NO_COLUMN) for _ in range(count)]
        for node, values in zip(pool.nodes, PACKED_NODE.iter_unpack(data), strict=True):
            for name, value in zip(FIELDS, values, strict=True):
                setattr(node, name, value)
        if pool.estimates is not None:
            pool.estimates = [NodeEstimate(1.0) for _ in range(count)]
        if pool.raw_values is not None:
            pool.raw_values = [0.0] * count  # they are not saved: searches that need them start a new tree
        pool.used = count
        fault = Fault.BLOCK, ROOT
        try:
            fault = self.check(fill=True)
        finally:
            if fault[0] != NO_FAULT:
                clear(pool)
        self.worker.generator = Generator(*state)
        for column, plies in enumerate(short_wins):
            self.tree.pool.short_wins[column] = plies
        return fault

    def nbytes(self):
        """Approximate memory of the tree in bytes: 88 for the object of a node and 8 for its place in a list."""
        return (96 if self.tree.pool.estimates is None else 200) * self.tree.pool.used + 300 * len(
            self.tree.pool.blocks.entries
        )

    def is_proven(self):
        return is_proven(self.tree.pool.nodes[ROOT].proof)

    def used(self):
        return self.tree.pool.used

    def visits(self):
        return self.tree.pool.nodes[ROOT].visits

    def most_visits(self):
        return most_visits(self.tree.pool)

    def rows(self, first, count):
        return rows(self.tree.pool, first, count)

    def line(self, column, proof):
        """The best moves after a column of the root: see best_line. proof: of the column."""
        node = child_of(self.tree.pool, ROOT, column)
        return [] if node == ROOT else best_line(self.tree.pool, node, proof)

    def estimates(self, first, count):
        """Values and priors of nodes as bytes: see pool.estimates."""
        return estimates(self.tree.pool, first, count)

    def set_estimates(self, data):
        """Set values and priors from bytes: see pool.set_estimates."""
        return set_estimates(self.tree.pool, data)

    def short_wins(self):
        """Plies to the soonest win seen through each column of the root; 0: none."""
        return [self.tree.pool.short_wins[column] for column in range(self.tree.geometry.width)]

    def state(self):
        return self.worker.generator.a, self.worker.generator.b
