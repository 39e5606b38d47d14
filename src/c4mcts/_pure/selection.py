"""Selection: which child a simulation goes on with."""

from math import inf, sqrt

from .._layout import LN2, LOG_BITS, UCB1_TUNED, WIN, log_table
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


def tuned(settings, mean, spread):
    """The UCB1-tuned score of a child, all in reward units; spread: ln N / n.

    mean + c sqrt(spread min(1/4, V)), V = s^2 + sqrt(2 spread): Auer, Cesa-Bianchi and Fischer (2002), section 4, where
    c is 1 and rewards lie in [0, 1]. The variance s^2 is that of wins and losses with this mean: exact without draws,
    too high with them.
    """
    fraction = mean / settings.win
    variance = fraction * (1.0 - fraction) + sqrt(2.0 * spread)
    return mean + settings.exploration * sqrt(spread * min(0.25, variance))


def draw(nodes, generator, node):
    """A child at random, as an opponent plays who doesn't think."""
    return nodes[node].children + choice(generator, nodes[node].size)


def pick(scores, size, settings, generator):
    """The place of the highest score; of equals the first, or a random one."""
    best = scores[0]
    chosen = 0
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
    return chosen


def select(nodes, settings, generator, node, parent):
    """The child with the highest score, from the view of the player to move at `node`: UCB1 unless it is to be tuned.

    mean + c sqrt(ln N / n): Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem"
    (2002), section 2. N counts the visits of the position where its children are shared, else `parent`, the earlier
    visits of the node.
    A child that can't be better than what the player is sure of is left alone.
    """
    first = nodes[node].children
    size = nodes[node].size
    if settings.transpositions:
        parent = sum(nodes[first + i].visits for i in range(size))
    logarithm = log(parent) if parent else 0.0
    exploration = settings.exploration * sqrt(logarithm)
    floor = WIN - upper_of(nodes[node].proof)
    scores = []
    for i in range(size):
        visits = nodes[first + i].visits
        if settings.proofs and upper_of(nodes[first + i].proof) <= floor:
            scores.append(-inf)
        elif visits == 0:
            scores.append(settings.first_play)
        elif settings.selection == UCB1_TUNED:
            scores.append(tuned(settings, nodes[first + i].value_sum * inverse(visits), inverse(visits) * logarithm))
        else:
            scores.append(nodes[first + i].value_sum * inverse(visits) + exploration * inverse_sqrt(visits))
    return first + pick(scores, size, settings, generator)
