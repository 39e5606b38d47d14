"""The PUCT score: which child of a node a simulation goes to, with an evaluator.

The score is AlphaZero's: Silver et al., "Mastering the game of Go without human knowledge" (2017), methods;
Rosin, "Multi-armed bandits with episode context" (2011). At the root the priors may be changed and visits forced; the
policy to learn then follows the visits without the forced ones.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport uint16_t, uint32_t

from .bitboard cimport MAX_SIDE
from .numbers cimport Generator
from .pool cimport Node, NodeEstimate, Tree
from .proofs cimport DRAW, UNKNOWN, WIN, lower_of, upper_of
from .selection cimport best_index
from .settings cimport Settings

cdef enum:
    ROOT = 0    # as in _layout, which the import compares


cdef inline double mean(const Settings* settings, const Node* node, const NodeEstimate* estimate) noexcept nogil:
    """The mean value of a visited node; each simulation under way counts as `virtual_loss` losses."""
    if node.visits == node.value_sum:
        return estimate.value
    return (estimate.value * node.value_sum - settings.virtual_loss * (node.visits - node.value_sum)) / node.visits


cdef inline double value_of(const Settings* settings, int proof) noexcept nogil:
    """The value of a proven node to the player who moved into it."""
    cdef int outcome = lower_of(proof)
    return 1.0 if outcome == WIN else 2.0 * settings.draw / settings.win - 1.0 if outcome == DRAW else -1.0


cdef double growth(const Settings* settings, uint32_t parent) noexcept nogil


cdef inline double exploration_of(const Settings* settings, uint32_t parent) noexcept nogil:
    """The exploration factor at a node with `parent` visits."""
    return settings.exploration + (growth(settings, parent) if settings.exploration_base > 0.0 else 0.0)


cdef void mix_priors(Tree tree, const double* noise, double* priors) noexcept nogil
cdef double first_play_at(Tree tree, const double* priors, uint32_t node) noexcept nogil
cdef void force_visits(Tree tree, const double* priors, double* scores) noexcept nogil


cdef inline uint32_t select_puct(
    Tree tree, const double* priors, uint32_t node, uint32_t parent, Generator* generator,
) noexcept nogil:
    """The child with the highest Q + c P sqrt(N) / (1 + n), from the point of view of the player to move at `node`.

    parent: N, the earlier visits of the node. priors: P of the children, instead of the tree's, or NULL.
    With equal_start all scores are 0 until a visit below the node has been backed up.
    """
    cdef const Settings* settings = &tree.settings
    cdef uint32_t first = tree.pool.nodes[node].children
    cdef const Node* children = &tree.pool.nodes[first]
    cdef const NodeEstimate* estimates = &tree.pool.estimates[first]
    cdef double exploration = exploration_of(settings, parent) * sqrt(parent)
    cdef bint is_new = settings.equal_start and tree.pool.nodes[node].value_sum <= 1
    cdef int guaranteed = WIN - upper_of(tree.pool.nodes[node].proof)
    cdef double first_play = first_play_at(tree, priors, node) if settings.from_parent else settings.first_play
    cdef double scores[MAX_SIDE]
    cdef int size = tree.pool.nodes[node].size
    cdef uint16_t known = UNKNOWN
    cdef uint32_t visits
    cdef double prior, value
    cdef int i
    for i in range(size):
        visits = children[i].visits
        prior = priors[i] if priors != NULL else estimates[i].prior
        value = mean(settings, &children[i], &estimates[i]) if visits else first_play
        scores[i] = 0.0 if is_new else value + exploration * prior / (1 + <double>visits)
        known |= children[i].proof
    if known != UNKNOWN and settings.proofs:
        for i in range(size):
            if children[i].proof != UNKNOWN and upper_of(children[i].proof) <= guaranteed:
                scores[i] = -INFINITY
    if node == ROOT and settings.forced_visits > 0.0:
        force_visits(tree, priors, scores)
    return first + best_index(scores, size, settings, generator, first)


cdef void prune_visits(Tree tree, const double* priors, double* weights) noexcept nogil
