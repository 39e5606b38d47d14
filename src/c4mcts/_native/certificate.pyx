"""Certificates: the moves with which a player reaches a goal against every reply; _pure.certificate explains them."""

from c4mcts.rules import fits_word

from libc cimport stdlib
from libc.stdint cimport uint64_t

from .cells cimport Cells, Geometry, cells_of, count_cells, geometry_of

cdef extern from "portable.h" nogil:
    void large_pages "c4_large_pages" (void* memory, size_t size)

cdef enum:
    FIRST_PLACES = 1 << 10


cdef ProofGoal claim_of(rules, int goal) except *:
    """A claim. goal: the score that the claimant reaches at least."""
    cdef ProofGoal claim
    if not fits_word(rules):
        raise ValueError(f"native certificates are for boards of at most 64 bits, not {rules}")
    claim.geometry = geometry_of(rules)
    claim.goal = goal
    return claim


cdef inline bint is_kept(const ProofEntry* entry, MustStay must_stay) noexcept nogil:
    """Whether `reserve` keeps what is in this place. 0 is the key of a free place."""
    return entry.key != 0 and (must_stay == NULL or must_stay(entry))


cdef int reserve(Entries* entries, MustStay must_stay) except -1:
    """Make room for one more entry. Pointers to entries become invalid.

    A full table loses the entries that need not stay; if more than half of them must, it becomes twice as large. NULL:
    all must stay.
    """
    cdef Entries fresh
    cdef uint64_t i
    if entries.places != NULL and 2 * entries.used <= entries.last:
        return 0
    fresh.used = 0
    fresh.last = FIRST_PLACES - 1
    if entries.places != NULL:
        for i in range(entries.last + 1):
            fresh.used += is_kept(&entries.places[i], must_stay)
        fresh.last = 2 * entries.last + 1 if 2 * fresh.used > entries.used else entries.last
    fresh.places = <ProofEntry*>stdlib.calloc(fresh.last + 1, sizeof(ProofEntry))
    if fresh.places == NULL:
        raise MemoryError(f"no memory for {entries.used} positions")
    large_pages(fresh.places, (fresh.last + 1) * sizeof(ProofEntry))
    if entries.places != NULL:
        for i in range(entries.last + 1):
            if is_kept(&entries.places[i], must_stay):
                find_entry(&fresh, entries.places[i].key)[0] = entries.places[i]
    release(entries)
    entries[0] = fresh
    return 0


cdef void release(Entries* entries) noexcept:
    """Free the memory of a table, which is then empty."""
    stdlib.free(entries.places)
    entries.places = NULL
    entries.used = 0


cdef class CertificateReader:

    def __cinit__(self, rules, int goal):
        self.claim = claim_of(rules, goal)

    def __dealloc__(self):
        release(&self.seen)

    def read(self, own, other, bint is_to_move, moves, int discs=0):
        """Check moves. own: discs of the claimant; is_to_move: whether they are to move.

        Returns the number of different positions, mirror images counted once, and how many of the moves were used.
        ValueError, with the index of a move, if they are no proof. `answers` has then the moves in positions with fewer
        than `discs` discs: by key_of, the column in the position or its mirror image, whichever has the lower key.
        """
        cdef Cells own_cells = cells_of(own)
        cdef Cells other_cells = cells_of(other)
        self.held = bytes(moves)
        self.moves = self.held
        self.next = 0
        self.discs = discs
        self.answers = {}
        release(&self.seen)
        if is_to_move:
            self.read_move(own_cells, other_cells)
        else:
            if loses_at_once(&self.claim, own_cells, other_cells):
                raise ValueError("the opponent wins at once")
            self.read_replies(own_cells, other_cells)
        return self.seen.used, self.next

    cdef int read_move(self, Cells own, Cells other) except -1:
        """Check a position in which the claimant is to move."""
        cdef ProofNode node
        cdef Cells cell
        cdef int state, column
        node.own, node.other = own, other
        state = look(&self.claim, &node)
        if state == HELD or not self.is_new(own, other):
            return 0
        if state == LOST:
            raise ValueError(f"before move {self.next}: the opponent prevents the goal")
        if state == FORCED:
            cell = node.moves
        else:
            if self.next == self.moves.shape[0]:
                raise ValueError(f"move {self.next} is missing")
            column = self.moves[self.next]
            cell = node.moves & column_cells(&self.claim, column) if column < self.claim.geometry.width else 0
            if cell == 0:
                raise ValueError(f"move {self.next}: column {column} is full, or loses at once")
            self.next += 1
        if count_cells(own | other) < self.discs:
            column = column_of(&self.claim, cell)
            self.answers[key_of(&self.claim, own, other)] = oriented(&self.claim, own, other, column)
        return self.read_replies(own | cell, other)

    cdef int read_replies(self, Cells own, Cells other) except -1:
        """Check a position in which the opponent is to move and can't win at once."""
        cdef const Geometry* geometry = &self.claim.geometry
        cdef Cells free = (own | other) + geometry.bottom & geometry.board
        cdef Cells cell
        if free == 0 and self.claim.goal > 0:
            raise ValueError(f"before move {self.next}: the game ends in a draw")
        if not self.is_new(own, other):
            return 0
        while free:
            cell = free & ~free + 1
            free ^= cell
            self.read_move(own, other | cell)
        return 0

    cdef int is_new(self, Cells own, Cells other) except -1:
        """Whether neither this position nor its mirror image has been met; notes it."""
        cdef Cells key = key_of(&self.claim, own, other)
        cdef ProofEntry* entry
        reserve(&self.seen, NULL)
        entry = find_entry(&self.seen, key)
        if entry.key != 0:
            return False
        entry.key = key
        self.seen.used += 1
        return True
