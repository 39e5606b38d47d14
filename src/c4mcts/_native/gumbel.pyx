"""Gumbel AlphaZero; gumbel.pxd describes it."""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t

from .bitboard cimport MAX_SIDE
from .numbers cimport Generator, exp, ln
from .pool cimport Tree
from .proofs cimport LOSS, UNKNOWN, WIN, is_proven, upper_of
from .puct_score cimport ROOT, value_of
from .selection cimport best_index
from .settings cimport Settings

cdef double LEAST_PRIOR = 1e-300    # instead of 0, which has no logarithm
cdef double LEAST_RANGE = 1e-8      # of values, which are divided by it


cdef uint64_t considered_visits(uint64_t actions, uint64_t simulations, uint64_t number) noexcept nogil:
    """The visits of the moves among which simulation `number`, from 0, chooses, if halving starts with `actions` moves.

    Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits" (2013): each round has the same share
    of the simulations, in which it visits its moves in turn, and the better half of them stays for the next round.
    """
    cdef uint64_t rounds = 0
    cdef uint64_t visits = 0
    cdef uint64_t turns
    if actions <= 1:
        return number
    while <uint64_t>1 << rounds < actions:
        rounds += 1
    while True:
        turns = max(<uint64_t>1, simulations // (rounds * actions))
        if number < turns * actions:
            return visits + number // actions
        number -= turns * actions
        visits += turns
        actions = max(<uint64_t>2, actions // 2)


cdef inline bint is_lost(const Settings* settings, uint16_t proof) noexcept nogil:
    """Whether a child is proven lost for the player who moves into it."""
    return settings.proofs and upper_of(proof) == LOSS


cdef inline double complete_values(Tree tree, uint32_t node, double* values) noexcept nogil:
    """Write the value of every child of a node, -inf for those that are lost; returns the most visits of one of them.

    For a child without visits it is a mixture of the node's own evaluation and the values of the visited children,
    v_mix in appendix D. Simulations under way do not count.
    """
    cdef const Settings* settings = &tree.settings
    cdef uint32_t first = tree.pool.nodes[node].children
    cdef double total = 0.0
    cdef double shares = 0.0
    cdef double weighted = 0.0
    cdef double most = 0.0
    cdef double mixed = tree.pool.raw_values[node]
    cdef double visits, prior
    cdef uint16_t proof
    cdef int i
    for i in range(tree.pool.nodes[node].size):
        visits = tree.pool.nodes[first + i].value_sum
        proof = tree.pool.nodes[first + i].proof
        values[i] = tree.pool.estimates[first + i].value
        if is_lost(settings, proof):
            values[i] = -INFINITY
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
    for i in range(tree.pool.nodes[node].size):
        proof = tree.pool.nodes[first + i].proof
        if tree.pool.nodes[first + i].value_sum == 0 and not (settings.proofs and is_proven(proof)):
            values[i] = mixed
    return most


cdef inline void score_values(Tree tree, uint32_t node, double* scores) noexcept nogil:
    """Write sigma(Q) of every child of a node, -inf for those that are lost; Q: see complete_values."""
    cdef const Settings* settings = &tree.settings
    cdef int size = tree.pool.nodes[node].size
    cdef double most = complete_values(tree, node, scores)
    cdef double low = INFINITY
    cdef double high = -INFINITY
    cdef int i
    for i in range(size):
        if scores[i] > -INFINITY:
            low = min(low, scores[i])
            high = max(high, scores[i])
    for i in range(size):
        if scores[i] > -INFINITY:
            scores[i] = (scores[i] - low) / max(high - low, LEAST_RANGE)
            scores[i] *= (settings.maxvisit_init + most) * settings.value_scale


cdef void improve_policy(Tree tree, uint32_t node, double* weights) noexcept nogil:
    """Write the improved policy of a node, the softmax of ln P + sigma(Q); zeros if all children are lost."""
    cdef uint32_t first = tree.pool.nodes[node].children
    cdef int size = tree.pool.nodes[node].size
    cdef double highest = -INFINITY
    cdef double power = -INFINITY
    cdef double total = 0.0
    cdef double factor = 0.0
    cdef int i
    score_values(tree, node, weights)
    for i in range(size):
        highest = max(highest, weights[i])
    for i in range(size):
        if weights[i] > power or weights[i] < power:    # most children have no visits, and the same value
            power = weights[i]
            factor = exp(power - highest)
        weights[i] = max(tree.pool.estimates[first + i].prior, LEAST_PRIOR) * factor if power > -INFINITY else 0.0
        total += weights[i]
    for i in range(size):
        weights[i] /= max(total, LEAST_PRIOR)


cdef void mix_logits(Tree tree, const double* noise, double* logits) noexcept nogil:
    """Write g + ln P of every child of the root; noise: g of each, or NULL for 0."""
    cdef uint32_t first = tree.pool.nodes[ROOT].children
    cdef int i
    for i in range(tree.pool.nodes[ROOT].size):
        logits[i] = ln(max(tree.pool.estimates[first + i].prior, LEAST_PRIOR)) + (noise[i] if noise != NULL else 0.0)


cdef void score_moves(Tree tree, const double* logits, double* scores) noexcept nogil:
    """Write g + ln P + sigma(Q) of every child of the root; logits: see mix_logits."""
    cdef int i
    score_values(tree, ROOT, scores)
    for i in range(tree.pool.nodes[ROOT].size):
        scores[i] += logits[i]


cdef void exclude_settled(Tree tree, uint32_t node, double* scores) noexcept nogil:
    """Give -inf to the children that can't be better than what is certain at the node."""
    cdef uint32_t first = tree.pool.nodes[node].children
    cdef int guaranteed = WIN - upper_of(tree.pool.nodes[node].proof)
    cdef int i
    if tree.settings.proofs:
        for i in range(tree.pool.nodes[node].size):
            if tree.pool.nodes[first + i].proof != UNKNOWN and upper_of(tree.pool.nodes[first + i].proof) <= guaranteed:
                scores[i] = -INFINITY


cdef void score_by_policy(Tree tree, uint32_t node, double* scores) noexcept nogil:
    """Write pi(a) - N(a) / (1 + N) of every child, pi being the improved policy (section 5)."""
    cdef uint32_t first = tree.pool.nodes[node].children
    cdef int size = tree.pool.nodes[node].size
    cdef double total = 1.0
    cdef int i
    improve_policy(tree, node, scores)
    for i in range(size):
        if not is_lost(&tree.settings, tree.pool.nodes[first + i].proof):
            total += tree.pool.nodes[first + i].visits
    for i in range(size):
        scores[i] -= tree.pool.nodes[first + i].visits / total
    exclude_settled(tree, node, scores)


cdef void score_by_halving(Tree tree, const double* logits, uint64_t planned, double* scores) noexcept nogil:
    """Write the score of each child of the root that sequential halving considers now, -inf for the others.

    planned: simulations of the whole search, the one that evaluates the root included. If proofs have settled all
    children with the visits that it asks for, those with the next higher number of visits are considered, or else with
    the next lower one.
    """
    cdef uint32_t first = tree.pool.nodes[ROOT].children
    cdef int size = tree.pool.nodes[ROOT].size
    cdef uint64_t number = 0
    cdef int64_t higher = -1
    cdef int64_t lower = -1
    cdef int64_t wanted, visits
    cdef int i
    for i in range(size):
        number += tree.pool.nodes[first + i].visits
    wanted = considered_visits(min(size, tree.settings.considered), max(planned, <uint64_t>1) - 1, number)
    score_moves(tree, logits, scores)
    exclude_settled(tree, ROOT, scores)
    for i in range(size):
        visits = tree.pool.nodes[first + i].visits
        if scores[i] > -INFINITY:
            if visits >= wanted and (higher < 0 or visits < higher):
                higher = visits
            if visits < wanted and visits > lower:
                lower = visits
    for i in range(size):
        if tree.pool.nodes[first + i].visits != (higher if higher >= 0 else lower):
            scores[i] = -INFINITY


cdef uint32_t select_gumbel(
    Tree tree, const double* logits, uint32_t node, uint64_t planned, Generator* generator,
) noexcept nogil:
    """The child that a simulation goes to. logits: of the root, see mix_logits. planned: see score_by_halving."""
    cdef uint32_t first = tree.pool.nodes[node].children
    cdef int size = tree.pool.nodes[node].size
    cdef double scores[MAX_SIDE]
    if node == ROOT:
        score_by_halving(tree, logits, planned, scores)
    else:
        score_by_policy(tree, node, scores)
    return first + best_index(scores, size, &tree.settings, generator, first)
