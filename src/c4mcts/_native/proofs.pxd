"""Proofs: exact outcomes are backed up along with the mean values.

A node stores bounds of its outcome and, for a win or a loss, the plies within which it can be forced. Winands,
Bjornsson and Saito, "Monte-Carlo tree search solver" (2008); with bounds: Cazenave and Saffidine, "Score bounded
Monte-Carlo tree search" (2010). All stored proofs are from the point of view of the player who moved into the node.
"""

from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t

from .alphabeta cimport plies_of
from .atomics cimport read16, read32, replace16, write16
from .bitboard cimport Geometry, Position, free_cell, is_open, write_words
from .book_reader cimport MISSING, BookReader
from .pool cimport Node
from .prober cimport Probe, Prober, ProbeTask
from .threats cimport is_below_threat, is_threat

cdef extern from "portable.h" nogil:
    int count_bits "c4_count_bits" (uint64_t word)

# The constants of _layout, which the import compares.
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


cdef inline int64_t line_order(uint16_t proof, uint32_t visits) noexcept nogil:
    """Order of a node among its siblings: wins, the soonest first; then by visits; losses, the latest first."""
    if proof >> DISTANCE_BITS == WON >> DISTANCE_BITS:
        return (<int64_t>1 << 32) + DISTANCE_MASK - (proof & DISTANCE_MASK)
    if proof >> DISTANCE_BITS == LOST >> DISTANCE_BITS:
        return (proof & DISTANCE_MASK) - (1 << DISTANCE_BITS)
    return visits


cdef inline bint keeps(uint16_t proof, uint16_t child) noexcept nogil:
    """Whether a move keeps what is proven of the position before it: the outcome, and the plies to the end.

    proof: of the position; if it is not proven, all moves do. child: proof of the move.
    """
    cdef int plies = proof & DISTANCE_MASK
    if not is_proven(proof):
        return True
    if proof >> DISTANCE_BITS == WON >> DISTANCE_BITS:  # the loser holds out as long as it can
        return child == LOST + plies - 1
    if proof >> DISTANCE_BITS == LOST >> DISTANCE_BITS:
        return WON <= child and child < WON + plies
    return child == DRAWN


cdef inline bint narrow_outcome(Node[::1] nodes, uint32_t node, int lower, int upper, int distance) noexcept nogil:
    """Narrow the bounds of a node; `distance` is stored if they prove a win or a loss. True if the bounds changed.

    Bounds that contradict the node's are ignored.
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


cdef inline void mark_by_book(
    Node[::1] nodes, BookReader book, const Position* position, const Geometry* geometry, uint32_t node,
) noexcept nogil:
    """Mark a new node that is in the book with its outcome and the plies to the end."""
    cdef uint64_t own[2]
    cdef uint64_t mask[2]
    cdef int score, outcome
    write_words(own, mask, position, geometry)
    score = book.score_of(own, mask)
    if score == MISSING:
        return
    # scores are for the player to move, proofs for the other
    outcome = LOSS if score > 0 else DRAW if score == 0 else WIN
    narrow_outcome(nodes, node, outcome, outcome, plies_of(score, geometry.cells - position.ply))


cdef inline bint update_bounds(Node[::1] nodes, uint32_t node) noexcept nogil:
    """Narrow the bounds of a node by its children's; True if they changed.

    The player to move at the node takes the best child, the soonest win or the latest loss.
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
    return narrow_outcome(nodes, node, WIN - upper, WIN - lower, 1 + (soonest if lower == WIN else latest))


cdef inline void mark_by_lookahead(
    Node[::1] nodes, const Position* position, const Geometry* geometry, uint32_t node,
) noexcept nogil:
    """Mark a new node if the player to move can win at once, or loses to the next move after any move."""
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
            good = not is_below_threat(position, 1 - player, cell)
            cells += 1
            moves += good
            if is_threat(position, 1 - player, cell):
                answers += 1
                answered += good
    if cells == 0:
        write16(&nodes[node].proof, DRAWN)
    elif answers > 1 or (answered if answers else moves) == 0:
        write16(&nodes[node].proof, WON + 2)


cdef inline void mark_children(
    Node[::1] nodes, const Position* position, const Geometry* geometry, uint32_t first, uint32_t size,
) noexcept nogil:
    """Mark the children whose move wins at once, and those that lose to the opponent's next move."""
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
        elif others or is_below_threat(position, 1 - player, cell):
            nodes[child].proof = LOST + 1


cdef inline void probe(
    Node[::1] nodes, ProbeTask* task, const Position* position, const Geometry* geometry, uint32_t node, int guaranteed,
    uint64_t budget,
) noexcept nogil:
    """Ask the solver for the outcome of a node; its result within `budget` solver nodes is added to the bounds.

    guaranteed: the outcome that the player who moves into the node already has elsewhere; only better outcomes are
    distinguished.
    """
    cdef Probe question
    question.node = node
    question.guaranteed = guaranteed
    question.budget = budget
    write_words(question.own, question.mask, position, geometry)
    ask_solver(nodes, task, &question, geometry.cells - position.ply)


cdef inline void ask_solver(Node[::1] nodes, ProbeTask* task, Probe* question, int empty) noexcept nogil:
    """Make a probe. One that stops because other threads wait is suspended, unless one with a larger budget is."""
    cdef int lower_score = 0
    cdef int upper_score = 0
    cdef int lower, upper, score, distance
    if not (<Prober>task.prober).answer(task.thread, question, &lower_score, &upper_score):
        return
    # scores are for the player to move, bounds for the other
    lower = LOSS if upper_score > 0 else DRAW if upper_score == 0 else WIN
    upper = LOSS if lower_score > 0 else DRAW if lower_score == 0 else WIN
    score = lower_score if upper == LOSS else upper_score
    distance = plies_of(score, empty) if lower == upper and lower != DRAW else 0
    narrow_outcome(nodes, question.node, lower, upper, distance)
    if question.budget > task.suspended.budget:
        task.suspended = question[0]


cdef inline void resume_probe(Node[::1] nodes, ProbeTask* task, const Geometry* geometry) noexcept nogil:
    """Continue the suspended probe, unless the node has been proven meanwhile."""
    cdef Probe question = task.suspended
    task.suspended.budget = 0
    if question.budget and not is_proven(read16(&nodes[question.node].proof)):
        ask_solver(nodes, task, &question, geometry.cells - count_bits(question.mask[0]) - count_bits(question.mask[1]))
