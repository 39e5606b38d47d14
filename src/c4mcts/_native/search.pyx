"""UCT: select, expand, rollout, backup. One pass is a simulation.

Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006); the names of the four steps are those of Browne et
al., "A survey of Monte Carlo tree search methods" (2012), section III.
"""

import numpy as np

from c4mcts import _layout

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from .bitboard cimport (
    BITS, STANDARD, Geometry, Position,
    completes, copy, drop, free_cell, geometry_of, is_open, load, play,
)
from .blocks cimport Entry, find, is_full, must_widen, note, widen
from .checking cimport check
from .pool cimport Node, Pool, clear, keep, reserve, rows
from .proofs cimport (
    DRAW, DRAWN, LOSS, UNKNOWN, WIN, WON,
    foresee, is_proven, lower_of, mark, probe, settle, upper_of,
)
from .rng cimport Generator
from .rollout cimport careful_rollout, rollout
from .selection cimport Settings, select
from .solver cimport Solver, Task, finish
from .threats cimport find_threats, update_threats

cdef int RANDOM = _layout.RANDOM
cdef int SAFE = _layout.SAFE
cdef uint32_t ROOT = _layout.ROOT
cdef uint32_t NO_CHILDREN = _layout.NO_CHILDREN
cdef uint32_t FIRST_PROBE = _layout.FIRST_PROBE
cdef uint64_t PROBE_NODES = _layout.PROBE_NODES
cdef uint64_t NEAR_PROBE_NODES = _layout.NEAR_PROBE_NODES


cdef inline bint expand(
    Pool pool, Node[::1] nodes, const Settings* settings, const Position* position, const Geometry* geometry,
    uint32_t node,
) noexcept nogil:
    """Give a leaf a child for every open column; False if there is none or the pool is full."""
    cdef uint32_t size = 0
    cdef int column
    for column in range(geometry.width):
        size += is_open(position, geometry, column)
    if settings.transpositions:
        nodes[node].children = find(pool.blocks, position, geometry)
        if nodes[node].children != NO_CHILDREN:
            nodes[node].size = <uint8_t>size
            return True
        if is_full(pool.blocks):
            return False
    if size == 0 or size > pool.limit - pool.used:
        return False
    nodes[node].children = pool.used
    nodes[node].size = <uint8_t>size
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            nodes[pool.used] = Node(0, 0, NO_CHILDREN, UNKNOWN, <uint8_t>column, 0)
            pool.used += 1
    if settings.transpositions:
        note(pool.blocks, position, geometry, nodes[node].children)
    if settings.proofs:
        mark(nodes, position, geometry, node)
    return True


cdef inline void inspect(
    Node[::1] nodes, const Settings* settings, const Position* position, const Geometry* geometry, uint32_t node,
) noexcept nogil:
    """Mark a node that is reached for the first time if the game is over there, or will be in two plies.

    Without proofs only what the rules say is known: the end of the game.
    """
    if settings.proofs:
        foresee(nodes, position, geometry, node)
    elif position.ply == geometry.cells:
        nodes[node].proof = DRAWN


cdef inline bint is_milestone(uint32_t visits) noexcept nogil:
    """Whether a node with so many visits is to be probed: at powers of two."""
    return visits >= FIRST_PROBE and visits & (visits - 1) == 0


cdef inline void backup(
    Node[::1] nodes, const Settings* settings, uint32_t[::1] path, int depth, int result,
) noexcept nogil:
    """Add one result to every node of the path; 1, 0 or -1 for the player to move at its last node.

    From a node on that gets proven on the way, what is proven takes the place of the result.
    """
    # rewards of the player who moved into the last node, and of the other
    cdef uint32_t mover = 0 if result > 0 else settings.win if result < 0 else settings.draw
    cdef uint32_t other = settings.win if result > 0 else 0 if result < 0 else settings.draw
    cdef bint changed = settings.proofs and nodes[path[depth]].proof != UNKNOWN
    cdef uint32_t node
    cdef int outcome
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


cdef inline void simulate(
    Pool pool, Node[::1] nodes, const Settings* settings, const Geometry* geometry, Generator* generator, Task* task,
    const Position* root, Position* position, uint32_t[::1] path,
) noexcept nogil:
    """One pass from the root to a leaf, to the end of a game, and back."""
    cdef uint32_t node = ROOT
    cdef int depth = 0
    cdef int result, floor
    cdef uint64_t cell, budget
    copy(position, root, geometry)
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


cdef uint32_t child_of(Pool pool, uint32_t node, int column) noexcept nogil:
    """The child that a column leads to; ROOT, which is nobody's child, if there is none."""
    cdef Node* nodes = pool.nodes
    cdef uint32_t first = nodes[node].children
    cdef uint32_t child
    for child in range(first, first + nodes[node].size):
        if nodes[child].column == column:
            return child
    return ROOT


cdef inline bint is_cramped(Pool pool, const Settings* settings, const Geometry* geometry) noexcept nogil:
    """Whether the tree can't grow by another block before it gets more memory."""
    return (
        pool.capacity - pool.used < <uint32_t>geometry.width and pool.capacity < pool.limit
        or settings.transpositions and must_widen(pool.blocks) and not is_full(pool.blocks)
    )


cdef uint64_t run(
    Pool pool, Node[::1] nodes, const Settings* settings, const Geometry* geometry, Generator* generator, Task* task,
    const Position* root, Position* position, uint32_t[::1] path, uint64_t count, uint64_t enough,
) noexcept nogil:
    """Simulations until `count`, until the tree has `enough` nodes, is proven, or needs more memory."""
    cdef uint64_t done = 0
    while done < count and not is_proven(nodes[ROOT].proof):
        if is_cramped(pool, settings, geometry):
            break
        simulate(pool, nodes, settings, geometry, generator, task, root, position, path)
        done += 1
        if pool.used >= enough or task != NULL and task.halted:
            break
    return done


cdef int grow(Pool pool, const Settings* settings, const Geometry* geometry) except -1:
    """More memory for the tree; where there is none, the tree counts as full."""
    try:
        if pool.capacity - pool.used < <uint32_t>geometry.width and pool.capacity < pool.limit:
            reserve(pool, min(pool.limit, 2 * <uint64_t>pool.capacity + 64))
        if settings.transpositions and must_widen(pool.blocks):
            widen(pool.blocks)
    except MemoryError:
        pool.limit = pool.capacity
        pool.blocks.limit = pool.blocks.used
    return 0


cdef class Searcher:

    def __cinit__(self, rules, settings, state, Solver solver):
        """`settings`: a _layout.Settings; `state`: two 64-bit words, not both zero; `solver`: for probes, or None."""
        self.geometry = geometry_of(rules)
        self.settings = Settings(
            settings.win, settings.draw, settings.exploration, settings.first_play, settings.random_ties,
            settings.roll_root, settings.rollout, settings.proofs,
            settings.probes and solver is not None, settings.transpositions,
        )
        self.generator.a, self.generator.b = state
        self.solver = solver
        self.pool = Pool(settings.max_nodes)
        self.path = np.zeros(self.geometry.cells + 1, dtype=np.uint32)

    def set_root(self, own, mask):
        """Start a new tree at an unfinished position: discs of the player to move, and all discs."""
        if self.geometry.kernel == STANDARD:
            load(&self.root.standard, &self.geometry, own, mask)
            find_threats(&self.root.standard, &self.geometry)
        elif self.geometry.kernel == BITS:
            load(&self.root.bits, &self.geometry, own, mask)
            find_threats(&self.root.bits, &self.geometry)
        else:
            load(&self.root.lines, &self.geometry, own, mask)
            find_threats(&self.root.lines, &self.geometry)
        clear(self.pool)

    def simulate(self, uint64_t count, uint64_t enough, poll):
        """Run up to `count` simulations, fewer if the tree gets `enough` nodes or its root is proven; returns how many.

        poll: called during long probes; if it returns true, this simulation is the last.
        """
        cdef Pool pool = self.pool
        cdef const Settings* settings = &self.settings
        cdef const Geometry* geometry = &self.geometry
        cdef uint32_t[::1] path = self.path
        cdef Task* task = NULL
        cdef Node[::1] nodes
        cdef uint64_t done = 0
        cdef uint64_t left
        if self.solver is not None:
            task = &self.solver.task
            self.solver.poll = poll
            self.solver.error = None
            task.halted = False
        while done < count and not (done and pool.used >= enough) and not is_proven(pool.nodes[ROOT].proof):
            if is_cramped(pool, settings, geometry):
                grow(pool, settings, geometry)
            left = count - done
            nodes = <Node[:pool.capacity]>pool.nodes
            with nogil:
                if geometry.kernel == STANDARD:
                    done += run(
                        pool, nodes, settings, geometry, &self.generator, task,
                        &self.root.standard, &self.position.standard, path, left, enough,
                    )
                elif geometry.kernel == BITS:
                    done += run(
                        pool, nodes, settings, geometry, &self.generator, task,
                        &self.root.bits, &self.position.bits, path, left, enough,
                    )
                else:
                    done += run(
                        pool, nodes, settings, geometry, &self.generator, task,
                        &self.root.lines, &self.position.lines, path, left, enough,
                    )
            if task != NULL and task.halted:
                break
        if task != NULL:
            finish(task)
        return done

    def advance(self, columns):
        """Play moves at the root and keep the subtree they lead to, dropping the rest.

        False, and nothing is changed, if the tree does not hold the last of them.
        """
        cdef uint32_t node = ROOT
        cdef int column
        for column in columns:
            node = child_of(self.pool, node, column)
            if node == ROOT:
                return False
        keep(self.pool, node)
        for column in columns:
            if self.geometry.kernel == STANDARD:
                play(&self.root.standard, &self.geometry, column)
            elif self.geometry.kernel == BITS:
                play(&self.root.bits, &self.geometry, column)
            else:
                play(&self.root.lines, &self.geometry, column)
        if self.geometry.kernel == STANDARD:
            find_threats(&self.root.standard, &self.geometry)
        elif self.geometry.kernel == BITS:
            find_threats(&self.root.bits, &self.geometry)
        else:
            find_threats(&self.root.lines, &self.geometry)
        return True

    def check(self, bint fill=False):
        """What is wrong with the tree: see checking.check."""
        if self.geometry.kernel == STANDARD:
            return check(self.pool, &self.settings, &self.geometry, &self.root.standard, fill)
        elif self.geometry.kernel == BITS:
            return check(self.pool, &self.settings, &self.geometry, &self.root.bits, fill)
        return check(self.pool, &self.settings, &self.geometry, &self.root.lines, fill)

    def restore(self, own, mask, state, bytes data):
        """Take over a tree at a position, in the bytes of its rows, and a generator's state.

        Returns what `check` finds; if that is a fault, or an exception is raised, the tree is empty.
        """
        cdef Pool pool = self.pool
        cdef const char* source = data
        cdef size_t count = len(data) // sizeof(Node)
        self.set_root(own, mask)
        if count * sizeof(Node) != <size_t>len(data) or not 1 <= count <= pool.limit:
            return 1, 0
        if count > pool.capacity:
            reserve(pool, <uint32_t>count)
        memcpy(pool.nodes, source, count * sizeof(Node))
        pool.used = <uint32_t>count
        fault = 1, 0
        try:
            fault = self.check(fill=True)
        finally:
            if fault[0]:
                clear(pool)
        self.generator.a, self.generator.b = state
        return fault

    def nbytes(self):
        """Bytes of memory the tree takes."""
        return self.pool.capacity * sizeof(Node) + self.pool.blocks.capacity * sizeof(Entry)

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
