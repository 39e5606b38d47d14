"""Selection: which child a simulation goes on with."""

from math import inf, sqrt

from .._layout import LN2, LOG_BITS, WIN, log_table
from .proofs import upper_of
from .rng import choice

LOG = log_table()


def log(n):
    """Natural logarithm of n >= 1: exact below 2**LOG_BITS, above from the leading bits alone (5e-4 off at most)."""
    shift = 0
    while n >> shift >= 1 << LOG_BITS:
        shift += 1
    return LOG[n >> shift] + shift * LN2


def inverse(n):
    """1 / n."""
    return 1.0 / n


def inverse_sqrt(n):
    """1 / sqrt(n)."""
    return 1.0 / sqrt(n)


def select(nodes, settings, generator, node, parent):
    """The child with the highest UCB1 score, from the view of the player to move at `node`.

    mean + c sqrt(ln N / n): Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem"
    (2002), section 2. N counts the visits of the position where its children are shared, else `parent`, the earlier
    visits of the node.
    A child that can't be better than what the player is sure of is left alone.
    """
    first = nodes[node].children
    size = nodes[node].size
    if settings.transpositions:
        parent = sum(nodes[first + i].visits for i in range(size))
    exploration = settings.exploration * sqrt(log(parent)) if parent else 0.0
    floor = WIN - upper_of(nodes[node].proof)
    scores = []
    chosen = 0
    for i in range(size):
        visits = nodes[first + i].visits
        if settings.proofs and upper_of(nodes[first + i].proof) <= floor:
            scores.append(-inf)
        elif visits == 0:
            scores.append(settings.first_play)
        else:
            scores.append(nodes[first + i].value_sum * inverse(visits) + exploration * inverse_sqrt(visits))
    best = scores[0]
    for i in range(1, size):
        if scores[i] > best:
            best = scores[i]
            chosen = i
    if settings.random_ties:
        ties = scores.count(best)
        if ties > 1:
            ties = choice(generator, ties)
            while ties > 0:
                chosen += 1
                ties -= scores[chosen] == best
    return first + chosen
