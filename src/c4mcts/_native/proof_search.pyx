"""The search for small certificates: best first, by the number of moves that a proof still seems to need.

Each position in which the claimant is to move has a size, the moves in the tree below it as far as is known: 0 if a
rule decides it, else 1 more than the size of the best move, a sum over the opponent's replies. A position that
was not visited yet counts UNVISITED also if look decides it. The search visits what has the smallest size, to a
threshold at which another move is better: depth first, with all sizes in a table (as in df-pn by Nagai, "Df-pn
algorithm for searching AND/OR trees", 2002, but with sizes instead of proof numbers, and with no need to disprove
anything, since the solver tells which moves keep the goal: it is asked about a move, not about its replies, as one
answer is then enough). Positions that several lines share count once for each line, but are listed once in a
certificate: see ProofImprovement. When the table is full, positions that were only looked at are dropped.

There is no twin: the checker, which has one, accepts what is found.
"""

from .certificate cimport (
    HELD,
    LOST,
    OPEN,
    ProofEntry,
    ProofNode,
    claim_of,
    column_cells,
    column_of,
    fetch_entry,
    find_entry,
    glance,
    key_of,
    loses_at_once,
    oriented,
    quiet_move,
    release,
    reserve,
)
from .cells cimport Cells, Geometry, cells_of

cdef enum:
    NEVER = 1 << 28     # as size: the goal is out of reach
    UNVISITED = 3       # as size: with 1 there are three times as many visits, for proofs of up to a tenth fewer moves
    ASK_FROM = 128      # size that a position has at least before the solver is asked whether the goal is within reach
    ASK_NODES = 4       # nodes that the solver may take, for each square of the size: openings take longest
    OUT_OF_REACH = 0    # instead of a size from which the solver is asked
    SLACK = 4           # a move is visited until its size exceeds the second best's by a quarter
    POLL_EVERY = 256    # visits
    BY_LOOK = 1         # as `held`: look finds HELD, and glance does not
    BY_GLANCE = 2
    MAX_MOVES = 64


cdef bint must_stay(const ProofEntry* entry) noexcept nogil:
    """Whether an entry may differ from the one that entry_of would make again. To drop others changes no result."""
    return entry.held != BY_GLANCE and (entry.proven or entry.size != UNVISITED)


cdef class ProofSearch:

    def __cinit__(self, rules, int goal, ask, poll):
        """ask(own, all, nodes): whether the claimant, who has the discs `own` and is not to move, can reach the goal;
        None if the solver takes more than this number of nodes.

        poll(visits, positions) is called from time to time, with the number of visits and of positions in memory. An
        exception of either ends the search, which can be continued.
        """
        self.claim = claim_of(rules, goal)
        self.ask = ask
        self.poll = poll
        reserve(&self.entries, must_stay)

    def __dealloc__(self):
        release(&self.entries)
        release(&self.asked)

    def prove(self, own, other, bint is_to_move):
        """Search for a proof from a position. own: discs of the claimant; is_to_move: whether they are to move.

        Returns whether there is one.
        """
        cdef Cells own_cells = cells_of(own)
        cdef Cells other_cells = cells_of(other)
        cdef ProofEntry* entry
        cdef int size
        if is_to_move:
            entry = self.entry_of(own_cells, other_cells)
            size = entry.size
            if not entry.proven and size < NEVER:
                size = self.visit(own_cells, other_cells, NEVER - 1)
        elif loses_at_once(&self.claim, own_cells, other_cells):
            return False
        else:
            size = self.expand(own_cells, other_cells, NEVER - 1)
        return size < NEVER

    def moves(self, own, other, bint is_to_move):
        """The moves of the proof that `prove` has found, a list of columns in the order of CertificateReader.

        ValueError if there is none.
        """
        cdef Cells own_cells = cells_of(own)
        cdef Cells other_cells = cells_of(other)
        cdef list moves = []
        cdef set seen = set()
        self.require_proof(own, other, is_to_move)
        if is_to_move:
            self.write_move(own_cells, other_cells, moves, seen)
        else:
            self.write_replies(own_cells, other_cells, moves, seen)
        return moves

    def adopt(self, own, other, bint is_to_move, moves):
        """Begin with a proof. moves: as CertificateReader has accepted them. The other arguments are as for `prove`."""
        cdef Cells own_cells = cells_of(own)
        cdef Cells other_cells = cells_of(other)
        cdef object rest = iter(moves)
        if is_to_move:
            self.adopt_move(own_cells, other_cells, rest)
        else:
            self.adopt_replies(own_cells, other_cells, rest)

    cdef int adopt_move(self, Cells own, Cells other, object rest) except -1:
        """Take over the proof of a position in which the claimant is to move. Returns its size."""
        cdef ProofEntry* entry = self.entry_of(own, other)
        cdef ProofNode node
        cdef int state, size, column
        if entry.proven:
            return entry.size
        node.own, node.other = own, other
        state = glance(&self.claim, &node)
        if quiet_move(&self.claim, &node) != 0:
            entry.size, entry.held, entry.proven = 0, BY_LOOK, True
            return 0
        column = next(rest) if state == OPEN else column_of(&self.claim, node.moves)
        size = self.adopt_replies(own | node.moves & column_cells(&self.claim, column), other, rest) + (state == OPEN)
        entry = self.entry_of(own, other)
        entry.size, entry.proven = min(size, <int>NEVER - 1), True
        self.choose(own, other, column)
        return entry.size

    cdef int adopt_replies(self, Cells own, Cells other, object rest) except -1:
        """The same for a position in which the opponent is to move."""
        cdef const Geometry* geometry = &self.claim.geometry
        cdef Cells free = (own | other) + geometry.bottom & geometry.board
        cdef Cells cell
        cdef int size = 0
        while free:
            cell = free & ~free + 1
            free ^= cell
            size = min(size + self.adopt_move(own, other | cell, rest), <int>NEVER - 1)
        return size

    def require_proof(self, own, other, bint is_to_move):
        """Raise ValueError if there is no proof of a position yet."""
        cdef bint is_proven
        if is_to_move:
            is_proven = self.entry_of(cells_of(own), cells_of(other)).proven
        else:
            is_proven = not self.open_replies(own, other)
        if not is_proven:
            raise ValueError("there is no proof yet")

    def open_replies(self, own, other):
        """Columns of the opponent, who is to move, to which there is no proven answer yet."""
        cdef const Geometry* geometry = &self.claim.geometry
        cdef Cells own_cells = cells_of(own)
        cdef Cells other_cells = cells_of(other)
        cdef Cells free = (own_cells | other_cells) + geometry.bottom & geometry.board
        cdef Cells cell
        columns = []
        while free:
            cell = free & ~free + 1
            free ^= cell
            if not self.entry_of(own_cells, other_cells | cell).proven:
                columns.append(column_of(&self.claim, cell))
        return columns

    cdef ProofEntry* entry_of(self, Cells own, Cells other) except NULL:
        """The entry of a position, which is made if there is none."""
        cdef Cells key = key_of(&self.claim, own, other)
        cdef ProofEntry* entry
        cdef ProofNode node
        cdef int state
        reserve(&self.entries, must_stay)
        entry = find_entry(&self.entries, key)
        if entry.key == 0:
            node.own, node.other = own, other
            state = glance(&self.claim, &node)
            entry.key = key
            entry.size = NEVER if state == LOST else 0 if state == HELD else UNVISITED
            entry.held = BY_GLANCE if state == HELD else 0
            entry.proven = state == HELD
            self.entries.used += 1
        return entry

    cdef int size_of(self, Cells own, Cells other, int limit) except -1:
        """The size of a position in which the opponent is to move.

        Once it is above the limit, the other replies are not counted. Leaves which reply is open, its size, and whether
        all that were counted are held. If there are an open reply and a size that would be visited, but is large, the
        solver is asked.
        """
        cdef const Geometry* geometry = &self.claim.geometry
        cdef Cells free = (own | other) + geometry.bottom & geometry.board
        cdef int size = NEVER if free == 0 and self.claim.goal > 0 else 0
        cdef Cells rest = free
        cdef Cells cell
        cdef ProofEntry* entry
        while rest:     # much of the time of a search is spent waiting for entries
            cell = rest & ~rest + 1
            rest ^= cell
            fetch_entry(&self.entries, key_of(&self.claim, own, other | cell))
        self.reply, self.reply_size, self.all_held = 0, NEVER, size == 0
        while free and size <= limit:
            cell = free & ~free + 1
            free ^= cell
            entry = self.entry_of(own, other | cell)
            size = min(size + entry.size, <int>NEVER)
            self.all_held = self.all_held and entry.held == BY_GLANCE
            if not entry.proven and entry.size < self.reply_size:
                self.reply, self.reply_size = cell, entry.size
        if ASK_FROM <= size <= limit and self.reply != 0 and self.is_out_of_reach(own, other, size):
            return NEVER
        return size

    cdef bint is_out_of_reach(self, Cells own, Cells other, int size) except -1:
        """Whether the solver says that the goal is, in a position of this size in which the opponent is to move.

        If it does not know, it is asked again once the size has doubled.
        """
        cdef Cells key = key_of(&self.claim, own, other)
        cdef ProofEntry* entry
        cdef object answer
        reserve(&self.asked, NULL)
        entry = find_entry(&self.asked, key)
        if entry.key == 0 or size >= entry.size != OUT_OF_REACH:
            answer = self.ask(own, own | other, <uint64_t>ASK_NODES * size * size)
            entry = find_entry(&self.asked, key)    # again: `ask` may have used this search
            self.asked.used += entry.key == 0
            entry.key = key
            entry.size = 2 * size if answer is None else NEVER if answer else OUT_OF_REACH
        return entry.size == OUT_OF_REACH

    cdef int expand(self, Cells own, Cells other, int limit) except -1:
        """Visit replies of the opponent, who is to move, until all are proven or the size is above the limit.

        The reply with the smallest size comes first: one that needs more is best put off until the others are certain.
        Returns the size.
        """
        cdef int size
        while True:
            size = self.size_of(own, other, limit)
            if size > limit or self.reply == 0:
                return size
            self.visit(own, other | self.reply, limit - size + self.reply_size)

    cdef int visit(self, Cells own, Cells other, int limit) except -1:
        """Visit a position that is not proven until it is, or its size is above the limit. Returns the size."""
        cdef Cells cells[MAX_MOVES]
        cdef int sizes[MAX_MOVES]
        cdef bint proven[MAX_MOVES]
        cdef ProofNode node
        cdef ProofEntry* entry
        cdef Cells moves, cell
        cdef int n = 0
        cdef int cost, enough, best, second, size, i
        self.count_visit()
        node.own, node.other = own, other
        cost = 1 if glance(&self.claim, &node) == OPEN else 0
        moves = node.moves
        enough = limit - cost
        while moves:
            cell = moves & ~moves + 1
            moves ^= cell
            cells[n] = cell
            sizes[n] = self.size_of(own | cell, other, enough)
            proven[n] = self.reply == 0 and sizes[n] <= enough
            enough = min(enough, sizes[n])
            if self.all_held and proven[n]:
                entry = self.entry_of(own, other)
                entry.size = 0
                entry.held = BY_LOOK
                entry.proven = True
                return 0
            n += 1
        while True:
            best = 0
            for i in range(1, n):
                if sizes[i] < sizes[best]:
                    best = i
            second = NEVER
            for i in range(n):
                if i != best:
                    second = min(second, sizes[i])
            size = min(sizes[best] + cost, <int>NEVER)
            entry = self.entry_of(own, other)
            entry.size = size
            if size < NEVER and proven[best]:
                entry.proven = True
                self.choose(own, other, column_of(&self.claim, cells[best]))
            if entry.proven or entry.size > limit:
                return entry.size
            enough = min(limit - cost, second + second // SLACK)
            sizes[best] = self.expand(own | cells[best], other, enough)
            proven[best] = self.reply == 0 and sizes[best] <= enough

    cdef int count_visit(self) except -1:
        """Count a visit, and poll now and then."""
        self.visits += 1
        if self.visits % POLL_EVERY == 0:
            self.poll(self.visits, self.entries.used + self.asked.used)
        return 0

    cdef void choose(self, Cells own, Cells other, int column) noexcept:
        """Make this the move in a position in which the claimant is to move and that no rule decides."""
        find_entry(&self.entries, key_of(&self.claim, own, other)).column = oriented(&self.claim, own, other, column)

    cdef Cells chosen(self, Cells own, Cells other) noexcept:
        """The cell of the move in such a position, once it is proven."""
        cdef ProofEntry* entry = find_entry(&self.entries, key_of(&self.claim, own, other))
        cdef int column = oriented(&self.claim, own, other, entry.column)
        return column_cells(&self.claim, column) & (own | other) + self.claim.geometry.bottom

    cdef int write_move(self, Cells own, Cells other, list moves, set seen) except -1:
        """Append the moves for a position in which the claimant is to move, in the order of CertificateReader."""
        cdef ProofNode node
        cdef int state
        cdef Cells key = key_of(&self.claim, own, other)
        cdef Cells cell
        node.own, node.other = own, other
        state = glance(&self.claim, &node)
        if self.entry_of(own, other).held or key in seen:
            return 0
        seen.add(key)
        cell = self.chosen(own, other)
        if state == OPEN:
            moves.append(column_of(&self.claim, cell))
        return self.write_replies(own | cell, other, moves, seen)

    cdef int write_replies(self, Cells own, Cells other, list moves, set seen) except -1:
        """Append the moves for a position in which the opponent is to move."""
        cdef const Geometry* geometry = &self.claim.geometry
        cdef Cells free = (own | other) + geometry.bottom & geometry.board
        cdef Cells key = key_of(&self.claim, own, other)
        cdef Cells cell
        if key in seen:
            return 0
        seen.add(key)
        while free:
            cell = free & ~free + 1
            free ^= cell
            self.write_move(own, other | cell, moves, seen)
        return 0
