"""PUCT: an evaluator in the place of rollouts, asked in batches.

The score is that of AlphaZero: Silver et al., "Mastering the game of Go without human knowledge" (2017), methods;
Rosin, "Multi-armed bandits with episode context" (2011). Values lie in [-1, 1]. A node's `visits` count the simulations
that have come by, `value_sum` those that have come back: the difference is under way.
"""

from math import inf, sqrt

from .._layout import CLAIMED, DRAW, DRAWN, MAX_BATCH, NO_CHILDREN, ROOT, WIN, WON
from .._validation import between
from .bitboard import completes, copy, drop, free_cell, is_open, play
from .planes import paint
from .pool import Estimate, Node, clear, take
from .proofs import is_proven, lower_of, settle, upper_of
from .search import Searcher
from .selection import pick
from .simulation import arrive


def mean(pool, nodes, settings, node):
    """The mean of a visited node, in which a simulation that is under way counts as `virtual_loss` times a loss."""
    visits = nodes[node].visits
    back = nodes[node].value_sum
    if visits == back:
        return pool.estimates[node].value
    return (pool.estimates[node].value * back - settings.virtual_loss * (visits - back)) / visits


def select_puct(pool, nodes, settings, generator, noise, node, parent):
    """The child with the highest Q + c P sqrt(N) / (1 + n), from the view of the player to move at `node`.

    parent: N, the earlier visits of the node. noise: what the priors of the root's children are mixed with.
    """
    first = nodes[node].children
    exploration = settings.exploration * sqrt(parent)
    floor = WIN - upper_of(nodes[node].proof)
    size = nodes[node].size
    scores = []
    for i in range(size):
        visits = nodes[first + i].visits
        prior = pool.estimates[first + i].prior
        if node == ROOT and noise:
            prior += settings.noise * (noise[i] - prior)
        if settings.proofs and upper_of(nodes[first + i].proof) <= floor:
            scores.append(-inf)
        else:
            value = mean(pool, nodes, settings, first + i) if visits else settings.first_play
            scores.append(value + exploration * prior / (1 + visits))
    return first + pick(scores, size, settings, generator)


def descend(pool, nodes, settings, geometry, generator, root, position, path, noise):
    """Go from the root to a node that is proven or has no children; returns its depth."""
    node = ROOT
    depth = 0
    copy(position, root, geometry)
    path[0] = ROOT
    visits = arrive(nodes, settings, ROOT)
    while not is_proven(nodes[node].proof) and nodes[node].size:
        if settings.proofs and settle(nodes, node) and is_proven(nodes[node].proof):
            break
        node = select_puct(pool, nodes, settings, generator, noise, node, visits)
        depth += 1
        path[depth] = node
        drop(position, geometry, free_cell(position, geometry, nodes[node].column))
        visits = arrive(nodes, settings, node)
    return depth


def withdraw(nodes, path, depth):
    """Undo a descent: its visits have not been."""
    for level in range(depth + 1):
        nodes[path[level]].visits -= 1


def back_up(pool, nodes, path, depth, value):
    """Bring a value back to every node of the path; it is for the player who moved into its last node."""
    while depth >= 0:
        node = path[depth]
        nodes[node].value_sum += 1
        pool.estimates[node].value += (value - pool.estimates[node].value) / nodes[node].value_sum
        value = -value
        depth -= 1


def value_of(settings, proof):
    """What a proven node is worth to the player who moved into it."""
    outcome = lower_of(proof)
    return 1.0 if outcome == WIN else 2.0 * settings.draw / settings.win - 1.0 if outcome == DRAW else -1.0


def unfold(pool, nodes, geometry, position, node, priors, row):
    """Give an evaluated leaf a child for every open column, with the priors of a row, as shares of their sum.

    Without room for them it stays a leaf.
    """
    size = 0
    total = 0.0
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            size += 1
            total += priors[row][column]
    first = take(pool, size)
    if first != NO_CHILDREN:
        child = first
        for column in range(geometry.width):
            if is_open(position, geometry, column):
                nodes[child] = Node(column)
                pool.estimates[child] = Estimate(priors[row][column] / total if total > 0.0 else 1.0 / size)
                if completes(position, geometry, free_cell(position, geometry, column)):
                    nodes[child].proof = WON
                elif position.ply + 1 == geometry.cells:
                    nodes[child].proof = DRAWN
                child += 1
        nodes[node].size = size
    nodes[node].children = first


class PuctSearcher(Searcher):
    """A tree whose leaves are evaluated in batches."""

    def __init__(self, rules, settings, state, solver):
        """As Searcher; there are no probes."""
        super().__init__(rules, settings, state, solver)
        between("batch_size", settings.batch_size, 1, MAX_BATCH)
        self.pool.estimates = [Estimate(1.0)]
        self.paths = [[ROOT] * (self.geometry.cells + 1) for _ in range(settings.batch_size)]
        self.depths = [0] * settings.batch_size
        self.noise = []
        self.waiting = 0  # descents that wait for an evaluation
        self.asking = False  # whether the evaluator is at work

    def set_noise(self, noise):
        """Mix the priors of the root's children with these, one for each open column; none: leave them as they are."""
        self.noise = list(noise)

    def simulate(self, count, most, enough, evaluate):
        """Run batches until `count` simulations are made, at most `most` of them; returns how many.

        Fewer if the tree gets `enough` nodes or its root is proven. How the batches fall depends on `most`, not on
        `count`, so that a search may be cut into any stretches.

        evaluate(planes, legal): priors and values, checked, for the player to move. What it raises is raised here, and
        the simulations that wait for it have not been.
        """
        pool = self.pool
        done = 0
        try:
            while done < count and not (done and pool.used >= enough) and not self.is_proven():
                made, planes, legal = self.gather(min(most - done, self.settings.batch_size))
                if self.waiting:
                    self.asking = True
                    priors, values = evaluate(planes, legal)
                    self.asking = False
                    self.complete(priors.tolist(), values.tolist())
                    self.waiting = 0
                done += made
        except BaseException:
            if self.asking:
                self.abandon()
            else:
                clear(pool)  # a signal's handler has raised in the middle of it
            raise
        finally:
            self.asking = False
            self.waiting = 0
        return done

    def gather(self, count):
        """Make up to `count` descents; returns how many, and what those that wait for an evaluation want evaluated.

        The last one is withdrawn if it ends where another waits.
        """
        between("count", count, 0, self.settings.batch_size)
        geometry = self.geometry
        nodes = self.pool.nodes
        size = geometry.width * geometry.height * (1 if self.settings.signed_planes else 2)
        planes = [0.0] * (count * size)
        legal = [False] * (count * geometry.width)
        made = self.waiting = 0
        while made < count and not self.is_proven():
            path = self.paths[self.waiting]
            depth = descend(
                self.pool, nodes, self.settings, geometry, self.generator, self.root, self.position, path, self.noise
            )
            leaf = path[depth]
            if nodes[leaf].children == CLAIMED:
                withdraw(nodes, path, depth)
                break
            made += 1
            if is_proven(nodes[leaf].proof):
                back_up(self.pool, nodes, path, depth, value_of(self.settings, nodes[leaf].proof))
                continue
            nodes[leaf].children = CLAIMED
            paint(planes, self.waiting, self.position, geometry, self.settings.signed_planes)
            for column in range(geometry.width):
                legal[self.waiting * geometry.width + column] = is_open(self.position, geometry, column)
            self.depths[self.waiting] = depth
            self.waiting += 1
        return made, planes[: self.waiting * size], legal[: self.waiting * geometry.width]

    def abandon(self):
        """Withdraw the descents that wait."""
        nodes = self.pool.nodes
        for i in range(self.waiting):
            nodes[self.paths[i][self.depths[i]]].children = NO_CHILDREN
            withdraw(nodes, self.paths[i], self.depths[i])

    def complete(self, priors, values):
        """Unfold the leaves that wait, and back up what they are worth."""
        nodes = self.pool.nodes
        for i in range(self.waiting):
            path = self.paths[i]
            copy(self.position, self.root, self.geometry)
            for level in range(1, self.depths[i] + 1):
                play(self.position, self.geometry, nodes[path[level]].column)
            unfold(self.pool, nodes, self.geometry, self.position, path[self.depths[i]], priors, i)
            back_up(self.pool, nodes, path, self.depths[i], -values[i])
