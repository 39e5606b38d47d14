"""PUCT: an evaluator in the place of rollouts; puct.pxd holds the picture."""

import numpy as np

from c4mcts import _layout
from c4mcts._validation import between

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from .bitboard cimport (
    BITS, MAX_SIDE, STANDARD, Geometry, Position,
    completes, copy, drop, free_cell, is_open, play,
)
from .blocks cimport CLAIMED, NO_CHILDREN
from .planes cimport paint
from .pool cimport Estimate, Node, Pool, estimate, reserve, take
from .proofs cimport DRAW, DRAWN, UNKNOWN, WIN, WON, is_proven, lower_of, settle, upper_of
from .rng cimport Generator
from .search cimport Searcher
from .selection cimport Settings, pick
from .simulation cimport arrive
from .threads cimport Worker

cdef uint32_t ROOT = _layout.ROOT


cdef inline double mean(Pool pool, Node[::1] nodes, const Settings* settings, uint32_t node) noexcept nogil:
    """The mean of a visited node, in which a simulation that is under way counts as `virtual_loss` times a loss."""
    cdef uint32_t visits = nodes[node].visits
    cdef uint32_t back = nodes[node].value_sum
    if visits == back:
        return pool.estimates[node].value
    return (pool.estimates[node].value * back - settings.virtual_loss * (visits - back)) / visits


cdef inline uint32_t select_puct(
    Pool pool, Node[::1] nodes, const Settings* settings, Generator* generator, double[::1] noise, uint32_t node,
    uint32_t parent,
) noexcept nogil:
    """The child with the highest Q + c P sqrt(N) / (1 + n), from the view of the player to move at `node`.

    parent: N, the earlier visits of the node. noise: what the priors of the root's children are mixed with.
    """
    cdef uint32_t first = nodes[node].children
    cdef double exploration = settings.exploration * sqrt(parent)
    cdef int floor = WIN - upper_of(nodes[node].proof)
    cdef double scores[MAX_SIDE]
    cdef int size = nodes[node].size
    cdef uint32_t visits
    cdef double prior, value
    cdef int i
    for i in range(size):
        visits = nodes[first + i].visits
        prior = pool.estimates[first + i].prior
        if node == ROOT and noise.shape[0]:
            prior += settings.noise * (noise[i] - prior)
        if settings.proofs and upper_of(nodes[first + i].proof) <= floor:
            scores[i] = -INFINITY
        else:
            value = mean(pool, nodes, settings, first + i) if visits else settings.first_play
            scores[i] = value + exploration * prior / (1 + <double>visits)
    return first + pick(scores, size, settings, generator)


cdef inline int descend(
    Pool pool, Node[::1] nodes, const Settings* settings, const Geometry* geometry, Generator* generator,
    const Position* root, Position* position, uint32_t[::1] path, double[::1] noise,
) noexcept nogil:
    """Go from the root to a node that is proven or has no children; returns its depth."""
    cdef uint32_t node = ROOT
    cdef int depth = 0
    cdef uint32_t visits
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


cdef inline void withdraw(Node[::1] nodes, uint32_t[::1] path, int depth) noexcept nogil:
    """Undo a descent: its visits have not been."""
    cdef int level
    for level in range(depth + 1):
        nodes[path[level]].visits -= 1


cdef inline void back_up(Pool pool, Node[::1] nodes, uint32_t[::1] path, int depth, double value) noexcept nogil:
    """Bring a value back to every node of the path; it is for the player who moved into its last node."""
    cdef uint32_t node
    while depth >= 0:
        node = path[depth]
        nodes[node].value_sum += 1
        pool.estimates[node].value += (value - pool.estimates[node].value) / nodes[node].value_sum
        value = -value
        depth -= 1


cdef inline double value_of(const Settings* settings, int proof) noexcept nogil:
    """What a proven node is worth to the player who moved into it."""
    cdef int outcome = lower_of(proof)
    return 1.0 if outcome == WIN else 2.0 * settings.draw / settings.win - 1.0 if outcome == DRAW else -1.0


cdef inline void unfold(
    Pool pool, Node[::1] nodes, const Geometry* geometry, const Position* position, uint32_t node,
    const double[:, :] priors, int row,
) noexcept nogil:
    """Give an evaluated leaf a child for every open column, with the priors of a row, as shares of their sum.

    Without room for them it stays a leaf.
    """
    cdef uint32_t size = 0
    cdef double total = 0.0
    cdef uint32_t first, child
    cdef int column
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            size += 1
            total += priors[row, column]
    first = take(pool, size)
    if first != NO_CHILDREN:
        child = first
        for column in range(geometry.width):
            if is_open(position, geometry, column):
                nodes[child] = Node(0, 0, NO_CHILDREN, UNKNOWN, <uint8_t>column, 0)
                pool.estimates[child] = Estimate(0.0, priors[row, column] / total if total > 0.0 else 1.0 / size)
                if completes(position, geometry, free_cell(position, geometry, column)):
                    nodes[child].proof = WON
                elif position.ply + 1 == geometry.cells:
                    nodes[child].proof = DRAWN
                child += 1
        nodes[node].size = <uint8_t>size
    nodes[node].children = first


cdef class PuctSearcher(Searcher):

    def __cinit__(self, rules, settings, state, solver):
        """As Searcher; there are no probes."""
        estimate(self.pool)
        self.batch_size = between("batch_size", settings.batch_size, 1, _layout.MAX_BATCH)
        self.signed_planes = settings.signed_planes
        self.paths = np.zeros((self.batch_size, self.geometry.cells + 1), dtype=np.uint32)
        self.depths = np.zeros(self.batch_size, dtype=np.intc)
        self.noise = np.zeros(0)

    def set_noise(self, noise):
        """Mix the priors of the root's children with these, one for each open column; none: leave them as they are."""
        self.noise = np.array(noise, dtype=np.float64)

    def simulate(self, uint64_t count, uint64_t most, uint64_t enough, evaluate):
        """Run batches until `count` simulations are made, at most `most` of them; returns how many.

        Fewer if the tree gets `enough` nodes or its root is proven. How the batches fall depends on `most`, not on
        `count`, so that a search may be cut into any stretches.

        evaluate(planes, legal): priors and values, checked, for the player to move. What it raises is raised here, and
        the simulations that wait for it have not been.
        """
        cdef Pool pool = self.pool
        cdef uint64_t done = 0
        try:
            while done < count and not (done and pool.used >= enough) and not self.is_proven():
                made, planes, legal = self.gather(min(most - done, <uint64_t>self.batch_size))
                if self.waiting:
                    priors, values = evaluate(planes, legal)
                    self.complete(priors, values)
                    self.waiting = 0
                done += <uint64_t>made
        except BaseException:
            self.abandon()
            raise
        finally:
            self.waiting = 0
        return done

    def gather(self, int count):
        """Make up to `count` descents; returns how many, and what those that wait for an evaluation want evaluated.

        The last one is withdrawn if it ends where another waits.
        """
        between("count", count, 0, self.batch_size)
        cdef Worker* worker = &self.team.workers[0]
        cdef const Geometry* geometry = &self.geometry
        cdef size_t size = geometry.width * geometry.height * (1 if self.signed_planes else 2)
        cdef int made
        cdef float[::1] planes = np.empty(count * size, dtype=np.float32)
        cdef uint8_t[::1] legal = np.empty(count * geometry.width, dtype=np.uint8)
        self.make_room(count)
        with nogil:
            if geometry.kernel == STANDARD:
                made = gather_on(self, count, &self.root.standard, &worker.position.standard, planes, legal)
            elif geometry.kernel == BITS:
                made = gather_on(self, count, &self.root.bits, &worker.position.bits, planes, legal)
            else:
                made = gather_on(self, count, &self.root.lines, &worker.position.lines, planes, legal)
        return made, np.asarray(planes[: self.waiting * size]), np.asarray(legal[: self.waiting * geometry.width])

    def make_room(self, int count):
        """Have memory for so many more blocks of children, as far as the pool may grow and there is any."""
        cdef uint64_t wanted = self.pool.used + <uint64_t>count * self.geometry.width
        wanted = min(wanted, self.pool.limit)
        if wanted > self.pool.capacity:
            try:
                reserve(self.pool, <uint32_t>min(max(wanted, 2 * <uint64_t>self.pool.capacity), self.pool.limit))
            except MemoryError:
                pass    # the next batch asks again
        self.nodes = <Node[:self.pool.capacity]>self.pool.nodes

    def abandon(self):
        """Withdraw the descents that wait."""
        cdef Node[::1] nodes = self.nodes
        cdef int i
        for i in range(self.waiting):
            nodes[self.paths[i, self.depths[i]]].children = NO_CHILDREN
            withdraw(nodes, self.paths[i], self.depths[i])

    def complete(self, const double[:, :] priors, const double[:] values):
        """Unfold the leaves that wait, and back up what they are worth."""
        cdef Worker* worker = &self.team.workers[0]
        cdef int waiting = self.waiting
        if priors.shape[0] != waiting or priors.shape[1] != self.geometry.width or values.shape[0] != waiting:
            raise ValueError(f"evaluations of {waiting} positions were asked for")
        with nogil:
            if self.geometry.kernel == STANDARD:
                complete_on(self, &self.root.standard, &worker.position.standard, priors, values)
            elif self.geometry.kernel == BITS:
                complete_on(self, &self.root.bits, &worker.position.bits, priors, values)
            else:
                complete_on(self, &self.root.lines, &worker.position.lines, priors, values)


cdef int gather_on(
    PuctSearcher searcher, int count, const Position* root, Position* position, float[::1] planes, uint8_t[::1] legal,
) noexcept nogil:
    """Make descents, see PuctSearcher.gather."""
    cdef Node[::1] nodes = searcher.nodes
    cdef const Settings* settings = &searcher.settings
    cdef const Geometry* geometry = &searcher.geometry
    cdef int made = 0
    cdef uint32_t[::1] path
    cdef uint32_t leaf
    cdef int depth, column
    searcher.waiting = 0
    while made < count and not is_proven(nodes[ROOT].proof):
        path = searcher.paths[searcher.waiting]
        depth = descend(
            searcher.pool, nodes, settings, geometry, &searcher.team.workers[0].generator, root, position, path,
            searcher.noise,
        )
        leaf = path[depth]
        if nodes[leaf].children == CLAIMED:
            withdraw(nodes, path, depth)
            break
        made += 1
        if is_proven(nodes[leaf].proof):
            back_up(searcher.pool, nodes, path, depth, value_of(settings, nodes[leaf].proof))
            continue
        nodes[leaf].children = CLAIMED
        paint(planes, searcher.waiting, position, geometry, searcher.signed_planes)
        for column in range(geometry.width):
            legal[searcher.waiting * geometry.width + column] = is_open(position, geometry, column)
        searcher.depths[searcher.waiting] = depth
        searcher.waiting += 1
    return made


cdef void complete_on(
    PuctSearcher searcher, const Position* root, Position* position, const double[:, :] priors, const double[:] values,
) noexcept nogil:
    """Unfold and back up, see PuctSearcher.complete."""
    cdef Node[::1] nodes = searcher.nodes
    cdef const Geometry* geometry = &searcher.geometry
    cdef uint32_t[::1] path
    cdef int i, level
    for i in range(searcher.waiting):
        path = searcher.paths[i]
        copy(position, root, geometry)
        for level in range(1, searcher.depths[i] + 1):
            play(position, geometry, nodes[path[level]].column)
        unfold(searcher.pool, nodes, geometry, position, path[searcher.depths[i]], priors, i)
        back_up(searcher.pool, nodes, path, searcher.depths[i], -values[i])
