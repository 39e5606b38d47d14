"""PUCT: an evaluator takes the place of rollouts and is called with batches of leaves.

The score is that of AlphaZero: Silver et al., "Mastering the game of Go without human knowledge" (2017), methods;
Rosin, "Multi-armed bandits with episode context" (2011). Values lie in [-1, 1]. A node's `visits` count the simulations
that have passed through it, `value_sum` those of them that are finished; the difference is under way.
"""

from math import inf, sqrt

from .._layout import CLAIMED, DRAW, DRAWN, MAX_BATCH, NO_CHILDREN, ROOT, UNKNOWN, WIN, WON
from .._validation import between
from .bitboard import completes, copy, drop, free_cell, is_open, open_columns, play
from .planes import paint
from .pool import Estimate, Node, clear, take
from .proofs import is_proven, lower_of, update_bounds, upper_of
from .search import Searcher
from .selection import best_index
from .simulation import add_visit


def mean(tree, node):
    """The mean value of a visited node; each simulation under way counts as `virtual_loss` losses."""
    pool = tree.pool
    visits = pool.nodes[node].visits
    finished = pool.nodes[node].value_sum
    if visits == finished:
        return pool.estimates[node].value
    return (pool.estimates[node].value * finished - tree.settings.virtual_loss * (visits - finished)) / visits


def score_children(searcher, node, parent, scores):
    """Write Q + c P sqrt(N) / (1 + n) of every child into a list, from the view of the player to move at `node`.

    parent: N, the earlier visits of the node. The priors P of the root's children are mixed with the searcher's noise.
    With equal_start all scores are 0 until a visit below the node has been backed up.
    """
    tree = searcher.tree
    nodes = tree.pool.nodes
    settings = tree.settings
    first = nodes[node].children
    exploration = settings.exploration * sqrt(parent)
    is_new = settings.equal_start and nodes[node].value_sum <= 1
    guaranteed = WIN - upper_of(nodes[node].proof)
    size = nodes[node].size
    for i in range(size):
        visits = nodes[first + i].visits
        prior = tree.pool.estimates[first + i].prior
        if node == ROOT and searcher.noise:
            prior += settings.noise * (searcher.noise[i] - prior)
        if settings.proofs and nodes[first + i].proof != UNKNOWN and upper_of(nodes[first + i].proof) <= guaranteed:
            scores.append(-inf)
        elif is_new:
            scores.append(0.0)
        else:
            value = mean(tree, first + i) if visits else settings.first_play
            scores.append(value + exploration * prior / (1 + visits))


def select_puct(searcher, node, parent):
    """The child with the highest score. parent: see score_children."""
    settings = searcher.tree.settings
    nodes = searcher.tree.pool.nodes
    scores = []
    score_children(searcher, node, parent, scores)
    return nodes[node].children + best_index(scores, nodes[node].size, settings, searcher.worker.generator)


def update_proof(nodes, settings, node):
    """Update the bounds of a node by those of its children; returns whether its outcome is certain.

    Without prove_draws nothing is kept but wins and losses.
    """
    update_bounds(nodes, node)
    proof = nodes[node].proof
    if not settings.prove_draws and (not is_proven(proof) or lower_of(proof) == DRAW):
        nodes[node].proof = UNKNOWN
    return is_proven(nodes[node].proof)


def descend(searcher, root, position, path):
    """Go from the root to a node that is proven or has no children; returns its depth in plies below the root."""
    nodes = searcher.tree.pool.nodes
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
        node = select_puct(searcher, node, visits)
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
    nodes = pool.nodes
    level = depth
    while level >= 0:
        node = path[level]
        nodes[node].value_sum += 1
        if settings.mean_backup and level == depth:
            pool.estimates[node].value = value
        else:
            pool.estimates[node].value += (value - pool.estimates[node].value) / nodes[node].value_sum
        value = -(pool.estimates[node].value if settings.mean_backup else value)
        level -= 1


def value_of(settings, proof):
    """What a proven node is worth to the player who moved into it."""
    outcome = lower_of(proof)
    return 1.0 if outcome == WIN else 2.0 * settings.draw / settings.win - 1.0 if outcome == DRAW else -1.0


def expand_leaf(tree, position, node, priors):
    """Give an evaluated leaf a child for every open column, with the prior of the column divided by the sum of all.

    If the pool is full, it stays a leaf.
    """
    pool = tree.pool
    nodes = pool.nodes
    geometry = tree.geometry
    size = 0
    total = 0.0
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            size += 1
            total += priors[column]
    first = take(pool, size)
    if first != NO_CHILDREN:
        child = first
        for column in range(geometry.width):
            if is_open(position, geometry, column):
                nodes[child] = Node(column)
                pool.estimates[child] = Estimate(priors[column] / total if total > 0.0 else 1.0 / size)
                if completes(position, geometry, free_cell(position, geometry, column)):
                    nodes[child].proof = WON
                elif position.ply + 1 == geometry.cells:
                    nodes[child].proof = DRAWN
                child += 1
        nodes[node].size = size
    nodes[node].children = first


def gather_leaves(searcher, count, planes):
    """Make up to `count` descents, and paint the leaves of those that wait for their evaluation; returns how many.

    The last descent is undone if it ends at a leaf that waits already.
    """
    tree = searcher.tree
    nodes = tree.pool.nodes
    settings = tree.settings
    geometry = tree.geometry
    position = searcher.worker.position
    made = searcher.waiting = 0
    while made < count and not is_proven(nodes[ROOT].proof):
        path = searcher.paths[searcher.waiting]
        depth = descend(searcher, searcher.root, position, path)
        leaf = path[depth]
        if nodes[leaf].children == CLAIMED:
            undo_visits(nodes, path, depth)
            break
        made += 1
        if is_proven(nodes[leaf].proof):
            back_up_value(tree.pool, settings, path, depth, value_of(settings, nodes[leaf].proof))
            continue
        nodes[leaf].children = CLAIMED
        paint(planes, searcher.waiting, position, geometry, settings.signed_planes)
        searcher.legal[searcher.waiting] = open_columns(position, geometry)
        searcher.depths[searcher.waiting] = depth
        searcher.waiting += 1
    return made


def complete_leaf(searcher, i, priors, value):
    """Expand the leaf number i of those that wait, and back up its value, which is for the player to move there."""
    tree = searcher.tree
    nodes = tree.pool.nodes
    geometry = tree.geometry
    position = searcher.worker.position
    path = searcher.paths[i]
    depth = searcher.depths[i]
    copy(position, searcher.root, geometry)
    for level in range(1, depth + 1):
        play(position, geometry, nodes[path[level]].column)
    expand_leaf(tree, position, path[depth], priors)
    back_up_value(tree.pool, tree.settings, path, depth, -value)
    if tree.pool.raw_values is not None:
        tree.pool.raw_values[path[depth]] = value


class PuctSearcher(Searcher):
    """A tree whose leaves are evaluated in batches."""

    def __init__(self, rules, settings, state, solver):
        """As Searcher; there are no probes."""
        super().__init__(rules, settings, state, solver)
        between("batch_size", settings.batch_size, 1, MAX_BATCH)
        self.tree.pool.estimates = [Estimate(1.0)]
        self.paths = [[ROOT] * (self.tree.geometry.cells + 1) for _ in range(settings.batch_size)]
        self.depths = [0] * settings.batch_size
        self.legal = [0] * settings.batch_size
        self.noise = []
        self.waiting = 0  # descents that wait for an evaluation
        self.evaluating = False  # whether the evaluator is at work

    def set_noise(self, noise):
        """Set the noise for the priors of the root's children: one share for each, in column order; empty for none."""
        self.noise = list(noise)

    def simulate(self, count, max_simulations, max_nodes, evaluate):
        """Run batches until at least `count` simulations are done, never more than `max_simulations`; returns how many.

        Fewer if the tree gets `max_nodes` or its root is proven. The sizes of the batches depend on `max_simulations`
        and not on `count`, so that a search gives the same tree however it is divided into calls.

        evaluate(planes, legal): checked priors and values for the player to move. If it raises, the simulations that
        wait for it are undone and its exception is raised.
        """
        pool = self.tree.pool
        done = 0
        try:
            while done < count and not (done and pool.used >= max_nodes) and not self.is_proven():
                made, planes, legal = self.gather(min(max_simulations - done, self.tree.settings.batch_size))
                if self.waiting:
                    self.evaluating = True
                    priors, values = evaluate(planes, legal)
                    self.evaluating = False
                    self.complete(priors.tolist(), values.tolist())
                    self.waiting = 0
                done += made
        except BaseException:
            if self.evaluating:
                self.abandon()
            else:
                clear(pool)  # a signal handler has raised in the middle of a descent or a backup
            raise
        finally:
            self.evaluating = False
            self.waiting = 0
        return done

    def gather(self, count):
        """Make up to `count` descents; returns how many, and the planes and legal columns of those that wait."""
        between("count", count, 0, self.tree.settings.batch_size)
        geometry = self.tree.geometry
        size = geometry.width * geometry.height * (1 if self.tree.settings.signed_planes else 2)
        planes = [0.0] * (count * size)
        made = gather_leaves(self, count, planes)
        legal = [self.legal[i] >> column & 1 != 0 for i in range(self.waiting) for column in range(geometry.width)]
        return made, planes[: self.waiting * size], legal

    def abandon(self):
        """Undo the descents that wait."""
        nodes = self.tree.pool.nodes
        for i in range(self.waiting):
            nodes[self.paths[i][self.depths[i]]].children = NO_CHILDREN
            undo_visits(nodes, self.paths[i], self.depths[i])

    def complete(self, priors, values):
        """Expand the leaves that wait, and back up their values."""
        for i in range(self.waiting):
            complete_leaf(self, i, priors[i], values[i])
