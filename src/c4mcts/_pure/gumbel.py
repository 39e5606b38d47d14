"""Gumbel AlphaZero: sequential halving at the root, and below it visits in proportion to an improved policy.

Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel" (2022), and mctx, whose
gumbel_muzero_policy this follows: values are stretched to 0 .. 1 among the children of a node. Where exact outcomes are
backed up, children that are proven lost are left out of everything, other proven ones have their exact value, and
children that can't be better than the certain value get no more visits.
"""

from math import inf

from .._layout import LOSS, ROOT, UNKNOWN, WIN
from .numbers import exp, ln
from .proofs import is_proven, upper_of
from .puct_score import value_of
from .selection import best_index

LEAST_PRIOR = 1e-300  # instead of 0, which has no logarithm
LEAST_RANGE = 1e-8  # of values, which are divided by it


def considered_visits(actions, simulations, number):
    """The visits of the moves among which simulation `number`, from 0, chooses, if halving starts with `actions` moves.

    Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits" (2013): each round has the same share
    of the simulations, in which it visits its moves in turn, and the better half of them stays for the next round.
    """
    rounds = 0
    visits = 0
    if actions <= 1:
        return number
    while 1 << rounds < actions:
        rounds += 1
    while True:
        turns = max(1, simulations // (rounds * actions))
        if number < turns * actions:
            return visits + number // actions
        number -= turns * actions
        visits += turns
        actions = max(2, actions // 2)


def is_lost(settings, proof):
    """Whether a child is proven lost for the player who moves into it."""
    return settings.proofs and upper_of(proof) == LOSS


def complete_values(tree, node, values):
    """Write the value of every child of a node, -inf for those that are lost; returns the most visits of one of them.

    For a child without visits it is a mixture of the node's own evaluation and the values of the visited children,
    v_mix in appendix D. Simulations under way do not count.
    """
    nodes = tree.pool.nodes
    settings = tree.settings
    first = nodes[node].children
    total = shares = weighted = most = 0.0
    mixed = tree.pool.raw_values[node]
    for i in range(nodes[node].size):
        visits = float(nodes[first + i].value_sum)
        proof = nodes[first + i].proof
        values[i] = tree.pool.estimates[first + i].value
        if is_lost(settings, proof):
            values[i] = -inf
            continue
        if settings.proofs and is_proven(proof):
            values[i] = value_of(settings, proof)
        if visits > 0.0:
            prior = max(tree.pool.estimates[first + i].prior, LEAST_PRIOR)
            shares += prior
            weighted += prior * values[i]
            total += visits
            most = max(most, visits)
    if shares > 0.0:
        mixed = (mixed + total * (weighted / shares)) / (1.0 + total)
    for i in range(nodes[node].size):
        proof = nodes[first + i].proof
        if nodes[first + i].value_sum == 0 and not (settings.proofs and is_proven(proof)):
            values[i] = mixed
    return most


def score_values(tree, node, scores):
    """Write sigma(Q) of every child of a node, -inf for those that are lost; Q: see complete_values."""
    settings = tree.settings
    size = tree.pool.nodes[node].size
    most = complete_values(tree, node, scores)
    low = inf
    high = -inf
    for i in range(size):
        if scores[i] > -inf:
            low = min(low, scores[i])
            high = max(high, scores[i])
    for i in range(size):
        if scores[i] > -inf:
            scores[i] = (scores[i] - low) / max(high - low, LEAST_RANGE)
            scores[i] *= (settings.maxvisit_init + most) * settings.value_scale


def improve_policy(tree, node, weights):
    """Write the improved policy of a node, the softmax of ln P + sigma(Q); zeros if all children are lost."""
    first = tree.pool.nodes[node].children
    size = tree.pool.nodes[node].size
    highest = -inf
    power = -inf
    total = factor = 0.0
    score_values(tree, node, weights)
    for i in range(size):
        highest = max(highest, weights[i])
    for i in range(size):
        if weights[i] > power or weights[i] < power:  # most children have no visits, and the same value
            power = weights[i]
            factor = exp(power - highest)
        weights[i] = max(tree.pool.estimates[first + i].prior, LEAST_PRIOR) * factor if power > -inf else 0.0
        total += weights[i]
    for i in range(size):
        weights[i] /= max(total, LEAST_PRIOR)


def mix_logits(tree, noise, logits):
    """Write g + ln P of every child of the root; noise: g of each, or nothing for 0."""
    first = tree.pool.nodes[ROOT].children
    for i in range(tree.pool.nodes[ROOT].size):
        logits[i] = ln(max(tree.pool.estimates[first + i].prior, LEAST_PRIOR)) + (noise[i] if noise else 0.0)


def score_moves(tree, logits, scores):
    """Write g + ln P + sigma(Q) of every child of the root; logits: see mix_logits."""
    score_values(tree, ROOT, scores)
    for i in range(tree.pool.nodes[ROOT].size):
        scores[i] += logits[i]


def exclude_settled(tree, node, scores):
    """Give -inf to the children that can't be better than the certain value of the node."""
    nodes = tree.pool.nodes
    first = nodes[node].children
    guaranteed = WIN - upper_of(nodes[node].proof)
    if tree.settings.proofs:
        for i in range(nodes[node].size):
            if nodes[first + i].proof != UNKNOWN and upper_of(nodes[first + i].proof) <= guaranteed:
                scores[i] = -inf


def score_by_policy(tree, node, scores):
    """Write pi(a) - N(a) / (1 + N) of every child, pi being the improved policy (section 5)."""
    nodes = tree.pool.nodes
    first = nodes[node].children
    size = nodes[node].size
    total = 1.0
    improve_policy(tree, node, scores)
    for i in range(size):
        if not is_lost(tree.settings, nodes[first + i].proof):
            total += nodes[first + i].visits
    for i in range(size):
        scores[i] -= nodes[first + i].visits / total
    exclude_settled(tree, node, scores)


def score_by_halving(tree, logits, planned, scores):
    """Write the score of each child of the root that sequential halving considers now, -inf for the others.

    planned: simulations of the whole search, the one that evaluates the root included. If proofs have settled all
    children with the visits that it asks for, those with the next higher number of visits are considered, or else with
    the next lower one.
    """
    nodes = tree.pool.nodes
    first = nodes[ROOT].children
    size = nodes[ROOT].size
    number = 0
    higher = lower = -1
    for i in range(size):
        number += nodes[first + i].visits
    wanted = considered_visits(min(size, tree.settings.considered), max(planned, 1) - 1, number)
    score_moves(tree, logits, scores)
    exclude_settled(tree, ROOT, scores)
    for i in range(size):
        visits = nodes[first + i].visits
        if scores[i] > -inf:
            if visits >= wanted and (higher < 0 or visits < higher):
                higher = visits
            if visits < wanted and visits > lower:
                lower = visits
    for i in range(size):
        if nodes[first + i].visits != (higher if higher >= 0 else lower):
            scores[i] = -inf


def select_gumbel(tree, logits, node, planned, generator):
    """The child that a simulation goes to. logits: of the root, see mix_logits. planned: see score_by_halving."""
    first = tree.pool.nodes[node].children
    size = tree.pool.nodes[node].size
    scores = [0.0] * size
    if node == ROOT:
        score_by_halving(tree, logits, planned, scores)
    else:
        score_by_policy(tree, node, scores)
    return first + best_index(scores, size, tree.settings, generator, first)
