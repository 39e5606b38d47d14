"""Proofs: exact outcomes are backed up along with the mean values.

A node stores bounds of its outcome and, for a win or a loss, the plies within which it can be forced. Winands,
Bjornsson and Saito, "Monte-Carlo tree search solver" (2008); with bounds: Cazenave and Saffidine, "Score bounded
Monte-Carlo tree search" (2010). All stored proofs are from the point of view of the player who moved into the node.
"""

from .._layout import CODES, DISTANCE_BITS, DISTANCE_MASK, DRAW, DRAWN, LOSS, LOST, LOWERS, UNKNOWN, UPPERS, WIN, WON
from .alphabeta import find_bounds, plies_of
from .bitboard import free_cell, is_open
from .book import MISSING, find_score
from .bounds import Situation
from .threats import is_below_threat, is_threat


def lower_of(proof):
    """The least outcome that is certain."""
    return LOWERS[proof >> DISTANCE_BITS]


def upper_of(proof):
    """The best outcome that is still possible."""
    return UPPERS[proof >> DISTANCE_BITS]


def is_proven(proof):
    return lower_of(proof) == upper_of(proof)


def line_order(proof, visits):
    """Order of a node among its siblings: wins, the soonest first; then by visits; losses, the latest first."""
    if proof >> DISTANCE_BITS == WON >> DISTANCE_BITS:
        return (1 << 32) + DISTANCE_MASK - (proof & DISTANCE_MASK)
    if proof >> DISTANCE_BITS == LOST >> DISTANCE_BITS:
        return (proof & DISTANCE_MASK) - (1 << DISTANCE_BITS)
    return visits


def keeps(proof, child):
    """Whether a move keeps the proof of the position before it: the outcome, and the plies to the end.

    proof: of the position; if it is not proven, all moves do. child: proof of the move.
    """
    if not is_proven(proof):
        return True
    plies = proof & DISTANCE_MASK
    if proof >> DISTANCE_BITS == WON >> DISTANCE_BITS:  # the loser holds out as long as it can
        return child == LOST + plies - 1
    if proof >> DISTANCE_BITS == LOST >> DISTANCE_BITS:
        return WON <= child < WON + plies
    return child == DRAWN


def narrow_outcome(nodes, node, lower, upper, distance):
    """Narrow the bounds of a node; `distance` is stored if they prove a win or a loss. True if the bounds changed.

    Bounds that contradict the node's are ignored.
    """
    proof = nodes[node].proof
    lower = max(lower, lower_of(proof))
    upper = min(upper, upper_of(proof))
    if (lower == lower_of(proof) and upper == upper_of(proof)) or lower > upper:
        return False
    nodes[node].proof = CODES[3 * lower + upper] + (distance if lower == upper != DRAW else 0)
    return True


def mark_by_book(nodes, book, position, geometry, node):
    """Mark a new node that is in the book with its outcome and the plies to the end."""
    score = find_score(book, position.own, position.mask)
    if score == MISSING:
        return
    # scores are for the player to move, proofs for the other
    outcome = LOSS if score > 0 else DRAW if score == 0 else WIN
    narrow_outcome(nodes, node, outcome, outcome, plies_of(score, geometry.cells - position.ply))


def update_bounds(nodes, node):
    """Narrow the bounds of a node by its children's; True if they changed.

    The player to move at the node takes the best child, the soonest win or the latest loss.
    """
    first = nodes[node].children
    known = UNKNOWN
    for child in range(first, first + nodes[node].size):
        known |= nodes[child].proof
    if known == UNKNOWN:
        return False
    lower = upper = LOSS
    soonest = DISTANCE_MASK
    latest = 0
    for child in range(first, first + nodes[node].size):
        proof = nodes[child].proof
        distance = proof & DISTANCE_MASK
        lower = max(lower, lower_of(proof))
        upper = max(upper, upper_of(proof))
        if lower_of(proof) == WIN:
            soonest = min(soonest, distance)
        latest = max(latest, distance)
    return narrow_outcome(nodes, node, WIN - upper, WIN - lower, 1 + (soonest if lower == WIN else latest))


def mark_by_lookahead(nodes, position, geometry, node):
    """Mark a new node if the player to move can win at once, or loses to the next move after any move."""
    player = position.ply & 1
    cells = moves = answers = answered = 0
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            cell = free_cell(position, geometry, column)
            if is_threat(position, player, cell):
                nodes[node].proof = LOST + 1
                return
            good = not is_below_threat(position, 1 - player, cell)
            cells += 1
            moves += good
            if is_threat(position, 1 - player, cell):
                answers += 1
                answered += good
    if cells == 0:
        nodes[node].proof = DRAWN
    elif answers > 1 or (answered if answers else moves) == 0:
        nodes[node].proof = WON + 2


def mark_children(nodes, position, geometry, first, size):
    """Mark the children whose move wins at once, and those that lose to the opponent's next move."""
    player = position.ply & 1
    threats = 0
    for child in range(first, first + size):
        threats += is_threat(position, 1 - player, free_cell(position, geometry, nodes[child].column))
    for child in range(first, first + size):
        cell = free_cell(position, geometry, nodes[child].column)
        others = threats - is_threat(position, 1 - player, cell)
        if is_threat(position, player, cell):
            nodes[child].proof = WON
        elif others or is_below_threat(position, 1 - player, cell):
            nodes[child].proof = LOST + 1


def probe(nodes, task, position, geometry, node, guaranteed, budget):
    """Ask the solver for the outcome of a node; its result within `budget` solver nodes is added to the bounds.

    guaranteed: the outcome that the player who moves into the node already has elsewhere; only better outcomes are
    distinguished.
    """
    if task.poll.halted:
        return
    situation = Situation()
    task.budget = task.nodes + budget
    find_bounds(task, situation, position.own, position.mask, -1, 0 if guaranteed == DRAW else 1)
    # scores are for the player to move, bounds for the other
    lower = LOSS if situation.upper > 0 else DRAW if situation.upper == 0 else WIN
    upper = LOSS if situation.lower > 0 else DRAW if situation.lower == 0 else WIN
    score = situation.lower if upper == LOSS else situation.upper
    distance = plies_of(score, geometry.cells - position.ply) if lower == upper != DRAW else 0
    narrow_outcome(nodes, node, lower, upper, distance)
