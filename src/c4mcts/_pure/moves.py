"""What a search with an evaluator knows of the moves at its root: which one to play, and their policy.

The rules are those of search.root_bounds, search.move_selection and SearchResult.policy. Bounds of a move are scores on
Pons' scale for the player who makes it (see solver.solution): above 0 wins, the higher the sooner.
"""

from math import inf

from .._layout import DISTANCE_MASK, DRAW, HALVING, LOSS, ROOT, VISITS, VISITS_ONLY, WIN
from .bitboard import free_cell, is_open
from .elementary import power
from .proofs import lower_of, upper_of
from .puct import rate_children
from .threats import is_threat


class Move:
    """A legal move at the root, for the player who makes it."""

    __slots__ = (
        "answers",  # whether it stops a threat: the opponent would win there at once
        "column",
        "lower",  # the lowest score that is possible
        "prior",  # its probability by the evaluator, without noise; 0 in a tree without children
        "score",  # decides between equal visits, with HALVING; see puct.rate_children
        "share",  # its value in [0, 1]: the mean, or the exact value if it is proven; -1 if there is neither
        "upper",  # the highest score
        "visits",
        "weight",  # in the policy at temperature 1
        "wins",  # whether it wins at once
    )


def win_score(cells, end):
    """Score of a win that leaves `end` discs on a board of so many cells."""
    return (cells + 2 - end) // 2


def narrow_score(move, proof, ply, cells):
    """Narrow the bounds of a move by the proof field of its node; ply: discs on the board before the move."""
    best = win_score(cells, ply + 1)
    score = win_score(cells, ply + 1 + (proof & DISTANCE_MASK))
    if lower_of(proof) == WIN:
        move.lower = max(move.lower, score)
    elif upper_of(proof) == LOSS:
        move.upper = min(move.upper, -score)
    else:
        move.lower = max(move.lower, 0 if lower_of(proof) == DRAW else -best)
        move.upper = min(move.upper, 0 if upper_of(proof) == DRAW else best)


def is_certain(move):
    """Whether the outcome of a move is proven."""
    return move.lower > 0 or move.upper < 0 or move.lower == move.upper


def rank(move):
    """What is proven of a move: the score of a win or of a loss, 0 for all others; the higher, the better."""
    return move.lower if move.lower > 0 else min(move.upper, 0)


def outcome_of(moves, size):
    """What is proven of the position: LOSS, DRAW or WIN for the player to move; -1: nothing."""
    lower = max(moves[i].lower for i in range(size))
    upper = max(moves[i].upper for i in range(size))
    return WIN if lower > 0 else LOSS if upper < 0 else DRAW if lower == upper else -1


def value_of_outcome(settings, outcome):
    """The exact value of an outcome, in [0, 1]."""
    return 1.0 if outcome == WIN else settings.draw / settings.win if outcome == DRAW else 0.0


def list_moves(searcher, position, checks, moves):
    """Fill in the legal moves, in column order; returns how many. The position needs its threats.

    checks: whether immediate wins and threats are looked for (see SearchParams).
    """
    tree = searcher.tree
    nodes = tree.pool.nodes
    settings = tree.settings
    geometry = tree.geometry
    cells = geometry.cells
    ply = position.ply
    player = ply & 1
    child = nodes[ROOT].children
    scores = [0.0] * geometry.width
    weights = [0.0] * geometry.width
    size = 0
    if nodes[ROOT].size:
        rate_children(searcher, scores, weights)
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            cell = free_cell(position, geometry, column)
            move = moves[size]
            move.column = column
            move.wins = checks and is_threat(position, player, cell)
            move.answers = checks and is_threat(position, 1 - player, cell)
            # at worst the opponent wins with the next disc, at best this player with the one after
            move.lower = -win_score(cells, ply + 2)
            move.upper = win_score(cells, ply + 3 if checks else ply + 1)
            if move.wins:
                move.lower = move.upper = win_score(cells, ply + 1)
            elif checks and ply + 1 == cells:
                move.lower = move.upper = 0
            move.visits = 0
            move.prior = 0.0
            move.share = -1.0
            move.score = scores[size]
            move.weight = weights[size]
            if nodes[ROOT].size:
                move.visits = nodes[child].visits
                move.prior = tree.pool.estimates[child].prior
                if move.visits:
                    move.share = (tree.pool.estimates[child].value + 1.0) / 2.0
                if settings.proofs or checks:
                    narrow_score(move, nodes[child].proof, ply, cells)
                child += 1
            if is_certain(move):
                outcome = WIN if move.lower > 0 else LOSS if move.upper < 0 else DRAW
                move.share = value_of_outcome(settings, outcome)
            size += 1
    return size


def compare(one, other, choice):
    """Above 0 if the rule `choice` prefers the first of two moves, below 0 if the second, else 0."""
    order = (one.visits > other.visits) - (one.visits < other.visits)
    if choice == VISITS_ONLY or (choice in (VISITS, HALVING) and order != 0):
        return order
    if choice == HALVING:
        return (one.score > other.score) - (one.score < other.score)
    first = one.share if one.visits or choice == VISITS else -1.0
    second = other.share if other.visits or choice == VISITS else -1.0
    if first == second:
        return order
    return 1 if first > second else -1


def keep_draws(moves, size, settings, choice, kept):
    """If a move guarantees a draw, keep those that do, or those that can still win.

    The first if no move can win, or if the best-looking one that can may also lose and is valued below a draw.
    """
    best = -1
    safe = False
    for i in range(size):
        if kept[i]:
            safe = safe or moves[i].lower == 0
            if moves[i].upper > 0 and (best < 0 or compare(moves[i], moves[best], choice) > 0):
                best = i
    if not safe:
        return
    if best >= 0:
        safe = moves[best].lower < 0 and moves[best].share < value_of_outcome(settings, DRAW)
    for i in range(size):
        kept[i] = kept[i] and (moves[i].lower == 0 if safe else moves[i].upper > 0)


def choose(moves, size, settings, choice, random_bits):
    """Index of the move to play. random_bits: 64 of them, for ties."""
    kept = [True] * size
    wins = any(moves[i].wins for i in range(size))
    answers = any(moves[i].answers for i in range(size))
    for i in range(size):
        kept[i] = moves[i].wins if wins else moves[i].answers if answers else True
    highest = max(rank(moves[i]) for i in range(size) if kept[i])
    for i in range(size):
        kept[i] = kept[i] and rank(moves[i]) == highest
    if settings.prove_draws and highest == 0:
        keep_draws(moves, size, settings, choice, kept)
    best = -1
    ties = 0
    for i in range(size):
        if kept[i]:
            order = 1 if best < 0 else compare(moves[i], moves[best], choice)
            if order > 0:
                best = i
                ties = 1
            elif order == 0:
                ties += 1
    if settings.random_ties:
        ties = (random_bits >> 32) * ties >> 32
        i = best
        while ties > 0:
            i += 1
            ties -= kept[i] and compare(moves[i], moves[best], choice) == 0
        best = i
    return best


def weigh(moves, size, chosen, temperature, weights):
    """Write the weights of the policy at a temperature: see SearchResult.policy. chosen: the move to play."""
    proven = outcome_of(moves, size) >= 0
    most = 0.0
    highest = max(rank(moves[i]) for i in range(size))
    if proven:
        highest = rank(moves[chosen])
    for i in range(size):
        weights[i] = 1.0 if rank(moves[i]) == highest else 0.0
        if proven and is_certain(moves[i]) != is_certain(moves[chosen]):
            weights[i] = 0.0
        if weights[i] > 0.0:
            most = max(most, moves[i].weight)
    if proven or most == 0.0 or temperature == inf:
        return
    for i in range(size):
        if weights[i] > 0.0:
            weights[i] = moves[i].weight / most
            weights[i] = power(weights[i], temperature) if weights[i] > 0.0 else 0.0


def draw(weights, size, random_bits):
    """An index at random, with chances in proportion to the weights, of which one is above 0."""
    total = 0.0
    for i in range(size):
        total += weights[i]
    point = (random_bits >> 11) * 2.0**-53 * total
    last = 0
    for i in range(size):
        if weights[i] > 0.0:
            last = i
            point -= weights[i]
            if point < 0.0:
                return i
    return last  # rounding has left a remainder
