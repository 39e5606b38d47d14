"""The searcher: one tree, grown by simulations, and what is done with it between them."""

from c4mcts import _layout
from c4mcts.rules import sound

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from .alphabeta cimport attach
from .atomics cimport read16, read32
from .bitboard cimport BITS, STANDARD, geometry_of, load, play
from .blocks cimport Entry, must_widen, widen
from .consistency cimport check
from .poll cimport begin, finish
from .pool cimport Estimate, clear, estimates, keep, most_visits, reserve, rows, set_estimates
from .proofs cimport is_proven
from .simulation cimport is_cramped
from .threads cimport make, prepare
from .threats cimport find_threats

cdef uint32_t ROOT = _layout.ROOT
cdef uint64_t UNTIL_ASKED_AGAIN = 4096  # simulations, for memory that was refused


cdef uint32_t child_of(Pool pool, uint32_t node, int column) noexcept nogil:
    """The child that a column leads to; ROOT, which is nobody's child, if there is none."""
    cdef Node* nodes = pool.nodes
    cdef uint32_t first = nodes[node].children
    cdef uint32_t child
    for child in range(first, first + nodes[node].size):
        if nodes[child].column == column:
            return child
    return ROOT


cdef int grow(Pool pool, const Settings* settings, const Geometry* geometry) except -1:
    """More memory for the tree; where there is none, the tree counts as full for a while."""
    try:
        if pool.capacity - pool.used < <uint32_t>geometry.width and pool.capacity < pool.limit:
            reserve(pool, min(pool.limit, 2 * <uint64_t>pool.capacity + 64))
        if settings.transpositions and must_widen(pool.blocks):
            widen(pool.blocks)
    except MemoryError:
        pool.refused = True
    return 0


cdef class Searcher:

    def __cinit__(self, rules, settings, state, Solver solver):
        """`settings`: a _layout.Settings; `state`: two 64-bit words, not both zero; `solver`: for probes, or None."""
        rules = sound(rules)
        if solver is not None and solver.rules != rules:
            raise ValueError(f"the solver is for {solver.rules}, not for {rules}")
        self.geometry = geometry_of(rules)
        self.settings = Settings(
            settings.selection, settings.random_opponent, settings.win, settings.draw, settings.exploration,
            settings.first_play, settings.random_ties, settings.roll_root, settings.rollout, settings.proofs,
            settings.probes and solver is not None, settings.transpositions, settings.short_wins, settings.threads > 1,
            settings.virtual_loss, settings.noise,
        )
        self.solver = solver
        self.poll = Poll()
        self.pool = Pool(settings.max_nodes)
        self.pool.shared = self.pool.blocks.shared = self.settings.shared
        self.team = Team(settings.threads)
        self.team.pool = self.pool
        self.team.poll = self.poll
        self.team.settings = &self.settings
        self.team.geometry = &self.geometry
        self.team.root = &self.root
        self.team.workers[0].generator.a, self.team.workers[0].generator.b = state

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

        poll: called by this thread, in the course of long probes, and every 10 ms if there are several threads. If it
        returns true, the simulations under way are the last.
        """
        cdef Task* task = NULL
        cdef uint64_t done = 0
        cdef uint64_t left
        begin(self.poll, poll)
        if self.solver is not None:
            task = &self.solver.task
            attach(task, self.poll)
        try:
            prepare(self.team, task)
            while done < count and not (done and self.pool.used >= enough) and not self.is_proven():
                self.pool.refused = False
                if is_cramped(self.pool, &self.settings, &self.geometry):
                    grow(self.pool, &self.settings, &self.geometry)
                left = count - done
                done += make(self.team, min(left, UNTIL_ASKED_AGAIN) if self.pool.refused else left, enough)
                if self.poll.halted:
                    break
        finally:
            finish(self.poll)
        return done

    def advance(self, columns):
        """Play moves at the root and keep the subtree they lead to, dropping the rest.

        False, and nothing is changed, if the tree does not hold the last of them.
        """
        cdef uint32_t node = ROOT
        cdef int column
        columns = list(columns)
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
        """What is wrong with the tree: see consistency.check."""
        if self.geometry.kernel == STANDARD:
            return check(self.pool, &self.settings, &self.geometry, &self.root.standard, fill)
        elif self.geometry.kernel == BITS:
            return check(self.pool, &self.settings, &self.geometry, &self.root.bits, fill)
        return check(self.pool, &self.settings, &self.geometry, &self.root.lines, fill)

    def restore(self, own, mask, state, bytes data, short_wins):
        """Take over a tree at a position, in the bytes of its rows, a generator's state, and what short_wins gave.

        Returns what `check` finds; if that is a fault, or an exception is raised, the tree is empty.
        """
        cdef Pool pool = self.pool
        cdef const char* source = data
        cdef size_t count = len(data) // sizeof(Node)
        if len(short_wins) > self.geometry.width:
            raise ValueError(f"short_wins must be at most {self.geometry.width} numbers, not {len(short_wins)}")
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
        self.team.workers[0].generator.a, self.team.workers[0].generator.b = state
        for column, plies in enumerate(short_wins):
            self.pool.short_wins[<int>column] = plies
        return fault

    def nbytes(self):
        """Bytes of memory the tree takes."""
        cdef size_t node = sizeof(Node) + (sizeof(Estimate) if self.pool.estimates != NULL else 0)
        return self.pool.capacity * node + self.pool.blocks.capacity * sizeof(Entry)

    def is_proven(self):
        """Whether the outcome is certain."""
        return is_proven(read16(&self.pool.nodes[ROOT].proof))

    def used(self):
        """Number of nodes in the tree."""
        return read32(&self.pool.used)

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
        cdef int column
        return [read16(&self.pool.short_wins[column]) for column in range(self.geometry.width)]

    def state(self):
        """The generator's state."""
        return self.team.workers[0].generator.a, self.team.workers[0].generator.b
