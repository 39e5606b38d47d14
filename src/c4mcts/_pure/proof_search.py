"""The search for small certificates: best first, by the number of moves that a proof still seems to need.

Each position in which the claimant is to move has a size, the moves in the tree below it as far as is known: 0 if a
rule decides it, else 1 more than that of the best move, which is the sum over the opponent's replies. A position that
was not visited yet counts UNVISITED also if look decides it. The search visits what has the smallest size, to a
threshold at which another move is better: depth first, with all sizes in a table (as in df-pn by Nagai, "Df-pn
algorithm for searching AND/OR trees", 2002, but with sizes in place of proof numbers, and with no need to disprove
anything, since the solver tells which moves keep the goal: it is asked about a move, not about its replies, as one
answer is then enough). Positions that several lines share count once for each line, but are listed once in a
certificate: see ProofImprovement. The native twin drops positions that it has only looked at when its table is full.
"""

from .certificate import (
    HELD,
    LOST,
    OPEN,
    ProofNode,
    claim_of,
    column_cells,
    column_of,
    glance,
    key_of,
    loses_at_once,
    oriented,
)

NEVER = 1 << 28  # as size: the goal is out of reach
UNVISITED = 3  # as size: with 1 there are three times as many visits, for proofs of up to a tenth fewer moves
ASK_FROM = 128  # size that a position has at least before the solver is asked whether the goal is within reach
ASK_NODES = 4  # nodes that the solver may take for the answer, for each square of the size: openings take longest
OUT_OF_REACH = 0  # in place of a size from which the solver is asked
SLACK = 4  # a move is visited until its size exceeds that of the second best by a quarter
POLL_EVERY = 256  # visits
BY_LOOK = 1  # as `held`: look finds HELD, and glance does not
BY_GLANCE = 2


class ProofEntry:
    """What is known of a position in which the claimant is to move."""

    __slots__ = (
        "column",  # of the move, once it is proven, in the position or its mirror image, whichever has the lower key
        "held",  # BY_GLANCE or BY_LOOK if it finds HELD, for look from the first visit on; else 0
        "proven",  # whether the size is that of a proof
        "size",  # moves in a proof, or as many as it seems to need
    )


class ProofSearch:
    """Finds certificates for one goal."""

    def __init__(self, rules, goal, ask, poll):
        """ask(own, all, nodes): whether the claimant, who has the discs `own` and is not to move, can reach the goal;
        None if the solver takes more than this number of nodes.

        poll(visits, positions) is called from time to time, with the number of visits and of positions in memory. An
        exception of either ends the search, which can be continued.
        """
        self.claim = claim_of(rules, goal)
        self.ask = ask
        self.poll = poll
        self.visits = 0
        self.entries = {}
        self.asked = {}  # by key: size from which the solver is asked again, or OUT_OF_REACH

    def prove(self, own, other, is_to_move):
        """Search for a proof from a position. own: discs of the claimant; is_to_move: whether they are to move.

        Returns whether there is one.
        """
        if is_to_move:
            entry = self.entry_of(own, other)
            size = entry.size if entry.proven or entry.size >= NEVER else self.visit(own, other, NEVER - 1)
        elif loses_at_once(self.claim, own, other):
            return False
        else:
            size = self.expand(own, other, NEVER - 1)
        return size < NEVER

    def moves(self, own, other, is_to_move):
        """The moves of the proof that `prove` has found, a list of columns in the order of CertificateReader.

        ValueError if there is none.
        """
        self.require_proof(own, other, is_to_move)
        moves, seen = [], set()
        if is_to_move:
            self.write_move(own, other, moves, seen)
        else:
            self.write_replies(own, other, moves, seen)
        return moves

    def require_proof(self, own, other, is_to_move):
        """Raise ValueError if there is no proof of a position yet."""
        is_proven = self.entry_of(own, other).proven if is_to_move else not self.open_replies(own, other)
        if not is_proven:
            raise ValueError("there is no proof yet")

    def open_replies(self, own, other):
        """Columns of the opponent, who is to move, to which there is no proven answer yet."""
        geometry, columns = self.claim.geometry, []
        free = (own | other) + geometry.bottom & geometry.board
        while free:
            cell = free & -free
            free ^= cell
            if not self.entry_of(own, other | cell).proven:
                columns.append(column_of(self.claim, cell))
        return columns

    def entry_of(self, own, other):
        """The entry of a position, which is made if there is none."""
        key = key_of(self.claim, own, other)
        if key not in self.entries:
            node, entry = ProofNode(), ProofEntry()
            node.own, node.other = own, other
            state = glance(self.claim, node)
            entry.size = NEVER if state == LOST else 0 if state == HELD else UNVISITED
            entry.held = BY_GLANCE if state == HELD else 0
            entry.proven = state == HELD
            entry.column = 0
            self.entries[key] = entry
        return self.entries[key]

    def size_of(self, own, other, limit):
        """The size of a position in which the opponent is to move.

        Once it is above the limit, the other replies are not counted. Leaves which reply is open, its size, and whether
        all that were counted are held. If there are an open reply and a size that would be visited, but is large, the
        solver is asked.
        """
        geometry = self.claim.geometry
        free = (own | other) + geometry.bottom & geometry.board
        size = NEVER if free == 0 and self.claim.goal > 0 else 0
        self.reply, self.reply_size, self.all_held = 0, NEVER, size == 0
        while free and size <= limit:
            cell = free & -free
            free ^= cell
            entry = self.entry_of(own, other | cell)
            size = min(size + entry.size, NEVER)
            self.all_held = self.all_held and entry.held == BY_GLANCE
            if not entry.proven and entry.size < self.reply_size:
                self.reply, self.reply_size = cell, entry.size
        if ASK_FROM <= size <= limit and self.reply and self.is_out_of_reach(own, other, size):
            return NEVER
        return size

    def is_out_of_reach(self, own, other, size):
        """Whether the solver says that the goal is, in a position of this size in which the opponent is to move.

        If it does not know, it is asked again once the size has doubled.
        """
        key = key_of(self.claim, own, other)
        if size >= self.asked.get(key, ASK_FROM) != OUT_OF_REACH:
            answer = self.ask(own, own | other, ASK_NODES * size * size)
            self.asked[key] = 2 * size if answer is None else NEVER if answer else OUT_OF_REACH
        return self.asked[key] == OUT_OF_REACH

    def expand(self, own, other, limit):
        """Visit replies of the opponent, who is to move, until all are proven or the size is above the limit.

        The reply with the smallest size comes first: one that needs more is best put off until the others are certain.
        Returns the size.
        """
        while True:
            size = self.size_of(own, other, limit)
            if size > limit or self.reply == 0:
                return size
            self.visit(own, other | self.reply, limit - size + self.reply_size)

    def visit(self, own, other, limit):
        """Visit a position that is not proven until it is, or its size is above the limit. Returns the size."""
        self.count_visit()
        node = ProofNode()
        node.own, node.other = own, other
        cost = 1 if glance(self.claim, node) == OPEN else 0
        cells, sizes, proven = [], [], []
        moves = node.moves
        enough = limit - cost
        while moves:
            cell = moves & -moves
            moves ^= cell
            cells.append(cell)
            sizes.append(self.size_of(own | cell, other, enough))
            proven.append(self.reply == 0 and sizes[-1] <= enough)
            enough = min(enough, sizes[-1])
            if self.all_held and proven[-1]:
                entry = self.entry_of(own, other)
                entry.size = 0
                entry.held = BY_LOOK
                entry.proven = True
                return 0
        while True:
            best = sizes.index(min(sizes))
            second = min([size for i, size in enumerate(sizes) if i != best], default=NEVER)
            size = min(sizes[best] + cost, NEVER)
            entry = self.entry_of(own, other)
            entry.size = size
            if size < NEVER and proven[best]:
                entry.proven = True
                self.choose(own, other, column_of(self.claim, cells[best]))
            if entry.proven or entry.size > limit:
                return entry.size
            enough = min(limit - cost, second + second // SLACK)
            sizes[best] = self.expand(own | cells[best], other, enough)
            proven[best] = self.reply == 0 and sizes[best] <= enough

    def count_visit(self):
        """Count a visit, and poll now and then."""
        self.visits += 1
        if self.visits % POLL_EVERY == 0:
            self.poll(self.visits, len(self.entries) + len(self.asked))

    def choose(self, own, other, column):
        """Make this the move in a position in which the claimant is to move and that no rule decides."""
        self.entry_of(own, other).column = oriented(self.claim, own, other, column)

    def chosen(self, own, other):
        """The cell of the move in such a position, once it is proven."""
        column = oriented(self.claim, own, other, self.entry_of(own, other).column)
        return column_cells(self.claim, column) & (own | other) + self.claim.geometry.bottom

    def write_move(self, own, other, moves, seen):
        """Append the moves for a position in which the claimant is to move, in the order of CertificateReader."""
        node = ProofNode()
        node.own, node.other = own, other
        state = glance(self.claim, node)
        key = key_of(self.claim, own, other)
        if self.entry_of(own, other).held or key in seen:
            return
        seen.add(key)
        cell = self.chosen(own, other)
        if state == OPEN:
            moves.append(column_of(self.claim, cell))
        self.write_replies(own | cell, other, moves, seen)

    def write_replies(self, own, other, moves, seen):
        """Append the moves for a position in which the opponent is to move."""
        geometry = self.claim.geometry
        free = (own | other) + geometry.bottom & geometry.board
        key = key_of(self.claim, own, other)
        if key in seen:
            return
        seen.add(key)
        while free:
            cell = free & -free
            free ^= cell
            self.write_move(own, other | cell, moves, seen)
