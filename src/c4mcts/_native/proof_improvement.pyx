"""Smaller proofs: moves of a proof that was found are chosen again.

The search counts positions that several lines share once for each line, but a certificate lists them once. So in each
position in which the claimant is to move, from the ends of the games up, the move is taken that adds the fewest
positions to those that the rest of the proof needs anyway. What a move adds is found by counting the uses of each
position (as for circuits in Mishchenko, Chatterjee and Brayton, "DAG-aware AIG rewriting", 2006).
"""

from .cells cimport Cells, Geometry, cells_of
from .certificate cimport OPEN, ProofEntry, ProofNode, column_of, find_entry, glance, key_of, release, reserve

# moves in the tree below another move, if shared ones count for each line: in turn
cdef int[5] LIMITS = [16, 64, 256, 1024, 4096]

cdef enum:
    EXCESS = 8  # how many times more moves that may be than the move taken so far adds positions


cdef class ProofImprovement:

    def __cinit__(self, search):
        self.search = <ProofSearch?>search

    def __dealloc__(self):
        release(&self.uses)

    def improve(self, own, other, bint is_to_move):
        """Improve the proof of a position until it gets no smaller. The arguments are as for ProofSearch.prove.

        An exception of the search's `ask` or `poll` ends it; the proof is whole then, too. ValueError if there is none.
        """
        cdef Cells own_cells = cells_of(own)
        cdef Cells other_cells = cells_of(other)
        cdef int limit
        self.search.require_proof(own, other, is_to_move)
        release(&self.uses)
        if is_to_move:
            self.use_move(own_cells, other_cells, 1)
        else:
            self.use_replies(own_cells, other_cells, 1)
        for limit in LIMITS:
            self.limit, self.saved = limit, 1
            while self.saved > 0:
                self.saved = 0
                if is_to_move:
                    self.improve_move(own_cells, other_cells, set())
                else:
                    self.improve_replies(own_cells, other_cells, set())

    cdef int use_move(self, Cells own, Cells other, int change) except? -1:
        """Add `change`, 1 or -1, to the uses of a proven position in which the claimant is to move.

        Returns by how many positions the proof grows: this one and those after it, if nothing else uses them.
        """
        cdef bint held = self.search.entry_of(own, other).held != 0
        if held or not self.is_changed(key_of(&self.search.claim, own, other), change):
            return 0
        return change + self.use_replies(own | self.search.chosen(own, other), other, change)

    cdef int use_replies(self, Cells own, Cells other, int change) except? -1:
        """The same for a position in which the opponent is to move."""
        cdef const Geometry* geometry = &self.search.claim.geometry
        cdef Cells free = (own | other) + geometry.bottom & geometry.board
        cdef Cells cell
        cdef int size = change
        if not self.is_changed(key_of(&self.search.claim, own, other), change):
            return 0
        while free:
            cell = free & ~free + 1
            free ^= cell
            size += self.use_move(own, other | cell, change)
        return size

    cdef int is_changed(self, Cells key, int change) except -1:
        """Add to the uses of a position; returns whether it is used from now on, or no longer."""
        cdef ProofEntry* entry
        cdef int before
        reserve(&self.uses, NULL)
        entry = find_entry(&self.uses, key)
        before = entry.size
        if entry.key == 0:
            entry.key = key
            self.uses.used += 1
        entry.size = before + change
        return before == 0 or before + change == 0

    cdef int improve_move(self, Cells own, Cells other, set seen) except -1:
        """Improve the proof of a position in which the claimant is to move, what follows first."""
        cdef ProofNode node
        cdef Cells key = key_of(&self.search.claim, own, other)
        cdef Cells cell
        node.own, node.other = own, other
        if self.search.entry_of(own, other).held or key in seen:
            return 0
        seen.add(key)
        cell = self.search.chosen(own, other)
        self.improve_replies(own | cell, other, seen)
        if glance(&self.search.claim, &node) == OPEN:
            self.choose_again(own, other, cell, node.moves ^ cell)
        return 0

    cdef int improve_replies(self, Cells own, Cells other, set seen) except -1:
        """The same for a position in which the opponent is to move."""
        cdef const Geometry* geometry = &self.search.claim.geometry
        cdef Cells free = (own | other) + geometry.bottom & geometry.board
        cdef Cells key = key_of(&self.search.claim, own, other)
        cdef Cells cell
        if key in seen:
            return 0
        seen.add(key)
        while free:
            cell = free & ~free + 1
            free ^= cell
            self.improve_move(own, other | cell, seen)
        return 0

    cdef int choose_again(self, Cells own, Cells other, Cells chosen, Cells others) except -1:
        """Choose among the cell of the move and others the one that adds the fewest positions to the proof."""
        cdef int before, fewest, added, limit
        cdef Cells cell
        self.search.count_visit()
        before = fewest = -self.use_replies(own | chosen, other, -1)
        while others:
            cell = others & ~others + 1
            others ^= cell
            limit = min(self.limit, EXCESS * fewest)
            if self.search.expand(own | cell, other, limit) <= limit:
                added = self.use_replies(own | cell, other, 1)
                self.use_replies(own | cell, other, -1)
                if added < fewest:
                    fewest, chosen = added, cell
        self.use_replies(own | chosen, other, 1)
        self.saved += before - fewest
        self.search.choose(own, other, column_of(&self.search.claim, chosen))
        return 0
