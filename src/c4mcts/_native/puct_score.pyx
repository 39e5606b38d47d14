"""The PUCT score: its changes at the root, and the policy to learn with them; puct_score.pxd has the score itself."""

from c4mcts import _layout

from libc.math cimport INFINITY, ceil, floor, sqrt
from libc.stdint cimport uint32_t

from .numbers cimport ln, power
from .pool cimport Node, NodeEstimate, Tree
from .proofs cimport LOSS, upper_of
from .settings cimport Settings

assert ROOT == _layout.ROOT


cdef double growth(const Settings* settings, uint32_t parent) noexcept nogil:
    """The addition to the exploration factor at a node with `parent` visits: see SearchParams.exploration_base."""
    return ln((1.0 + parent + settings.exploration_base) / settings.exploration_base)


cdef void mix_priors(Tree tree, const double* noise, double* priors) noexcept nogil:
    """Write the priors of the root's children as a search uses them: with its temperature, and the noise if any."""
    cdef const Settings* settings = &tree.settings
    cdef uint32_t first = tree.pool.nodes[ROOT].children
    cdef int size = tree.pool.nodes[ROOT].size
    cdef double most = 0.0
    cdef double total = 0.0
    cdef int i
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
    if noise != NULL:
        for i in range(size):
            priors[i] += settings.noise * (noise[i] - priors[i])


cdef double first_play_at(Tree tree, const double* priors, uint32_t node) noexcept nogil:
    """The value of a child without visits at a node, from the node's: see SearchParams.first_play_reduction.

    priors: of the children, instead of the tree's, or NULL.
    """
    cdef uint32_t first = tree.pool.nodes[node].children
    cdef double visited = 0.0
    cdef int i
    for i in range(tree.pool.nodes[node].size):
        if tree.pool.nodes[first + i].visits:
            visited += priors[i] if priors != NULL else tree.pool.estimates[first + i].prior
    return -tree.pool.estimates[node].value - tree.settings.reduction * sqrt(visited)


cdef void force_visits(Tree tree, const double* priors, double* scores) noexcept nogil:
    """Give an infinite score to each visited child of the root with fewer visits than sqrt(k P N)."""
    cdef uint32_t first = tree.pool.nodes[ROOT].children
    cdef int size = tree.pool.nodes[ROOT].size
    cdef double total = 0.0
    cdef double visits, prior
    cdef int i
    for i in range(size):
        total += tree.pool.nodes[first + i].visits
    for i in range(size):
        visits = tree.pool.nodes[first + i].visits
        prior = priors[i] if priors != NULL else tree.pool.estimates[first + i].prior
        if scores[i] > -INFINITY and visits > 0.0 and visits * visits < tree.settings.forced_visits * prior * total:
            scores[i] = INFINITY


cdef void prune_visits(Tree tree, const double* priors, double* weights) noexcept nogil:
    """Write the visits of the root's children, minus forced visits that their scores do not account for.

    Wu, "Accelerating self-play learning in Go" (2019), section 3.2: up to sqrt(k P N) visits of each child but the most
    visited one are taken off, as long as its score stays below the most visited one's; and then a last one.
    """
    cdef const Settings* settings = &tree.settings
    cdef uint32_t first = tree.pool.nodes[ROOT].children
    cdef const Node* children = &tree.pool.nodes[first]
    cdef const NodeEstimate* estimates = &tree.pool.estimates[first]
    cdef int size = tree.pool.nodes[ROOT].size
    cdef uint32_t parent = tree.pool.nodes[ROOT].visits
    cdef double exploration = exploration_of(settings, parent) * sqrt(parent)
    cdef int best = -1
    cdef double total = 0.0
    cdef double prior, highest, visits, gap, least, forced
    cdef bint is_lost
    cdef int i
    for i in range(size):
        weights[i] = children[i].visits
        total += weights[i]
        is_lost = settings.proofs and upper_of(children[i].proof) == LOSS
        if not is_lost and weights[i] > (weights[best] if best >= 0 else 0.0):
            best = i
    if best < 0:
        return
    prior = priors[best] if priors != NULL else estimates[best].prior
    highest = mean(settings, &children[best], &estimates[best]) + exploration * prior / (1.0 + weights[best])
    for i in range(size):
        visits = weights[i]
        if i == best or visits == 0.0:
            continue
        prior = priors[i] if priors != NULL else estimates[i].prior
        gap = highest - mean(settings, &children[i], &estimates[i])
        if gap > 0.0:
            # with n visits the score is below the highest if 1 + n > exploration * prior / gap
            least = exploration * prior / gap
            least = floor(max(least, 0.0)) if least < visits else visits
            forced = ceil(sqrt(settings.forced_visits * prior * total))
            weights[i] = max(least, visits - forced)
            if weights[i] == 1.0 and visits > 1.0:
                weights[i] = 0.0
