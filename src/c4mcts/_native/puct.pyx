"""Search with an evaluator; puct.pxd describes it."""

import numpy as np

from c4mcts import _layout
from c4mcts._validation import between

from libc.stdint cimport UINT64_MAX, uint8_t, uint32_t, uint64_t

from .bitboard cimport (
    BITS, MAX_SIDE, STANDARD, AnyPosition, Geometry, Position,
    copy, drop, free_cell, open_columns, paint, winning_columns,
)
from .gumbel cimport improve_policy, mix_logits, score_moves, select_gumbel
from .numbers cimport Generator
from .poll cimport ask_if_due, begin, finish
from .pool cimport (
    CLAIMED, NO_CHILDREN, Node, NodeEstimate, NodePool, Tree,
    estimate, keep_raw_values, reserve, take,
)
from .proofs cimport DRAW, DRAWN, UNKNOWN, WON, is_proven, lower_of, update_bounds
from .puct_score cimport ROOT, mix_priors, prune_visits, select_puct, value_of
from .search cimport Searcher
from .settings cimport Settings
from .simulation cimport add_visit


LEAF = np.dtype([("legal", np.uint64), ("wins", np.uint64), ("depth", np.int32), ("is_last", np.int32)])


cdef inline bint update_proof(Node[::1] nodes, const Settings* settings, uint32_t node) noexcept nogil:
    """Update the bounds of a node from its children's; returns whether its outcome is certain.

    Without prove_draws nothing is kept but wins and losses.
    """
    cdef int proof
    update_bounds(nodes, node)
    proof = nodes[node].proof
    if not settings.prove_draws and (not is_proven(proof) or lower_of(proof) == DRAW):
        nodes[node].proof = UNKNOWN
    return is_proven(nodes[node].proof)


cdef inline const double* root_priors(PuctSearcher searcher) noexcept nogil:
    """The priors of the root's children as the search uses them; NULL if they are the tree's.

    With Gumbel AlphaZero g + ln P instead.
    """
    cdef const Settings* settings = &searcher.tree.settings
    cdef const double* noise = searcher.noise if searcher.noisy else NULL
    if not settings.gumbel and noise == NULL and settings.root_temperature == 1.0:
        return NULL
    if not searcher.is_mixed:
        if settings.gumbel:
            mix_logits(searcher.tree, noise, searcher.mixed)
        else:
            mix_priors(searcher.tree, noise, searcher.mixed)
        searcher.is_mixed = True
    return searcher.mixed


cdef inline int descend(
    PuctSearcher searcher, Node[::1] nodes, const Position* root, Position* position, uint32_t* path,
) noexcept nogil:
    """Go from the root to a node that is proven or has no children; returns its depth in plies below the root."""
    cdef const Settings* settings = &searcher.tree.settings
    cdef const Geometry* geometry = &searcher.tree.geometry
    cdef Generator* generator = &searcher.group.threads[0].worker.generator
    cdef const double* priors
    cdef uint32_t node = ROOT
    cdef int depth = 0
    cdef uint32_t visits
    copy(position, root, geometry)
    path[0] = ROOT
    visits = add_visit(nodes, settings, ROOT)
    while not is_proven(nodes[node].proof) and nodes[node].size:
        if settings.proofs and update_proof(nodes, settings, node):
            break
        priors = root_priors(searcher) if node == ROOT else NULL
        if settings.gumbel:
            node = select_gumbel(searcher.tree, priors, node, searcher.planned, generator)
        else:
            node = select_puct(searcher.tree, priors, node, visits, generator)
        depth += 1
        path[depth] = node
        drop(position, geometry, free_cell(position, geometry, nodes[node].column))
        visits = add_visit(nodes, settings, node)
    return depth


cdef inline void undo_visits(Node[::1] nodes, const uint32_t* path, int depth) noexcept nogil:
    """Take back the visits of a descent."""
    cdef int level
    for level in range(depth + 1):
        nodes[path[level]].visits -= 1


cdef inline void back_up_value(
    NodePool pool, const Settings* settings, const uint32_t* path, int depth, double value,
) noexcept nogil:
    """Average a value into every node of the path; it is for the player who moved into the last node.

    With mean_backup that node gets the value itself, and each other one averages in the new mean of the one below.
    """
    cdef Node* nodes = &pool.nodes[0]
    cdef NodeEstimate* estimates = &pool.estimates[0]
    cdef uint32_t node
    cdef int level = depth
    while level >= 0:
        node = path[level]
        nodes[node].value_sum += 1
        if settings.mean_backup and level == depth:
            estimates[node].value = value
        else:
            estimates[node].value += (value - estimates[node].value) / nodes[node].value_sum
        value = -(estimates[node].value if settings.mean_backup else value)
        level -= 1


cdef inline void expand_leaf(
    Tree tree, Node[::1] nodes, const Leaf* leaf, uint32_t node, const double* priors,
) noexcept nogil:
    """Give an evaluated leaf a child for every open column, with the prior of the column divided by the sum of all.

    If the pool is full, it stays a leaf.
    """
    cdef uint32_t size = 0
    cdef double total = 0.0
    cdef uint32_t first, child
    cdef int column
    for column in range(tree.geometry.width):
        if leaf.legal >> column & 1:
            size += 1
            total += priors[column]
    first = take(tree.pool, size)
    if first != NO_CHILDREN:
        child = first
        for column in range(tree.geometry.width):
            if leaf.legal >> column & 1:
                nodes[child] = Node(
                    visits=0, value_sum=0, children=NO_CHILDREN, proof=UNKNOWN, column=<uint8_t>column, size=0
                )
                tree.pool.estimates[child] = NodeEstimate(
                    value=0.0, prior=priors[column] / total if total > 0.0 else 1.0 / size
                )
                if leaf.wins >> column & 1:
                    nodes[child].proof = WON
                elif leaf.is_last:
                    nodes[child].proof = DRAWN
                child += 1
        nodes[node].size = <uint8_t>size
    nodes[node].children = first


cdef bint lacks_capacity(PuctSearcher searcher, int count) noexcept nogil:
    """Whether the pool should grow before `count` more blocks of children are taken."""
    cdef uint64_t needed = searcher.tree.pool.used + <uint64_t>count * searcher.tree.geometry.width
    return searcher.tree.pool.capacity < min(needed, <uint64_t>searcher.tree.pool.limit)


cdef int ensure_capacity(PuctSearcher searcher, int count) except -1:
    """Get memory for `count` more blocks of children, as far as the pool may grow and the system has it.

    Without memory leaves stay leaves; the next batch tries again.
    """
    cdef uint64_t capacity = searcher.tree.pool.capacity
    cdef uint64_t limit = searcher.tree.pool.limit
    cdef uint64_t needed = min(searcher.tree.pool.used + <uint64_t>count * searcher.tree.geometry.width, limit)
    if needed > capacity:
        try:
            reserve(searcher.tree.pool, <uint32_t>min(max(needed, 2 * capacity), limit))
        except MemoryError:
            pass
    return 0


cdef int gather_leaves(PuctSearcher searcher, int count, float* planes) noexcept nogil:
    """Make up to `count` descents, and paint the leaves of those that wait for their evaluation; returns their number.

    The last descent is undone if it ends at a leaf that waits already.
    """
    cdef const AnyPosition* root = &searcher.root
    cdef AnyPosition* position = &searcher.group.threads[0].worker.position
    if searcher.tree.geometry.kernel == STANDARD:
        return gather_on(searcher, searcher.tree.pool.nodes, count, &root.standard, &position.standard, planes)
    elif searcher.tree.geometry.kernel == BITS:
        return gather_on(searcher, searcher.tree.pool.nodes, count, &root.bits, &position.bits, planes)
    return gather_on(searcher, searcher.tree.pool.nodes, count, &root.lines, &position.lines, planes)


cdef int gather_on(
    PuctSearcher searcher, Node[::1] nodes, int count, const Position* root, Position* position, float* planes,
) noexcept nogil:
    """gather_leaves for one kernel."""
    cdef const Settings* settings = &searcher.tree.settings
    cdef const Geometry* geometry = &searcher.tree.geometry
    cdef int made = 0
    cdef uint32_t* path
    cdef Leaf* leaf
    cdef uint32_t node
    cdef int depth
    searcher.waiting = 0
    if nodes[ROOT].size == 0:
        searcher.is_mixed = False
    while made < count and not is_proven(nodes[ROOT].proof):
        path = &searcher.paths[searcher.waiting, 0]
        depth = descend(searcher, nodes, root, position, path)
        node = path[depth]
        if nodes[node].children == CLAIMED:
            undo_visits(nodes, path, depth)
            break
        made += 1
        if is_proven(nodes[node].proof):
            back_up_value(searcher.tree.pool, settings, path, depth, value_of(settings, nodes[node].proof))
            continue
        nodes[node].children = CLAIMED
        paint(planes, searcher.waiting, position, geometry, searcher.signed_planes)
        leaf = &searcher.leaves[searcher.waiting]
        leaf.legal = open_columns(position, geometry)
        if node == ROOT:
            leaf.legal &= searcher.tree.root_columns
        leaf.wins = winning_columns(position, geometry)
        leaf.depth = depth
        leaf.is_last = position.ply + 1 == geometry.cells
        searcher.waiting += 1
    return made


cdef void complete_leaf(PuctSearcher searcher, int i, const double* priors, double value) noexcept nogil:
    """Expand the leaf number i of those that wait, and back up its value, which is for the player to move there."""
    cdef const Leaf* leaf = &searcher.leaves[i]
    cdef const uint32_t* path = &searcher.paths[i, 0]
    expand_leaf(searcher.tree, searcher.tree.pool.nodes, leaf, path[leaf.depth], priors)
    back_up_value(searcher.tree.pool, &searcher.tree.settings, path, leaf.depth, -value)
    if searcher.tree.pool.raw_values is not None:
        searcher.tree.pool.raw_values[path[leaf.depth]] = value


cdef void rate_children(PuctSearcher searcher, double* scores, double* weights) noexcept nogil:
    """Write the results of a finished search for each child of the root other than its visits and its value.

    scores: decide between equal visits, with Gumbel AlphaZero. weights: of the policy; the priors, if the root alone
    has been visited.
    """
    cdef uint32_t first = searcher.tree.pool.nodes[ROOT].children
    cdef double total = 0.0
    cdef int i
    for i in range(searcher.tree.pool.nodes[ROOT].size):
        scores[i] = 0.0
        weights[i] = searcher.tree.pool.nodes[first + i].visits
        total += weights[i]
    if searcher.tree.settings.gumbel:
        score_moves(searcher.tree, root_priors(searcher), scores)
        improve_policy(searcher.tree, ROOT, weights)
    elif total == 0.0:
        for i in range(searcher.tree.pool.nodes[ROOT].size):
            weights[i] = searcher.tree.pool.estimates[first + i].prior
    elif searcher.tree.settings.forced_visits > 0.0:
        prune_visits(searcher.tree, root_priors(searcher), weights)


cdef class PuctSearcher(Searcher):

    def __cinit__(self, rules, settings, state, solver):
        """As Searcher; there are no probes."""
        estimate(self.tree.pool)
        if settings.gumbel:
            keep_raw_values(self.tree.pool)
        self.batch_size = between("batch_size", settings.batch_size, 0, _layout.MAX_BATCH) or _layout.GROWN_BATCH
        self.signed_planes = settings.signed_planes
        self.paths = np.zeros((self.batch_size, self.tree.geometry.cells + 1), dtype=np.uint32)
        self.leaves = np.zeros(self.batch_size, LEAF)

    def set_noise(self, noise):
        """Set the noise for the children of a new root: a number for each, in column order; empty for none."""
        cdef double[::1] numbers = np.array(noise, dtype=np.float64)
        between("the number of children", numbers.shape[0], 0, MAX_SIDE)
        for i in range(numbers.shape[0]):
            self.noise[i] = numbers[i]
        self.noisy = numbers.shape[0] > 0
        self.is_mixed = False

    def simulate(
        self, uint64_t count, uint64_t max_simulations, uint64_t max_nodes, evaluate, poll,
        uint64_t milliseconds=UINT64_MAX,
    ):
        """Run batches until at least `count` simulations are done, never more than `max_simulations`; returns the
        number.

        Fewer if the tree gets `max_nodes` or its root is proven, after these milliseconds, and once `poll` returns
        true, which is called about every 10 ms. The sizes of the batches depend on `max_simulations` and not on
        `count`, so that a search gives the same tree however it is divided into calls; so do the rounds of
        sequential halving.

        evaluate(planes, legal): checked priors and values for the player to move. If it raises, the simulations that
        wait for it are undone and its exception is raised.
        """
        cdef NodePool pool = self.tree.pool
        cdef uint64_t done = 0
        begin(self.poll, poll, milliseconds)
        self.planned = pool.nodes[ROOT].visits + max_simulations
        try:
            while done < count and not (done and pool.used >= max_nodes) and not self.is_proven():
                made, planes, legal = self.gather(min(max_simulations - done, <uint64_t>self.next_batch()))
                if self.waiting:
                    priors, values = evaluate(planes, legal)
                    self.complete(priors, values)
                    self.waiting = 0
                done += <uint64_t>made
                ask_if_due(self.poll)
                if self.poll.halted:
                    break
        except BaseException:
            self.abandon()
            raise
        finally:
            self.waiting = 0
            finish(self.poll)
        return done

    def next_batch(self):
        """Positions that the evaluator gets at once, at most: the more, the larger the tree, unless a number is set."""
        return self.tree.settings.batch_size or _layout.grown_batch(self.tree.pool.nodes[ROOT].visits)

    def gather(self, int count):
        """Make up to `count` descents; returns the number, and the planes and legal columns of those that wait."""
        between("count", count, 0, self.batch_size)
        cdef const Geometry* geometry = &self.tree.geometry
        cdef size_t size = geometry.width * geometry.height * (1 if self.signed_planes else 2)
        cdef float[::1] planes = np.empty(count * size + 1, dtype=np.float32)
        cdef uint8_t[::1] legal
        cdef int made, i, column
        ensure_capacity(self, count)
        with nogil:
            made = gather_leaves(self, count, &planes[0])
        legal = np.empty(self.waiting * geometry.width, dtype=np.uint8)
        for i in range(self.waiting):
            for column in range(geometry.width):
                legal[i * geometry.width + column] = self.leaves[i].legal >> column & 1
        return made, np.asarray(planes[: self.waiting * size]), np.asarray(legal)

    def abandon(self):
        """Undo the descents that wait."""
        cdef Node[::1] nodes = self.tree.pool.nodes
        cdef int i
        for i in range(self.waiting):
            nodes[self.paths[i, self.leaves[i].depth]].children = NO_CHILDREN
            undo_visits(nodes, &self.paths[i, 0], self.leaves[i].depth)

    def complete(self, const double[:, ::1] priors, const double[::1] values):
        """Expand the leaves that wait, and back up their values."""
        cdef int waiting = self.waiting
        cdef int i
        if priors.shape[0] != waiting or priors.shape[1] != self.tree.geometry.width or values.shape[0] != waiting:
            raise ValueError(f"the evaluator must evaluate {waiting} positions")
        with nogil:
            for i in range(waiting):
                complete_leaf(self, i, &priors[i, 0], values[i])
