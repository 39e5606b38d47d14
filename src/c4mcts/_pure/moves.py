"""The legal moves at a root: their bounds and statistics, the choice of one, and their policy.

Bounds of a move are scores on Pons' scale for the player who makes it (see solver.solution): above 0 wins, the higher
the sooner.
"""

from math import inf, sqrt

from .._layout import (
    ANY,
    DISTANCE_MASK,
    DRAW,
    HALVING,
    LAST_ADDED,
    LOSS,
    MAX_SIDE,
    NO_CHILDREN,
    ROOT,
    SECURE,
    UCB_SHORT_WIN,
    VISITS,
    VISITS_ONLY,
    WIN,
    win_score,
)
from .._validation import between
from .numbers import ln, power
from .pool import has_means
from .proofs import lower_of, upper_of
from .puct import rate_children
from .selection import added


class Move:
    """A legal move at the root, for the player who makes it."""

    __slots__ = (
        "added",  # with LAST_ADDED: see selection.added
        "answers",  # whether it stops a threat: the opponent would win there at once
        "column",
        "first",  # compared first by the rule for the choice; the higher, the better
        "lower",  # the lowest score that is possible
        "prior",  # its probability by the evaluator, without noise; -1 if there is none
        "score",  # decides between equal visits, with HALVING; see puct.rate_children
        "second",  # compared where the first are equal
        "share",  # its value in [0, 1]: the mean, or the exact value if it is proven; -1 if there is neither
        "short_win",  # plies to the soonest win in a simulation; 0: none
        "upper",  # the highest score
        "visits",
        "weight",  # in the policy at temperature 1
        "wins",  # whether it wins at once
    )


def begin_move(move, column, wins, answers, ply, cells, checks):
    """Set the facts about a move that follow from the position.

    ply: discs on the board before the move. checks: whether `wins` and `answers` were looked for.
    """
    move.column = column
    move.wins = wins
    move.answers = answers
    # at worst the opponent wins with the next disc, at best this player with the one after
    move.lower = -win_score(cells, ply + 2)
    move.upper = win_score(cells, ply + 3 if checks else ply + 1)
    if wins:
        move.lower = move.upper = win_score(cells, ply + 1)
    elif checks and ply + 1 == cells:
        move.lower = move.upper = 0


def narrow(move, lower, upper):
    move.lower = max(move.lower, lower)
    move.upper = min(move.upper, upper)


def narrow_by_proof(move, proof, score, best):
    """Narrow the bounds of a move by the proof field of its node.

    score: of a win at the distance in the field. best: of the fastest possible win.
    """
    lower = -best
    upper = best
    if lower_of(proof) == WIN:
        lower = score
    elif upper_of(proof) == LOSS:
        upper = -score
    else:
        lower = 0 if lower_of(proof) == DRAW else lower
        upper = 0 if upper_of(proof) == DRAW else upper
    narrow(move, lower, upper)


def is_certain(move):
    return move.lower > 0 or move.upper < 0 or move.lower == move.upper


def proven_score(move):
    """The score of a proven win or loss, 0 for all others: the higher, the better."""
    return move.lower if move.lower > 0 else min(move.upper, 0)


def value_of_outcome(settings, outcome):
    """The exact value of an outcome, in [0, 1]."""
    return 1.0 if outcome == WIN else settings.draw / settings.win if outcome == DRAW else 0.0


def read_tree(searcher, ply, moves, size):
    """Read bounds and statistics of the moves at the root of a tree.

    ply: discs on the board at the root. moves: of its position, in column order.
    """
    nodes = searcher.tree.pool.nodes
    estimates = searcher.tree.pool.estimates
    short_wins = searcher.tree.pool.short_wins
    settings = searcher.tree.settings
    cells = searcher.tree.geometry.cells
    best = win_score(cells, ply + 1)
    child = nodes[ROOT].children
    has_children = child != NO_CHILDREN and nodes[ROOT].size == size
    scores = [0.0] * size
    weights = [0.0] * size
    if has_children and has_means(settings):
        rate_children(searcher, scores, weights)
    for i in range(size):
        move = moves[i]
        visits = 0
        share = -1.0
        move.prior = -1.0
        move.short_win = short_wins[move.column]
        if has_children:
            value_sum = nodes[child].value_sum
            visits = nodes[child].visits
            proof = nodes[child].proof
            if settings.proofs or settings.checks:
                narrow_by_proof(move, proof, win_score(cells, ply + 1 + (proof & DISTANCE_MASK)), best)
            move.added = added(settings, child) if settings.ties == LAST_ADDED else 0
            if estimates is not None:
                move.prior = estimates[child].prior
            if has_means(settings):
                share = (estimates[child].value + 1.0) / 2.0 if visits else -1.0
            else:
                weights[i] = float(visits)
                share = value_sum / (settings.win * visits) if visits else -1.0
            child += 1
        if is_certain(move):
            share = value_of_outcome(settings, WIN if move.lower > 0 else LOSS if move.upper < 0 else DRAW)
        move.visits = visits
        move.share = share
        move.score = scores[i]
        move.weight = weights[i]


def grade(move, settings, total):
    """Write the values that the rule for the choice compares. total: visits of all moves."""
    choice = settings.choice
    move.first = float(move.visits)
    move.second = 0.0
    if choice == VISITS:
        # moves without a visit come after the others, by their priors
        move.second = move.share if move.share >= 0.0 else move.prior - 1.0
    elif choice == HALVING:
        move.second = move.score
    elif choice != VISITS_ONLY:
        move.first = -inf
        move.second = move.prior
        if move.visits > 0:
            # the exploration term of UCB1 for values in [0, 1]
            exploration = settings.exploration / (2.0 if has_means(settings) else settings.win)
            margin = exploration * sqrt(ln(total) / move.visits)
            move.first = move.share
            move.second = float(move.visits)
            if choice == SECURE:
                move.first -= margin
            elif choice == UCB_SHORT_WIN:
                move.first += margin
                move.second = -float(move.short_win) if move.short_win > 0 else -inf
    if settings.ties == LAST_ADDED:
        move.second = float(move.added >> 11)


def compare(one, other):
    """Above 0 if the rule for the choice prefers the first of two moves, below 0 if the second, 0 otherwise."""
    if one.first != other.first:
        return 1 if one.first > other.first else -1
    return (one.second > other.second) - (one.second < other.second)


def keep_draws(moves, size, settings, kept):
    """If a move guarantees a draw, keep those that do, or those that can still win.

    The first if no move can win, or if the best-looking one that can may also lose and is valued below a draw.
    """
    best = -1
    safe = False
    for i in range(size):
        if kept[i]:
            safe = safe or moves[i].lower == 0
            if moves[i].upper > 0 and (best < 0 or compare(moves[i], moves[best]) > 0):
                best = i
    if not safe:
        return
    if best >= 0:
        safe = moves[best].lower < 0 and moves[best].share < value_of_outcome(settings, DRAW)
    for i in range(size):
        kept[i] = kept[i] and (moves[i].lower == 0 if safe else moves[i].upper > 0)


def keep_best(moves, size, settings, kept):
    """Keep the moves that are not proven inferior to others, and grade them; returns the highest `proven_score`.

    With an immediate win or a threat to answer, only such moves; the fastest wins; moves that are not proven losses,
    see keep_draws; among losses, the longest.
    """
    wins = any(moves[i].wins for i in range(size))
    answers = any(moves[i].answers for i in range(size))
    total = 0
    for i in range(size):
        kept[i] = moves[i].wins if wins else moves[i].answers if answers else True
        total += moves[i].visits if kept[i] else 0
    highest = max(proven_score(moves[i]) for i in range(size) if kept[i])
    longest = max(moves[i].lower for i in range(size) if kept[i] and proven_score(moves[i]) == highest)
    for i in range(size):
        kept[i] = kept[i] and proven_score(moves[i]) == highest and (highest >= 0 or moves[i].lower == longest)
        if kept[i]:
            grade(moves[i], settings, total)
    if settings.prove_draws and highest == 0:
        keep_draws(moves, size, settings, kept)
    return highest


def temper(weights, size, kept, temperature):
    """Raise the weights of the kept moves to 1 / temperature, and set the others to 0; the largest is 1.

    At temperature 0 only the largest are left. At infinity, and if all are 0, the kept moves have 1.
    """
    most = 0.0
    for i in range(size):
        if kept[i]:
            most = max(most, weights[i])
    for i in range(size):
        if not kept[i]:
            weights[i] = 0.0
        elif most == 0.0 or temperature == inf:
            weights[i] = 1.0
        else:
            weights[i] /= most
            weights[i] = power(weights[i], temperature) if weights[i] > 0.0 else 0.0


def draw(weights, size, random_bits):
    """A random index, with probabilities proportional to the weights, of which at least one is above 0."""
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


def choose(moves, size, settings, random_bits):
    """Index of the move to play. random_bits: 64 of them, for temperature and ties."""
    kept = [True] * size
    weights = [0.0] * size
    highest = keep_best(moves, size, settings, kept)
    if settings.temperature > 0.0 and highest <= 0:
        total = sum(moves[i].visits for i in range(size))
        for i in range(size):
            weights[i] = float(moves[i].visits) if total > 0 else moves[i].weight
        temper(weights, size, kept, settings.temperature)
        return draw(weights, size, random_bits)
    best = -1
    ties = 0
    for i in range(size):
        if kept[i]:
            order = 1 if best < 0 else compare(moves[i], moves[best])
            if order > 0:
                best = i
                ties = 1
            elif order == 0:
                ties += 1
    if settings.ties == ANY:
        ties = (random_bits >> 32) * ties >> 32
        i = best
        while ties > 0:
            i += 1
            ties -= kept[i] and compare(moves[i], moves[best]) == 0
        best = i
    return best


def weigh(moves, size, proven, chosen, temperature, weights):
    """Write the weights of the policy at a temperature: see SearchResult.policy.

    proven: whether the outcome of the position is. chosen: the move to play.
    """
    kept = [True] * size
    highest = max(proven_score(moves[i]) for i in range(size))
    if proven:
        highest = proven_score(moves[chosen])
    for i in range(size):
        weights[i] = moves[i].weight
        kept[i] = proven_score(moves[i]) == highest
        kept[i] = kept[i] and not (proven and is_certain(moves[i]) != is_certain(moves[chosen]))
    temper(weights, size, kept, inf if proven else temperature)


class MoveList:
    """The legal moves of a position, numbered in column order, for the layers above."""

    def __init__(self, cells, ply, columns, wins, answers, checks):
        """columns: the legal ones. wins, answers: those that win at once, and that stop a threat; see begin_move."""
        columns = list(columns)
        between("the number of columns", len(columns), 0, MAX_SIDE)
        self.ply = ply
        self.size = len(columns)
        self.moves = [Move() for _ in range(self.size)]
        for i in range(self.size):
            column = between("column", columns[i], 0, MAX_SIDE - 1)
            move = self.moves[i]
            begin_move(move, column, column in wins, column in answers, ply, cells, checks)
            move.visits = move.short_win = move.added = 0
            move.score = move.weight = 0.0
            move.prior = -1.0
            move.share = -1.0

    def checked(self, i):
        """The number of a move. TypeError, ValueError."""
        return between("the number of a move", i, 0, self.size - 1)

    def narrow(self, i, lower, upper):
        narrow(self.moves[self.checked(i)], lower, upper)

    def set_statistics(self, i, visits, share, weight, short_win):
        """Set the results of several searches for a move. share: see Move. weight: also breaks ties of visits."""
        move = self.moves[self.checked(i)]
        move.visits = visits
        move.share = share
        move.score = move.weight = weight
        move.short_win = short_win

    def read_tree(self, searcher):
        read_tree(searcher, self.ply, self.moves, self.size)

    def choose(self, settings, random_bits):
        """The number of the move to play. settings: a _layout.Settings."""
        if self.size == 0:
            raise ValueError("there are no moves: the game is over")
        return choose(self.moves, self.size, settings, random_bits)

    def rows(self):
        """For each move: column, visits, share, prior, lower, upper, short_win, weight."""
        rows = []
        for i in range(self.size):
            move = self.moves[i]
            known = move.column, move.visits, move.share, move.prior
            rows.append((*known, move.lower, move.upper, move.short_win, move.weight))
        return rows
