"""Proofs: what is certain of a node is backed up beside its mean.

A node carries bounds of its outcome, and of a win or a loss the plies within which it can be forced. Winands, Bjornsson
and Saito, "Monte-Carlo tree search solver" (2008); with bounds: Cazenave and Saffidine, "Score bounded Monte-Carlo tree
search" (2010). Everything stored is from the view of the player who moved into the node.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from .alphabeta cimport Probe, Task, find_bounds, plies_of
from .atomics cimport read16, read32, replace16, write16
from .bitboard cimport Geometry, Lines, Position, free_cell, is_open
from .bounds cimport Situation, count_bits
from .pool cimport Node
from .threats cimport bears_threat, is_threat

# The codes of _layout, which the import compares.
cdef enum:
    DISTANCE_BITS = 13
    DISTANCE_MASK = (1 << DISTANCE_BITS) - 1
    UNKNOWN = 0
    WON = 1 << DISTANCE_BITS
    DRAWN = 2 << DISTANCE_BITS
    LOST = 3 << DISTANCE_BITS
    LOSS = 0
    DRAW = 1
    WIN = 2
    # two bits for each code, the lowest first: bounds of the outcome
    LOWERS = LOSS | WIN << 2 | DRAW << 4 | LOSS << 6 | DRAW << 8 | LOSS << 10
    UPPERS = WIN | WIN << 2 | DRAW << 4 | LOSS << 6 | WIN << 8 | DRAW << 10
    # three bits for each pair of bounds, at 3 * lower + upper: the code
    CODES = 3 | 5 << 3 | 0 << 6 | 2 << 12 | 4 << 15 | 1 << 24


cdef inline int lower_of(uint16_t proof) noexcept nogil:
    """The least outcome that is certain."""
    return LOWERS >> 2 * (proof >> DISTANCE_BITS) & 3


cdef inline int upper_of(uint16_t proof) noexcept nogil:
    """The best outcome that is still possible."""
    return UPPERS >> 2 * (proof >> DISTANCE_BITS) & 3


cdef inline bint is_proven(uint16_t proof) noexcept nogil:
    """Whether the outcome is certain."""
    return WON <= proof and proof < LOST + (1 << DISTANCE_BITS)


cdef inline bint narrow(Node[::1] nodes, uint32_t node, int lower, int upper, int distance) noexcept nogil:
    """Add bounds to those of a node; the distance is that of a win or a loss. True if the node's bounds changed.

    What contradicts them, as it may in a tree from a forged file, is left out: what is known of a node only grows.
    """
    cdef uint16_t proof, narrower
    while True:
        proof = read16(&nodes[node].proof)
        lower = max(lower, lower_of(proof))
        upper = min(upper, upper_of(proof))
        if lower == lower_of(proof) and upper == upper_of(proof) or lower > upper:
            return False
        narrower = <uint16_t>(
            (CODES >> 3 * (3 * lower + upper) & 7) << DISTANCE_BITS
            | (distance if lower == upper and lower != DRAW else 0)
        )
        if replace16(&nodes[node].proof, proof, narrower, True):
            return True


cdef inline bint settle(Node[::1] nodes, uint32_t node) noexcept nogil:
    """Bring a node's bounds up to date with those of its children; True if they changed.

    The player to move at the node has the best of the children: wins as soon, loses as late as they allow.
    """
    cdef uint32_t first = read32(&nodes[node].children)
    cdef uint32_t child
    cdef uint16_t known = UNKNOWN
    cdef uint16_t proof
    cdef int lower = LOSS
    cdef int upper = LOSS
    cdef int soonest = DISTANCE_MASK
    cdef int latest = 0
    cdef int distance
    for child in range(first, first + nodes[node].size):
        known |= read16(&nodes[child].proof)
    if known == UNKNOWN:
        return False
    for child in range(first, first + nodes[node].size):
        proof = read16(&nodes[child].proof)
        distance = proof & DISTANCE_MASK
        lower = max(lower, lower_of(proof))
        upper = max(upper, upper_of(proof))
        if lower_of(proof) == WIN:
            soonest = min(soonest, distance)
        latest = max(latest, distance)
    return narrow(nodes, node, WIN - upper, WIN - lower, 1 + (soonest if lower == WIN else latest))


cdef inline void foresee(
    Node[::1] nodes, const Position* position, const Geometry* geometry, uint32_t node,
) noexcept nogil:
    """Look two plies ahead at a new node: can the player to move win, has each move an answer that wins?"""
    cdef int player = position.ply & 1
    cdef int cells = 0
    cdef int moves = 0
    cdef int answers = 0
    cdef int answered = 0
    cdef int column
    cdef bint good
    cdef uint64_t cell
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            cell = free_cell(position, geometry, column)
            if is_threat(position, player, cell):
                write16(&nodes[node].proof, LOST + 1)
                return
            good = not bears_threat(position, 1 - player, cell)
            cells += 1
            moves += good
            if is_threat(position, 1 - player, cell):
                answers += 1
                answered += good
    if cells == 0:
        write16(&nodes[node].proof, DRAWN)
    elif answers > 1 or (answered if answers else moves) == 0:
        write16(&nodes[node].proof, WON + 2)


cdef inline void mark(
    Node[::1] nodes, const Position* position, const Geometry* geometry, uint32_t first, uint32_t size,
) noexcept nogil:
    """Mark the children that win, and those that lose to the opponent's next move."""
    cdef int player = position.ply & 1
    cdef uint32_t child
    cdef int threats = 0
    cdef int others
    cdef uint64_t cell
    for child in range(first, first + size):
        threats += is_threat(position, 1 - player, free_cell(position, geometry, nodes[child].column))
    for child in range(first, first + size):
        cell = free_cell(position, geometry, nodes[child].column)
        others = threats - is_threat(position, 1 - player, cell)
        if is_threat(position, player, cell):
            nodes[child].proof = WON
        elif others or bears_threat(position, 1 - player, cell):
            nodes[child].proof = LOST + 1


cdef inline void probe(
    Node[::1] nodes, Task* task, const Position* position, uint32_t node, int floor, uint64_t budget,
) noexcept nogil:
    """Ask the solver for the outcome of a node; what it finds within `budget` of its nodes is kept as bounds.

    floor: an outcome that the player who moves into the node has elsewhere: whether it is less here doesn't matter.
    """
    if Position is not Lines:
        ask_solver(nodes, task, Probe(position.own, position.mask, node, floor, budget))


cdef inline void ask_solver(Node[::1] nodes, Task* task, Probe question) noexcept nogil:
    """A probe. If it stops because others wait for this thread, what is left of it stays open, or of a longer one."""
    cdef Situation situation
    cdef int lower, upper, score
    cdef int empty = task.geometry.cells - count_bits(question.mask)
    if read32(task.halted):
        return
    task.budget = task.nodes + question.budget
    find_bounds(task, &situation, question.own, question.mask, -1, 0 if question.floor == DRAW else 1)
    # scores are for the player to move, bounds for the other
    lower = LOSS if situation.upper > 0 else DRAW if situation.upper == 0 else WIN
    upper = LOSS if situation.lower > 0 else DRAW if situation.lower == 0 else WIN
    score = situation.lower if upper == LOSS else situation.upper
    narrow(nodes, question.node, lower, upper, plies_of(score, empty) if lower == upper and lower != DRAW else 0)
    if task.stopped and task.wanted != NULL and task.nodes < task.budget:
        question.budget = task.budget - task.nodes
        if question.budget > task.open.budget:
            task.open = question


cdef inline void take_up(Node[::1] nodes, Task* task) noexcept nogil:
    """Go on with a probe that was left open, unless others have found out meanwhile."""
    cdef Probe question = task.open
    task.open.budget = 0
    if question.budget and not is_proven(read16(&nodes[question.node].proof)):
        ask_solver(nodes, task, question)
