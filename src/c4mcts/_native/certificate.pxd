"""Certificates: the moves with which a player reaches a goal against every reply; _pure.certificate explains them."""

from libc.stdint cimport int8_t, uint64_t

from .bounds cimport win_score
from .cells cimport Cells, Geometry, count_cells, has_line, lowest_cell, mirror, winning_cells
from .follow_up cimport follow_up_holds
from .numbers cimport mix

cdef extern from "portable.h" nogil:
    void prefetch "c4_prefetch" (const void* address)

cdef enum:
    HELD        # what look and glance find
    LOST
    FORCED
    OPEN


cdef struct ProofGoal:
    # A goal, and the rules of the game.
    Geometry geometry
    int goal        # the score that the claimant reaches at least


cdef struct ProofNode:
    # A position in which the claimant is to move.
    Cells own       # discs of the claimant
    Cells other     # discs of the opponent
    Cells moves     # cells of the moves that don't lose at once


cdef struct ProofEntry:
    # What is known of a position, see ProofSearch; for the reader that it has been met.
    Cells key       # key_of; 0: this place is free
    int size        # moves in a proof, or as many as it seems to need
    int8_t column   # of the move, once it is proven, in the position or its mirror image, whichever has the lower key
    int8_t proven   # whether the size belongs to a proof
    int8_t held     # BY_GLANCE or BY_LOOK if it finds HELD, for look from the first visit on; else 0


cdef struct Entries:
    # A hash table with linear probing, at most half full.
    ProofEntry* places
    uint64_t last   # the index of the last place, a power of two minus 1
    uint64_t used


ctypedef bint (*MustStay)(const ProofEntry* entry) noexcept nogil  # whether an entry must stay in a full table


cdef ProofGoal claim_of(rules, int goal) except *
cdef int reserve(Entries* entries, MustStay must_stay) except -1
cdef void release(Entries* entries) noexcept


cdef inline ProofEntry* find_entry(const Entries* entries, Cells key) noexcept nogil:
    """The entry with this key, or the free place for it."""
    cdef uint64_t i = mix(key) & entries.last
    while entries.places[i].key != 0 and entries.places[i].key != key:
        i = i + 1 & entries.last
    return &entries.places[i]


cdef inline void fetch_entry(const Entries* entries, Cells key) noexcept nogil:
    """Have the entry with this key loaded into the cache, for a find_entry that follows soon."""
    prefetch(&entries.places[mix(key) & entries.last])


cdef inline int look(const ProofGoal* claim, ProofNode* node) noexcept nogil:
    """The result of a position in which the claimant is to move; leaves node.moves. See _pure.certificate."""
    cdef int state = glance(claim, node)
    if (state == FORCED or state == OPEN) and quiet_move(claim, node) != 0:
        return HELD
    return state


cdef inline Cells quiet_move(const ProofGoal* claim, const ProofNode* node) noexcept nogil:
    """The first of node.moves after which all_replies_hold; 0 if there is none."""
    cdef Cells moves = node.moves
    cdef Cells cell
    while moves:
        cell = moves & ~moves + 1
        moves ^= cell
        if all_replies_hold(claim, node.own | cell, node.other):
            return cell
    return 0


cdef inline bint all_replies_hold(const ProofGoal* claim, Cells own, Cells other) noexcept nogil:
    """Whether glance finds HELD after each reply of the opponent, who is to move and can't win at once."""
    cdef const Geometry* geometry = &claim.geometry
    cdef ProofNode after
    cdef Cells free = (own | other) + geometry.bottom & geometry.board
    cdef Cells cell
    if free == 0:
        return claim.goal <= 0
    while free:
        cell = free & ~free + 1
        free ^= cell
        after.own, after.other = own, other | cell
        if glance(claim, &after) != HELD:
            return False
    return True


cdef inline int glance(const ProofGoal* claim, ProofNode* node) noexcept nogil:
    """The result of a position without a look at all replies; leaves node.moves. See _pure.certificate."""
    cdef const Geometry* geometry = &claim.geometry
    cdef Cells mask = node.own | node.other
    cdef Cells free = mask + geometry.bottom & geometry.board
    cdef int discs = count_cells(mask)
    cdef Cells threats
    node.moves = 0
    if -win_score(geometry.cells, discs + 2) >= claim.goal:
        return HELD
    if claim.goal <= 0 and not has_line(geometry.board & ~node.own, geometry):
        return HELD
    if claim.goal > 0 and not has_line(geometry.board & ~node.other, geometry):
        return LOST
    if free == 0 or win_score(geometry.cells, discs + 1) < claim.goal:
        return LOST
    if winning_cells(node.own, geometry) & free:
        return HELD
    threats = winning_cells(node.other, geometry) & ~mask
    node.moves = free & ~(threats >> 1)
    if threats & free:
        node.moves &= threats & free if threats & free & (threats & free) - 1 == 0 else 0
    if node.moves == 0:
        return LOST
    if one_move_holds(claim, node) or one_threat_holds(claim, node):
        return HELD
    return FORCED if node.moves & node.moves - 1 == 0 else OPEN


cdef inline bint one_move_holds(const ProofGoal* claim, const ProofNode* node) noexcept nogil:
    """Whether follow_up_holds after one of node.moves."""
    cdef Cells moves = node.moves
    cdef Cells cell
    while moves:
        cell = moves & ~moves + 1
        moves ^= cell
        if follow_up_holds(node.own | cell, node.other, &claim.geometry, claim.goal):
            return True
    return False


cdef inline bint one_threat_holds(const ProofGoal* claim, const ProofNode* node) noexcept nogil:
    """Whether one of node.moves threatens to win in two places, or in one and glance finds HELD after the answer."""
    cdef const Geometry* geometry = &claim.geometry
    cdef ProofNode after
    cdef Cells moves = node.moves
    cdef Cells cell, free, answers
    if win_score(geometry.cells, count_cells(node.own | node.other) + 3) < claim.goal:
        return False
    while moves:
        cell = moves & ~moves + 1
        moves ^= cell
        after.own = node.own | cell
        free = (after.own | node.other) + geometry.bottom & geometry.board
        answers = winning_cells(after.own, geometry) & free
        after.other = node.other | answers
        if answers and (answers & answers - 1 or glance(claim, &after) == HELD):
            return True
    return False


cdef inline Cells key_of(const ProofGoal* claim, Cells own, Cells other) noexcept nogil:
    """The same number for a position and its mirror image, and for no other position with the same player to move."""
    cdef Cells key = own | (own | other) + claim.geometry.bottom
    cdef Cells image = mirror(key, &claim.geometry)
    return min(key, image)


cdef inline int column_of(const ProofGoal* claim, Cells cell) noexcept nogil:
    """The column of a cell."""
    return lowest_cell(cell) // (claim.geometry.height + 1)


cdef inline Cells column_cells(const ProofGoal* claim, int column) noexcept nogil:
    """The cells of a column."""
    cdef int stride = claim.geometry.height + 1
    return (<Cells>1 << (stride - 1) << 1) - 1 << column * stride


cdef inline int oriented(const ProofGoal* claim, Cells own, Cells other, int column) noexcept nogil:
    """A column of a position as one of it or its mirror image, whichever has the lower key; and vice versa."""
    cdef Cells key = own | (own | other) + claim.geometry.bottom
    return claim.geometry.width - 1 - column if mirror(key, &claim.geometry) < key else column


cdef inline bint loses_at_once(const ProofGoal* claim, Cells own, Cells other) noexcept nogil:
    """Whether the opponent, who is to move, can win at once, and too soon for the goal."""
    cdef const Geometry* geometry = &claim.geometry
    cdef Cells mask = own | other
    cdef Cells free = mask + geometry.bottom & geometry.board
    return winning_cells(other, geometry) & free != 0 and -win_score(geometry.cells, count_cells(mask) + 1) < claim.goal


cdef class CertificateReader:
    cdef ProofGoal claim
    cdef Entries seen       # the positions met
    cdef object held        # the buffer behind `moves`
    cdef const unsigned char[::1] moves
    cdef Py_ssize_t next    # index of the next move
    cdef int discs          # see read
    cdef readonly dict answers
    cdef int read_move(self, Cells own, Cells other) except -1
    cdef int read_replies(self, Cells own, Cells other) except -1
    cdef int is_new(self, Cells own, Cells other) except -1
