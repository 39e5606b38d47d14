"""Selection: the child that a simulation goes to."""

from math import inf, sqrt

from .._layout import ANY, LAST_ADDED, LN2, LOG_BITS, UCB1_TUNED, WIN, log_table
from .numbers import GOLDEN, MASK64, choice, mix
from .proofs import upper_of

LOG = log_table()


def log(n):
    """Natural logarithm of n >= 1: exact below 2**LOG_BITS, from the leading bits above (error at most 5e-4)."""
    shift = 0
    while n >> shift >= 1 << LOG_BITS:
        shift += 1
    return LOG[n >> shift] + shift * LN2


def inverse(n):
    return 1.0 / n


def inverse_sqrt(n):
    return 1.0 / sqrt(n)


def ucb1_tuned(settings, mean, spread):
    """The UCB1-tuned score of a child, all in reward units; spread: ln N / n.

    mean + c sqrt(spread min(1/4, V)), V = s^2 + sqrt(2 spread): Auer, Cesa-Bianchi and Fischer (2002), section 4, where
    c is 1 and rewards lie in [0, 1]. The variance s^2 is taken for wins and losses with this mean: exact without draws,
    too high with them.
    """
    fraction = mean / settings.win
    variance = fraction * (1.0 - fraction) + sqrt(2.0 * spread)
    return mean + settings.exploration * sqrt(spread * min(0.25, variance))


def random_child(nodes, generator, node):
    """A uniformly random child, for a random opponent."""
    return nodes[node].children + choice(generator, nodes[node].size)


def added(settings, child):
    """The rank of a child with LAST_ADDED: the higher, the later it is visited first among its siblings.

    So nothing is kept: children without visits are tried in the order of these numbers.
    """
    return mix((settings.salt + GOLDEN * child) & MASK64)


def best_index(scores, size, settings, generator, first):
    """Index of the highest score; among equals by the rule for ties. first: the child with index 0."""
    best = scores[0]
    chosen = 0
    for i in range(1, size):
        if scores[i] > best:
            best = scores[i]
            chosen = i
    if settings.ties == ANY:
        ties = scores.count(best)
        if ties > 1:
            ties = choice(generator, ties)
            while ties > 0:
                chosen += 1
                ties -= scores[chosen] == best
    elif settings.ties == LAST_ADDED:
        for i in range(chosen + 1, size):
            if scores[i] == best and (added(settings, first + i) > added(settings, first + chosen)) == (best < inf):
                chosen = i
    return chosen


def score_children(nodes, settings, node, parent, scores):
    """Write the score of every child into a list, from the point of view of the player to move at `node`: UCB1 or
    UCB1-tuned.

    mean + c sqrt(ln N / n): Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem"
    (2002), section 2. N: with transpositions the sum of the children's visits, otherwise `parent`, the node's visits
    before this simulation. A child whose upper bound is no better than an already proven outcome scores -inf.
    """
    first = nodes[node].children
    size = nodes[node].size
    if settings.transpositions:
        parent = sum(nodes[first + i].visits for i in range(size))
    logarithm = log(parent) if parent else 0.0
    exploration = settings.exploration * sqrt(logarithm)
    guaranteed = WIN - upper_of(nodes[node].proof)
    for i in range(size):
        visits = nodes[first + i].visits
        if settings.proofs and upper_of(nodes[first + i].proof) <= guaranteed:
            scores.append(-inf)
        elif visits == 0:
            scores.append(settings.first_play)
        elif settings.selection == UCB1_TUNED:
            scores.append(
                ucb1_tuned(settings, nodes[first + i].value_sum * inverse(visits), inverse(visits) * logarithm)
            )
        else:
            scores.append(nodes[first + i].value_sum * inverse(visits) + exploration * inverse_sqrt(visits))


def select(nodes, settings, generator, node, parent):
    """The child with the highest score. parent: see score_children."""
    scores = []
    score_children(nodes, settings, node, parent, scores)
    first = nodes[node].children
    return first + best_index(scores, nodes[node].size, settings, generator, first)


def score_by_prior(tree, node, parent, scores):
    """Write the score of every child into a list: Q + c P sqrt(N) / (1 + n), as in puct_score, in reward units.

    parent: N, the earlier visits of the node; with transpositions the sum of the children's visits. A child without
    visits has the mean of those with visits, less `reduction` times the root of the sum of their priors.
    """
    nodes = tree.pool.nodes
    settings = tree.settings
    first = nodes[node].children
    size = nodes[node].size
    total = rewards = 0
    visited = 0.0
    for i in range(size):
        total += nodes[first + i].visits
        rewards += nodes[first + i].value_sum
        if nodes[first + i].visits:
            visited += tree.pool.estimates[first + i].prior
    if settings.transpositions:
        parent = total
    # without visited children the mean is the same for all, so it decides nothing
    first_play = (rewards / total if total else 0.0) - settings.reduction * sqrt(visited)
    exploration = settings.exploration * sqrt(parent if parent else 1)
    guaranteed = WIN - upper_of(nodes[node].proof)
    for i in range(size):
        visits = nodes[first + i].visits
        if settings.proofs and upper_of(nodes[first + i].proof) <= guaranteed:
            scores.append(-inf)
        else:
            value = nodes[first + i].value_sum / visits if visits else first_play
            scores.append(value + exploration * tree.pool.estimates[first + i].prior / (1 + visits))


def select_by_prior(tree, nodes, generator, node, parent):
    """The child with the highest score. parent: see score_by_prior."""
    scores = []
    score_by_prior(tree, node, parent, scores)
    first = nodes[node].children
    return first + best_index(scores, nodes[node].size, tree.settings, generator, first)
