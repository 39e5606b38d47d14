"""The PUCT score: which child of a node a simulation goes to, with an evaluator.

The score is AlphaZero's: Silver et al., "Mastering the game of Go without human knowledge" (2017), methods;
Rosin, "Multi-armed bandits with episode context" (2011). At the root the priors may be changed and visits forced; the
policy to learn then follows the visits without the forced ones.
"""

from math import ceil, floor, inf, sqrt

from .._layout import DRAW, LOSS, ROOT, UNKNOWN, WIN
from .numbers import ln, power
from .proofs import lower_of, upper_of
from .selection import best_index


def mean(settings, node, estimate):
    """The mean value of a visited node; each simulation under way counts as `virtual_loss` losses."""
    if node.visits == node.value_sum:
        return estimate.value
    return (estimate.value * node.value_sum - settings.virtual_loss * (node.visits - node.value_sum)) / node.visits


def value_of(settings, proof):
    """The value of a proven node to the player who moved into it."""
    outcome = lower_of(proof)
    return 1.0 if outcome == WIN else 2.0 * settings.draw / settings.win - 1.0 if outcome == DRAW else -1.0


def growth(settings, parent):
    """The addition to the exploration factor at a node with `parent` visits: see SearchParams.exploration_base."""
    return ln((1.0 + parent + settings.exploration_base) / settings.exploration_base)


def exploration_of(settings, parent):
    """The exploration factor at a node with `parent` visits."""
    return settings.exploration + (growth(settings, parent) if settings.exploration_base > 0.0 else 0.0)


def mix_priors(tree, noise, priors):
    """Write the priors of the root's children as a search uses them: with its temperature, and the noise if any."""
    settings = tree.settings
    first = tree.pool.nodes[ROOT].children
    size = tree.pool.nodes[ROOT].size
    most = 0.0
    total = 0.0
    for i in range(size):
        priors[i] = tree.pool.estimates[first + i].prior
        most = max(most, priors[i])
    if settings.root_temperature != 1.0 and most > 0.0:
        for i in range(size):
            priors[i] /= most
            priors[i] = power(priors[i], settings.root_temperature) if priors[i] > 0.0 else 0.0
            total += priors[i]
        for i in range(size):
            priors[i] /= total
    if noise:
        for i in range(size):
            priors[i] += settings.noise * (noise[i] - priors[i])


def first_play_at(tree, priors, node):
    """The value of a child without visits at a node, from the node's: see SearchParams.first_play_reduction.

    priors: of the children, instead of the tree's, or empty.
    """
    nodes = tree.pool.nodes
    first = nodes[node].children
    visited = 0.0
    for i in range(nodes[node].size):
        if nodes[first + i].visits:
            visited += priors[i] if priors else tree.pool.estimates[first + i].prior
    return -tree.pool.estimates[node].value - tree.settings.reduction * sqrt(visited)


def force_visits(tree, priors, scores):
    """Give an infinite score to each visited child of the root with fewer visits than sqrt(k P N)."""
    nodes = tree.pool.nodes
    first = nodes[ROOT].children
    size = nodes[ROOT].size
    total = 0.0
    for i in range(size):
        total += nodes[first + i].visits
    for i in range(size):
        visits = float(nodes[first + i].visits)
        prior = priors[i] if priors else tree.pool.estimates[first + i].prior
        if scores[i] > -inf and visits > 0.0 and visits * visits < tree.settings.forced_visits * prior * total:
            scores[i] = inf


def score_children(tree, priors, node, parent, scores):
    """Write Q + c P sqrt(N) / (1 + n) of every child into a list, from the point of view of the player to move at
    `node`.

    parent: N, the earlier visits of the node. priors: P of the children, instead of the tree's, or empty.
    With equal_start all scores are 0 until a visit below the node has been backed up.
    """
    nodes = tree.pool.nodes
    estimates = tree.pool.estimates
    settings = tree.settings
    first = nodes[node].children
    exploration = exploration_of(settings, parent) * sqrt(parent)
    is_new = settings.equal_start and nodes[node].value_sum <= 1
    guaranteed = WIN - upper_of(nodes[node].proof)
    size = nodes[node].size
    first_play = first_play_at(tree, priors, node) if settings.from_parent else settings.first_play
    known = UNKNOWN
    for i in range(size):
        visits = nodes[first + i].visits
        prior = priors[i] if priors else estimates[first + i].prior
        value = mean(settings, nodes[first + i], estimates[first + i]) if visits else first_play
        scores.append(0.0 if is_new else value + exploration * prior / (1 + visits))
        known |= nodes[first + i].proof
    if known != UNKNOWN and settings.proofs:
        for i in range(size):
            proof = nodes[first + i].proof
            if proof != UNKNOWN and upper_of(proof) <= guaranteed:
                scores[i] = -inf
    if node == ROOT and settings.forced_visits > 0.0:
        force_visits(tree, priors, scores)


def select_puct(tree, priors, node, parent, generator):
    """The child with the highest score. priors, parent: see score_children."""
    nodes = tree.pool.nodes
    scores = []
    score_children(tree, priors, node, parent, scores)
    first = nodes[node].children
    return first + best_index(scores, nodes[node].size, tree.settings, generator, first)


def prune_visits(tree, priors, weights):
    """Write the visits of the root's children, minus forced visits that their scores do not account for.

    Wu, "Accelerating self-play learning in Go" (2019), section 3.2: up to sqrt(k P N) visits of each child but the most
    visited one are taken off, as long as its score stays below the most visited one's; and then a last one.
    """
    nodes = tree.pool.nodes
    estimates = tree.pool.estimates
    settings = tree.settings
    first = nodes[ROOT].children
    size = nodes[ROOT].size
    exploration = exploration_of(settings, nodes[ROOT].visits) * sqrt(nodes[ROOT].visits)
    best = -1
    total = 0.0
    for i in range(size):
        weights[i] = float(nodes[first + i].visits)
        total += weights[i]
        is_lost = settings.proofs and upper_of(nodes[first + i].proof) == LOSS
        if not is_lost and weights[i] > (weights[best] if best >= 0 else 0.0):
            best = i
    if best < 0:
        return
    prior = priors[best] if priors else estimates[first + best].prior
    highest = mean(settings, nodes[first + best], estimates[first + best]) + exploration * prior / (1.0 + weights[best])
    for i in range(size):
        visits = weights[i]
        if i == best or visits == 0.0:
            continue
        prior = priors[i] if priors else estimates[first + i].prior
        gap = highest - mean(settings, nodes[first + i], estimates[first + i])
        if gap > 0.0:
            # with n visits the score is below the highest if 1 + n > exploration * prior / gap
            least = exploration * prior / gap
            least = float(floor(max(least, 0.0))) if least < visits else visits
            forced = float(ceil(sqrt(settings.forced_visits * prior * total)))
            weights[i] = max(least, visits - forced)
            if weights[i] == 1.0 and visits > 1.0:
                weights[i] = 0.0
