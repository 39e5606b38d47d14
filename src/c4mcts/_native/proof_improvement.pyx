"""Smaller proofs: moves of a proof that was found are chosen again.

The search counts positions that several lines share once for each line, but a certificate lists them once. So in each
position in which the claimant is to move, from the ends of the games up, the move is taken that adds the fewest
positions to those that the rest of the proof needs anyway. What a move adds is found by counting the uses of each
position (as for circuits in Mishchenko, Chatterjee and Brayton, "DAG-aware AIG rewriting", 2006).

That ends where no single choice helps. `anneal` goes on: it chooses at random, of moves that add more the less likely,
the more so the lower the temperature (simulated annealing: Kirkpatrick, Gelatt and Vecchi, 1983), and counts only the
moves that a certificate lists.
"""

from .cells cimport Cells, Geometry, cells_of
from .certificate cimport OPEN, ProofEntry, ProofNode, column_of, find_entry, glance, key_of, release, reserve
from .numbers cimport Generator, gumbel

# moves in the tree below another move, if shared ones count for each line: in turn
cdef int[5] LIMITS = [16, 64, 256, 1024, 4096]

cdef enum:
    ANNEALED = 64   # as LIMITS, when moves are chosen at random
    EXCESS = 8      # how many times more moves that may be than the move taken so far adds positions


cdef class ProofImprovement:

    def __cinit__(self, search):
        self.search = <ProofSearch?>search
        self.random = Generator(a=1, b=2)

    def __dealloc__(self):
        release(&self.uses)

    def improve(self, own, other, bint is_to_move):
        """Improve the proof of a position until it gets no smaller. The arguments are as for ProofSearch.prove.

        An exception of the search's `ask` or `poll` ends it; the proof is whole then, too. ValueError if there is none.
        """
        cdef int limit
        self.begin(own, other, is_to_move, False)
        for limit in LIMITS:
            self.limit, self.saved = limit, 1
            while self.saved > 0:
                self.saved = 0
                self.improve_all(own, other, is_to_move)

    def anneal(self, own, other, bint is_to_move, temperatures):
        """Choose each move of the proof again at random, once for each temperature, in listed moves; 0: the best one.

        As improve else.
        """
        self.begin(own, other, is_to_move, True)
        self.limit = ANNEALED
        for self.temperature in temperatures:
            self.improve_all(own, other, is_to_move)

    cdef int begin(self, own, other, bint is_to_move, bint counts_listed) except -1:
        """Count the uses of all positions of the proof."""
        self.search.require_proof(own, other, is_to_move)
        release(&self.uses)
        self.temperature, self.counts_listed = 0.0, counts_listed
        if is_to_move:
            return self.use_move(cells_of(own), cells_of(other), 1)
        return self.use_replies(cells_of(own), cells_of(other), 1)

    cdef int improve_all(self, own, other, bint is_to_move) except -1:
        """Choose each move of the proof again."""
        if is_to_move:
            return self.improve_move(cells_of(own), cells_of(other), set())
        return self.improve_replies(cells_of(own), cells_of(other), set())

    cdef int use_move(self, Cells own, Cells other, int change) except? -1:
        """Add `change`, 1 or -1, to the uses of a proven position in which the claimant is to move.

        Returns by how many positions the proof grows: this one and those after it, if nothing else uses them.
        """
        cdef bint held = self.search.entry_of(own, other).held != 0
        cdef ProofNode node
        cdef int after
        if held or not self.is_changed(key_of(&self.search.claim, own, other), change):
            return 0
        node.own, node.other = own, other
        after = self.use_replies(own | self.search.chosen(own, other), other, change)
        return after if self.counts_listed and glance(&self.search.claim, &node) != OPEN else after + change

    cdef int use_replies(self, Cells own, Cells other, int change) except? -1:
        """The same for a position in which the opponent is to move."""
        cdef const Geometry* geometry = &self.search.claim.geometry
        cdef Cells free = (own | other) + geometry.bottom & geometry.board
        cdef Cells cell
        cdef int size = 0 if self.counts_listed else change
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
        cdef double cost, least
        cdef Cells cell
        self.search.count_visit()
        before = fewest = -self.use_replies(own | chosen, other, -1)
        least = self.cost_of(fewest)
        while others:
            cell = others & ~others + 1
            others ^= cell
            limit = min(self.limit, EXCESS * fewest)
            if self.search.expand(own | cell, other, limit) <= limit:
                added = self.use_replies(own | cell, other, 1)
                self.use_replies(own | cell, other, -1)
                cost = self.cost_of(added)
                if cost < least:
                    least, fewest, chosen = cost, added, cell
        self.use_replies(own | chosen, other, 1)
        self.saved += before - fewest
        self.search.choose(own, other, column_of(&self.search.claim, chosen))
        return 0

    cdef double cost_of(self, int added) noexcept:
        """What a move adds, with noise: the least cost is a choice by Boltzmann's distribution."""
        cdef double noise
        gumbel(&self.random, self.temperature, 1, &noise)
        return added - noise
