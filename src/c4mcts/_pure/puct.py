"""Search with an evaluator, which takes the place of rollouts and is called with batches of leaves.

Children are selected by PUCT, see puct_score, or as in Gumbel AlphaZero, see gumbel. Values lie in [-1, 1]. A node's
`visits` count the simulations that have passed through it, `value_sum` the finished ones; the difference is under way.
"""

from math import inf

from .._layout import CLAIMED, DRAW, DRAWN, GROWN_BATCH, MAX_BATCH, NO_CHILDREN, ROOT, UNKNOWN, WON, grown_batch
from .._validation import between
from .bitboard import copy, drop, free_cell, open_columns, paint, winning_columns
from .gumbel import improve_policy, mix_logits, score_moves, select_gumbel
from .poll import ask_if_due, begin, finish
from .pool import Node, NodeEstimate, clear, take
from .proofs import is_proven, lower_of, update_bounds
from .puct_score import mix_priors, prune_visits, select_puct, value_of
from .search import Searcher
from .simulation import add_visit


class Leaf:
    """A leaf that waits for its evaluation."""

    __slots__ = ("depth", "is_last", "legal", "wins")

    def __init__(self):
        self.legal = 0  # the open columns, a bit for each
        self.wins = 0  # those in which the player to move wins at once
        self.depth = 0  # plies from the root
        self.is_last = False  # whether the next move fills the board


def update_proof(nodes, settings, node):
    """Update the bounds of a node from its children's; returns whether its outcome is certain.

    Without prove_draws nothing is kept but wins and losses.
    """
    update_bounds(nodes, node)
    proof = nodes[node].proof
    if not settings.prove_draws and (not is_proven(proof) or lower_of(proof) == DRAW):
        nodes[node].proof = UNKNOWN
    return is_proven(nodes[node].proof)


def root_priors(searcher):
    """The priors of the root's children as the search uses them; empty if they are the tree's.

    With Gumbel AlphaZero g + ln P instead.
    """
    tree = searcher.tree
    if not tree.settings.gumbel and not searcher.noise and tree.settings.root_temperature == 1.0:
        return []
    if not searcher.mixed:
        searcher.mixed = [0.0] * tree.pool.nodes[ROOT].size
        if tree.settings.gumbel:
            mix_logits(tree, searcher.noise, searcher.mixed)
        else:
            mix_priors(tree, searcher.noise, searcher.mixed)
    return searcher.mixed


def descend(searcher, nodes, root, position, path):
    """Go from the root to a node that is proven or has no children; returns its depth in plies below the root."""
    settings = searcher.tree.settings
    geometry = searcher.tree.geometry
    node = ROOT
    depth = 0
    copy(position, root, geometry)
    path[0] = ROOT
    visits = add_visit(nodes, settings, ROOT)
    while not is_proven(nodes[node].proof) and nodes[node].size:
        if settings.proofs and update_proof(nodes, settings, node):
            break
        priors = root_priors(searcher) if node == ROOT else []
        if settings.gumbel:
            node = select_gumbel(searcher.tree, priors, node, searcher.planned, searcher.worker.generator)
        else:
            node = select_puct(searcher.tree, priors, node, visits, searcher.worker.generator)
        depth += 1
        path[depth] = node
        drop(position, geometry, free_cell(position, geometry, nodes[node].column))
        visits = add_visit(nodes, settings, node)
    return depth


def undo_visits(nodes, path, depth):
    """Take back the visits of a descent."""
    for level in range(depth + 1):
        nodes[path[level]].visits -= 1


def back_up_value(pool, settings, path, depth, value):
    """Average a value into every node of the path; it is for the player who moved into the last node.

    With mean_backup that node gets the value itself, and each other one averages in the new mean of the one below.
    """
    level = depth
    while level >= 0:
        node = path[level]
        pool.nodes[node].value_sum += 1
        if settings.mean_backup and level == depth:
            pool.estimates[node].value = value
        else:
            pool.estimates[node].value += (value - pool.estimates[node].value) / pool.nodes[node].value_sum
        value = -(pool.estimates[node].value if settings.mean_backup else value)
        level -= 1


def expand_leaf(tree, nodes, leaf, node, priors):
    """Give an evaluated leaf a child for every open column, with the prior of the column divided by the sum of all.

    If the pool is full, it stays a leaf.
    """
    pool = tree.pool
    size = 0
    total = 0.0
    for column in range(tree.geometry.width):
        if leaf.legal >> column & 1:
            size += 1
            total += priors[column]
    first = take(pool, size)
    if first != NO_CHILDREN:
        child = first
        for column in range(tree.geometry.width):
            if leaf.legal >> column & 1:
                nodes[child] = Node(column)
                pool.estimates[child] = NodeEstimate(priors[column] / total if total > 0.0 else 1.0 / size)
                if leaf.wins >> column & 1:
                    nodes[child].proof = WON
                elif leaf.is_last:
                    nodes[child].proof = DRAWN
                child += 1
        nodes[node].size = size
    nodes[node].children = first


def gather_leaves(searcher, count, planes):
    """Make up to `count` descents, and paint the leaves of those that wait for their evaluation; returns their number.

    The last descent is undone if it ends at a leaf that waits already.
    """
    tree = searcher.tree
    nodes = tree.pool.nodes
    settings = tree.settings
    geometry = tree.geometry
    position = searcher.worker.position
    made = searcher.waiting = 0
    if nodes[ROOT].size == 0:
        searcher.mixed = []
    while made < count and not is_proven(nodes[ROOT].proof):
        path = searcher.paths[searcher.waiting]
        depth = descend(searcher, nodes, searcher.root, position, path)
        node = path[depth]
        if nodes[node].children == CLAIMED:
            undo_visits(nodes, path, depth)
            break
        made += 1
        if is_proven(nodes[node].proof):
            back_up_value(tree.pool, settings, path, depth, value_of(settings, nodes[node].proof))
            continue
        nodes[node].children = CLAIMED
        paint(planes, searcher.waiting, position, geometry, settings.signed_planes)
        leaf = searcher.leaves[searcher.waiting]
        leaf.legal = open_columns(position, geometry)
        if node == ROOT:
            leaf.legal &= tree.root_columns
        leaf.wins = winning_columns(position, geometry)
        leaf.depth = depth
        leaf.is_last = position.ply + 1 == geometry.cells
        searcher.waiting += 1
    return made


def complete_leaf(searcher, i, priors, value):
    """Expand the leaf number i of those that wait, and back up its value, which is for the player to move there."""
    tree = searcher.tree
    leaf = searcher.leaves[i]
    path = searcher.paths[i]
    expand_leaf(tree, tree.pool.nodes, leaf, path[leaf.depth], priors)
    back_up_value(tree.pool, tree.settings, path, leaf.depth, -value)
    if tree.pool.raw_values is not None:
        tree.pool.raw_values[path[leaf.depth]] = value


def rate_children(searcher, scores, weights):
    """Write the results of a finished search for each child of the root other than its visits and its value.

    scores: decide between equal visits, with Gumbel AlphaZero. weights: of the policy; the priors, if the root alone
    has been visited.
    """
    tree = searcher.tree
    first = tree.pool.nodes[ROOT].children
    total = 0.0
    for i in range(tree.pool.nodes[ROOT].size):
        scores[i] = 0.0
        weights[i] = float(tree.pool.nodes[first + i].visits)
        total += weights[i]
    if tree.settings.gumbel:
        score_moves(tree, root_priors(searcher), scores)
        improve_policy(tree, ROOT, weights)
    elif total == 0.0:
        for i in range(tree.pool.nodes[ROOT].size):
            weights[i] = tree.pool.estimates[first + i].prior
    elif tree.settings.forced_visits > 0.0:
        prune_visits(tree, root_priors(searcher), weights)


class PuctSearcher(Searcher):
    """A tree whose leaves are evaluated in batches."""

    def __init__(self, rules, settings, state, solver):
        super().__init__(rules, settings, state, solver)
        self.batch_size = between("batch_size", settings.batch_size, 0, MAX_BATCH) or GROWN_BATCH
        self.tree.pool.estimates = [NodeEstimate(1.0)]
        self.paths = [[ROOT] * (self.tree.geometry.cells + 1) for _ in range(self.batch_size)]
        self.leaves = [Leaf() for _ in range(self.batch_size)]
        if settings.gumbel:
            self.tree.pool.raw_values = [0.0]
        self.noise = []  # by child of the root: its share of the noise in the priors, or g; empty for none
        self.mixed = []  # see root_priors; empty until a search needs them
        self.planned = 0  # simulations of the search, for sequential halving
        self.waiting = 0  # descents that wait for an evaluation
        self.evaluating = False  # whether the evaluator is at work

    def set_noise(self, noise):
        """Set the noise for the children of a new root: a number for each, in column order; empty for none."""
        self.noise = list(noise)
        self.mixed = []

    def simulate(self, count, max_simulations, max_nodes, evaluate, poll, milliseconds=inf):
        """Run batches until at least `count` simulations are done, never more than `max_simulations`; returns the
        number.

        Fewer if the tree gets `max_nodes` or its root is proven, after these milliseconds, and once `poll` returns
        true, which is called about every 10 ms. The sizes of the batches depend on `max_simulations` and not on
        `count`, so that a search gives the same tree however it is divided into calls; so do the rounds of
        sequential halving.

        evaluate(planes, legal): checked priors and values for the player to move. If it raises, the simulations that
        wait for it are undone and its exception is raised.
        """
        pool = self.tree.pool
        done = 0
        begin(self.poll, poll, milliseconds)
        self.planned = pool.nodes[ROOT].visits + max_simulations
        try:
            while done < count and not (done and pool.used >= max_nodes) and not self.is_proven():
                made, planes, legal = self.gather(min(max_simulations - done, self.next_batch()))
                if self.waiting:
                    self.evaluating = True
                    priors, values = evaluate(planes, legal)
                    self.evaluating = False
                    self.complete(priors.tolist(), values.tolist())
                    self.waiting = 0
                done += made
                ask_if_due(self.poll)
                if self.poll.halted:
                    break
        except BaseException:
            if self.evaluating:
                self.abandon()
            else:
                clear(pool)  # a signal handler has raised in the middle of a descent or a backup
            raise
        finally:
            self.evaluating = False
            self.waiting = 0
            finish(self.poll)
        return done

    def next_batch(self):
        """Positions that the evaluator gets at once, at most: the more, the larger the tree, unless a number is set."""
        return self.tree.settings.batch_size or grown_batch(self.tree.pool.nodes[ROOT].visits)

    def gather(self, count):
        """Make up to `count` descents; returns the number, and the planes and legal columns of those that wait."""
        between("count", count, 0, self.batch_size)
        geometry = self.tree.geometry
        size = geometry.width * geometry.height * (1 if self.tree.settings.signed_planes else 2)
        planes = [0.0] * (count * size)
        made = gather_leaves(self, count, planes)
        legal = [
            self.leaves[i].legal >> column & 1 != 0 for i in range(self.waiting) for column in range(geometry.width)
        ]
        return made, planes[: self.waiting * size], legal

    def abandon(self):
        """Undo the descents that wait."""
        nodes = self.tree.pool.nodes
        for i in range(self.waiting):
            nodes[self.paths[i][self.leaves[i].depth]].children = NO_CHILDREN
            undo_visits(nodes, self.paths[i], self.leaves[i].depth)

    def complete(self, priors, values):
        """Expand the leaves that wait, and back up their values."""
        for i in range(self.waiting):
            complete_leaf(self, i, priors[i], values[i])
