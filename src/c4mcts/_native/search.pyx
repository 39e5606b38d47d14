"""The searcher: grows one tree by simulations, moves its root, checks it, and returns its nodes."""

from c4mcts import _layout
from c4mcts._layout import NO_FAULT, Fault, discounted_rewards

from libc.stdint cimport UINT64_MAX, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from .atomics cimport acquire32, read16, read32
from .bitboard cimport BITS, STANDARD, geometry_of, load, play
from .book_reader cimport BookReader
from .consistency cimport check
from .network cimport Network
from .numbers cimport Generator
from .poll cimport begin, finish
from .pool cimport (
    CLAIMED, NETWORK, NO_CHILDREN, Entry, NodeEstimate,
    clear, estimate, estimates, keep_subtree, most_visits, must_widen, reserve, rows, set_estimates, widen,
)
from .proofs cimport UNKNOWN, is_proven, keeps, line_order
from .simulation cimport needs_memory
from .threads cimport prepare, run_threads
from .threats cimport find_threats

cdef extern from *:
    """
    #define C4_TEXT(macro) #macro
    #define C4_EXPANDED(macro) C4_TEXT(macro)
    #ifdef Py_LIMITED_API
    #define C4_OLDEST_PYTHON "oldest CPython " C4_EXPANDED(Py_LIMITED_API)
    #else
    #define C4_OLDEST_PYTHON ""
    #endif
    """
    const char* C4_OLDEST_PYTHON

OLDEST_PYTHON = C4_OLDEST_PYTHON    # kaggle_submission.archive finds it in the file
cdef uint32_t MIN_LINE_VISITS = _layout.MIN_LINE_VISITS
cdef uint32_t ROOT = _layout.ROOT
cdef uint64_t ALL_COLUMNS = _layout.ALL_COLUMNS
cdef uint64_t RETRY_AFTER = 4096    # simulations before memory is requested again after a failed allocation


cdef uint32_t size_of(const Node[::1] nodes, uint32_t node) noexcept nogil:
    """Number of children; 0 as long as another thread is making them."""
    cdef uint32_t children = acquire32(&nodes[node].children)
    return 0 if children == NO_CHILDREN or children == CLAIMED else nodes[node].size


cdef uint32_t child_of(NodePool pool, uint32_t node, int column) noexcept nogil:
    """The child that a column leads to; ROOT, which is never a child, if there is none."""
    cdef Node[::1] nodes = pool.nodes
    cdef uint32_t size = size_of(nodes, node)
    cdef uint32_t first = nodes[node].children
    cdef uint32_t child
    for child in range(first, first + size):
        if nodes[child].column == column:
            return child
    return ROOT


cdef list best_line(NodePool pool, uint32_t node, uint16_t proof):
    """The best moves below a node, to the first that is neither proven nor visited MIN_LINE_VISITS times.

    proof: of the node. From a proven position on, the line has only moves that keep what is proven.
    """
    cdef Node[::1] nodes = pool.nodes
    cdef list line = []
    cdef int64_t order = 0
    cdef int64_t rank
    cdef uint32_t size = size_of(nodes, node)
    cdef uint32_t first, child
    cdef uint16_t child_proof
    while size:
        first = nodes[node].children
        node = ROOT
        for child in range(first, first + size):
            child_proof = read16(&nodes[child].proof)
            if keeps(proof, child_proof):
                rank = line_order(child_proof, read32(&nodes[child].visits))
                if node == ROOT or rank > order:
                    node = child
                    order = rank
        if node == ROOT or read32(&nodes[node].visits) < MIN_LINE_VISITS and read16(&nodes[node].proof) == UNKNOWN:
            break
        line.append(nodes[node].column)
        proof = read16(&nodes[node].proof)
        size = size_of(nodes, node)
    return line


cdef int enlarge(Tree tree) except -1:
    """Get more memory for the tree. If the system has none, the tree counts as full for a while."""
    cdef NodePool pool = tree.pool
    try:
        if pool.capacity - pool.used < <uint32_t>tree.geometry.width and pool.capacity < pool.limit:
            reserve(pool, min(pool.limit, 2 * <uint64_t>pool.capacity + 64))
        if tree.settings.transpositions and must_widen(pool.blocks):
            widen(pool.blocks)
    except MemoryError:
        pool.memory_refused = True
    return 0


cdef class Searcher:

    def __cinit__(self, rules, settings, state, Prober solver, BookReader book=None, Network network=None):
        """settings: a _layout.Settings. state: two 64-bit integers, not both zero. solver: for probes, or None.

        book: a BookScores whose positions are proven at their first visit, or None; needs settings.proofs. network: a
        Network, which settings.rollout == NETWORK needs, or None.
        """
        if settings.rollout == NETWORK and (network is None or network.rules != rules):
            raise ValueError(f"there must be a network for {rules}")
        if solver is not None and solver.rules != rules:
            raise ValueError(f"the solver is for {solver.rules}, not for {rules}")
        if solver is not None and solver.threads < settings.threads:
            raise ValueError(f"the solver is for {solver.threads} threads, not for {settings.threads}")
        if book is not None and book.rules != rules:
            raise ValueError(f"the book is for {book.rules}, not for {rules}")
        self.tree = Tree()
        self.tree.network = network
        self.tree.book = book
        self.tree.book_plies = -1 if book is None else book.last_ply
        self.tree.root_columns = ALL_COLUMNS
        self.tree.geometry = geometry_of(rules)
        self.tree.settings = settings._asdict()
        self.tree.settings.probes = settings.probes and solver is not None
        self.tree.wins, self.tree.losses = discounted_rewards(
            settings.win, settings.draw, settings.discount, self.tree.geometry.cells
        )
        self.tree.pool = NodePool(settings.max_nodes)
        if settings.rollout == NETWORK:
            estimate(self.tree.pool)
        self.tree.pool.shared = self.tree.pool.blocks.shared = settings.shared
        self.solver = solver
        self.poll = Poll()
        self.group = ThreadGroup(settings.threads)
        self.group.tree = self.tree
        self.group.root = &self.root
        self.group.poll = self.poll
        self.group.threads[0].worker.generator = Generator(a=state[0], b=state[1])

    def set_root(self, own, mask, uint64_t columns=ALL_COLUMNS):
        """Start a new tree at an unfinished position: discs of the player to move, and all discs.

        columns: that the root may play, a bit for each; the others are no moves of it.
        """
        self.tree.root_columns = columns
        if self.tree.geometry.kernel == STANDARD:
            load(&self.root.standard, &self.tree.geometry, own, mask)
            find_threats(&self.root.standard, &self.tree.geometry)
        elif self.tree.geometry.kernel == BITS:
            load(&self.root.bits, &self.tree.geometry, own, mask)
            find_threats(&self.root.bits, &self.tree.geometry)
        else:
            load(&self.root.lines, &self.tree.geometry, own, mask)
            find_threats(&self.root.lines, &self.tree.geometry)
        clear(self.tree.pool)

    def set_salt(self, int64_t salt):
        """Set the salt of the settings, for a new tree."""
        self.tree.settings.salt = salt

    def simulate(self, uint64_t count, uint64_t max_nodes, poll, uint64_t milliseconds=UINT64_MAX):
        """Run up to `count` simulations, until the tree has `max_nodes` or its root is proven; returns the number run.

        At least one, unless the root is proven. After these milliseconds, or once `poll` returns true, which is called
        about every 10 ms, the simulations under way are the last; a probe is left in the middle.
        """
        cdef uint64_t done = 0
        cdef uint64_t remaining
        begin(self.poll, poll, milliseconds)
        try:
            prepare(self.group, self.solver)
            while done < count and not (done and self.tree.pool.used >= max_nodes) and not self.is_proven():
                self.tree.pool.memory_refused = False
                if needs_memory(self.tree):
                    enlarge(self.tree)
                remaining = count - done
                if self.tree.pool.memory_refused:
                    remaining = min(remaining, RETRY_AFTER)
                done += run_threads(self.group, remaining, max_nodes)
                if self.poll.halted:
                    break
        finally:
            if self.solver is not None:
                self.solver.end_probes()
            finish(self.poll)
        return done

    def advance(self, columns):
        """Play moves at the root, keep the subtree that they lead to, and drop the rest.

        False, and nothing is changed, if the tree does not reach that far.
        """
        cdef uint32_t node = ROOT
        cdef int column
        columns = list(columns)
        for column in columns:
            node = child_of(self.tree.pool, node, column)
            if node == ROOT:
                return False
        keep_subtree(self.tree.pool, node)
        self.tree.root_columns = ALL_COLUMNS
        for column in columns:
            if self.tree.geometry.kernel == STANDARD:
                play(&self.root.standard, &self.tree.geometry, column)
            elif self.tree.geometry.kernel == BITS:
                play(&self.root.bits, &self.tree.geometry, column)
            else:
                play(&self.root.lines, &self.tree.geometry, column)
        if self.tree.geometry.kernel == STANDARD:
            find_threats(&self.root.standard, &self.tree.geometry)
        elif self.tree.geometry.kernel == BITS:
            find_threats(&self.root.bits, &self.tree.geometry)
        else:
            find_threats(&self.root.lines, &self.tree.geometry)
        return True

    def check(self, bint fill=False):
        """The first fault of the tree and its node: see consistency.check."""
        if self.tree.geometry.kernel == STANDARD:
            return check(self.tree, &self.root.standard, fill)
        elif self.tree.geometry.kernel == BITS:
            return check(self.tree, &self.root.bits, fill)
        return check(self.tree, &self.root.lines, fill)

    def restore(self, own, mask, state, data, short_wins):
        """Replace the tree by one that was saved: position, generator's state, nodes as from `rows`, and short_wins.

        Returns what `check` finds; if that is a fault, or an exception is raised, the tree is empty.
        """
        cdef NodePool pool = self.tree.pool
        cdef const uint8_t[::1] source = data
        cdef size_t count = len(source) // sizeof(Node)
        if len(short_wins) > self.tree.geometry.width:
            raise ValueError(f"short_wins must be at most {self.tree.geometry.width} numbers, not {len(short_wins)}")
        self.set_root(own, mask)
        if count * sizeof(Node) != <size_t>len(source) or not 1 <= count <= pool.limit:
            return Fault.BLOCK, ROOT
        if count > pool.capacity:
            reserve(pool, <uint32_t>count)
        memcpy(&pool.nodes[0], &source[0], count * sizeof(Node))
        if pool.raw_values is not None:
            pool.raw_values[:count] = 0.0   # not saved: searches that need them start a new tree
        pool.used = <uint32_t>count
        fault = Fault.BLOCK, ROOT
        try:
            fault = self.check(fill=True)
        finally:
            if fault[0] != NO_FAULT:
                clear(pool)
        self.group.threads[0].worker.generator = Generator(a=state[0], b=state[1])
        for column, plies in enumerate(short_wins):
            self.tree.pool.short_wins[<int>column] = plies
        return fault

    def nbytes(self):
        """Bytes of memory that the tree takes."""
        cdef size_t node = sizeof(Node) + (sizeof(NodeEstimate) if self.tree.pool.estimates is not None else 0)
        node += sizeof(double) if self.tree.pool.raw_values is not None else 0
        return self.tree.pool.capacity * node + self.tree.pool.blocks.capacity * sizeof(Entry)

    def is_proven(self):
        """Whether the outcome is certain."""
        return is_proven(read16(&self.tree.pool.nodes[ROOT].proof))

    def used(self):
        """Number of nodes in the tree."""
        return read32(&self.tree.pool.used)

    def visits(self):
        """Visits of the root."""
        return read32(&self.tree.pool.nodes[ROOT].visits)

    def most_visits(self):
        """Visits of the node that has the most."""
        return most_visits(self.tree.pool)

    def rows(self, first, count):
        """Nodes as bytes: see pool.rows."""
        return rows(self.tree.pool, first, count)

    def line(self, int column, uint16_t proof):
        """The best moves after a column of the root: see best_line. proof: of the column."""
        cdef uint32_t node = child_of(self.tree.pool, ROOT, column)
        return [] if node == ROOT else best_line(self.tree.pool, node, proof)

    def estimates(self, first, count):
        """Values and priors of nodes as bytes: see pool.estimates."""
        return estimates(self.tree.pool, first, count)

    def set_estimates(self, data):
        """Set values and priors from bytes: see pool.set_estimates."""
        return set_estimates(self.tree.pool, data)

    def short_wins(self):
        """Plies to the soonest win seen through each column of the root; 0: none."""
        cdef int column
        return [read16(&self.tree.pool.short_wins[column]) for column in range(self.tree.geometry.width)]

    def state(self):
        """The generator's state."""
        cdef Generator* generator = &self.group.threads[0].worker.generator
        return generator.a, generator.b
