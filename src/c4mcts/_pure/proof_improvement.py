"""Smaller proofs: moves of a proof that was found are chosen again.

The search counts positions that several lines share once for each line, but a certificate lists them once. So in each
position in which the claimant is to move, from the ends of the games up, the move is taken that adds the fewest
positions to those that the rest of the proof needs anyway. What a move adds is found by counting the uses of each
position (as for circuits in Mishchenko, Chatterjee and Brayton, "DAG-aware AIG rewriting", 2006).
"""

from .certificate import OPEN, ProofNode, column_of, glance, key_of

LIMITS = (16, 64, 256, 1024, 4096)  # moves in the tree below another move, if shared ones count for each line: in turn
EXCESS = 8  # how many times more moves that may be than the move taken so far adds positions


class ProofImprovement:
    """Improves a proof that a ProofSearch has found."""

    def __init__(self, search):
        self.search = search
        self.search.claim = search.claim
        self.uses = {}
        self.limit = 0
        self.saved = 0

    def improve(self, own, other, is_to_move):
        """Improve the proof of a position until it gets no smaller. The arguments are those of ProofSearch.prove.

        An exception of the search's `ask` or `poll` ends it; the proof is whole then, too. ValueError if there is none.
        """
        self.search.require_proof(own, other, is_to_move)
        self.uses = {}
        if is_to_move:
            self.use_move(own, other, 1)
        else:
            self.use_replies(own, other, 1)
        for limit in LIMITS:
            self.limit, self.saved = limit, 1
            while self.saved > 0:
                self.saved = 0
                if is_to_move:
                    self.improve_move(own, other, set())
                else:
                    self.improve_replies(own, other, set())

    def use_move(self, own, other, change):
        """Add `change`, 1 or -1, to the uses of a proven position in which the claimant is to move.

        Returns by how many positions the proof grows: this one and those after it, if nothing else uses them.
        """
        held = self.search.entry_of(own, other).held != 0
        if held or not self.is_changed(key_of(self.search.claim, own, other), change):
            return 0
        return change + self.use_replies(own | self.search.chosen(own, other), other, change)

    def use_replies(self, own, other, change):
        """The same for a position in which the opponent is to move."""
        geometry, size = self.search.claim.geometry, change
        free = (own | other) + geometry.bottom & geometry.board
        if not self.is_changed(key_of(self.search.claim, own, other), change):
            return 0
        while free:
            cell = free & -free
            free ^= cell
            size += self.use_move(own, other | cell, change)
        return size

    def is_changed(self, key, change):
        """Add to the uses of a position; returns whether it is used from now on, or no longer."""
        before = self.uses.get(key, 0)
        self.uses[key] = before + change
        return before == 0 or before + change == 0

    def improve_move(self, own, other, seen):
        """Improve the proof of a position in which the claimant is to move, what follows first."""
        node = ProofNode()
        node.own, node.other = own, other
        key = key_of(self.search.claim, own, other)
        if self.search.entry_of(own, other).held or key in seen:
            return
        seen.add(key)
        cell = self.search.chosen(own, other)
        self.improve_replies(own | cell, other, seen)
        if glance(self.search.claim, node) == OPEN:
            self.choose_again(own, other, cell, node.moves ^ cell)

    def improve_replies(self, own, other, seen):
        """The same for a position in which the opponent is to move."""
        geometry = self.search.claim.geometry
        free = (own | other) + geometry.bottom & geometry.board
        key = key_of(self.search.claim, own, other)
        if key in seen:
            return
        seen.add(key)
        while free:
            cell = free & -free
            free ^= cell
            self.improve_move(own, other | cell, seen)

    def choose_again(self, own, other, chosen, others):
        """Choose among the cell of the move and others the one that adds the fewest positions to the proof."""
        self.search.count_visit()
        before = fewest = -self.use_replies(own | chosen, other, -1)
        while others:
            cell = others & -others
            others ^= cell
            limit = min(self.limit, EXCESS * fewest)
            if self.search.expand(own | cell, other, limit) <= limit:
                added = self.use_replies(own | cell, other, 1)
                self.use_replies(own | cell, other, -1)
                if added < fewest:
                    fewest, chosen = added, cell
        self.use_replies(own | chosen, other, 1)
        self.saved += before - fewest
        self.search.choose(own, other, column_of(self.search.claim, chosen))
