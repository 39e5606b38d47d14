"""Selection: the child that a simulation goes to."""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport uint32_t, uint64_t

from .atomics cimport read16, read32
from .bitboard cimport MAX_SIDE
from .numbers cimport GOLDEN, LN2, Generator, choice, mix
from .pool cimport AnySettings, Node, NodeEstimate, Tree
from .proofs cimport WIN, upper_of
from .settings cimport Settings

cdef enum:
    TABLE_SIZE = 1 << 16    # 1 / n and 1 / sqrt(n) of smaller n are looked up, which nearly doubles the speed
    LOG_BITS = 12           # as in _layout, which the import compares
    UCB1_TUNED = 1          # likewise
    FIRST = 0
    ANY = 1
    LAST_ADDED = 2

cdef const double[::1] LOG              # LOG[n] = ln n, the table of _layout
cdef const double[::1] INVERSES         # INVERSES[n] = 1 / n
cdef const double[::1] INVERSE_SQRTS    # INVERSE_SQRTS[n] = 1 / sqrt(n)


cdef inline double log(uint64_t n) noexcept nogil:
    """Natural logarithm of n >= 1: exact below 2**LOG_BITS, from the leading bits above (error at most 5e-4)."""
    cdef int shift = 0
    while n >> shift >= 1 << LOG_BITS:
        shift += 1
    return LOG[n >> shift] + shift * LN2


cdef inline double inverse(uint32_t n) noexcept nogil:
    """1 / n."""
    return INVERSES[n] if n < TABLE_SIZE else 1.0 / n


cdef inline double inverse_sqrt(uint32_t n) noexcept nogil:
    """1 / sqrt(n)."""
    return INVERSE_SQRTS[n] if n < TABLE_SIZE else 1.0 / sqrt(n)


cdef inline double ucb1_tuned(const Settings* settings, double mean, double spread) noexcept nogil:
    """The UCB1-tuned score of a child, all in reward units; spread: ln N / n.

    mean + c sqrt(spread min(1/4, V)), V = s^2 + sqrt(2 spread): Auer, Cesa-Bianchi and Fischer (2002), section 4, where
    c is 1 and rewards lie in [0, 1]. The variance s^2 is taken for wins and losses with this mean: exact without draws,
    too high with them.
    """
    cdef double fraction = mean / settings.win
    cdef double variance = fraction * (1.0 - fraction) + sqrt(2.0 * spread)
    return mean + settings.exploration * sqrt(spread * min(0.25, variance))


cdef inline uint32_t random_child(Node[::1] nodes, Generator* generator, uint32_t node) noexcept nogil:
    """A uniformly random child, for a random opponent."""
    return read32(&nodes[node].children) + <uint32_t>choice(generator, nodes[node].size)


cdef inline uint64_t added(const Settings* settings, uint32_t child) noexcept nogil:
    """The rank of a child with LAST_ADDED: the higher, the later it is visited first among its siblings.

    So nothing is kept: children without visits are tried in the order of these numbers.
    """
    return mix(settings.salt + GOLDEN * child)


cdef inline int best_index(
    const double* scores, int size, const AnySettings* settings, Generator* generator, uint32_t first,
) noexcept nogil:
    """Index of the highest score; among equals by the rule for ties. first: the child with index 0."""
    cdef double best = scores[0]
    cdef int chosen = 0
    cdef int ties = 1
    cdef int i
    for i in range(1, size):
        if scores[i] > best:
            best = scores[i]
            chosen = i
    if AnySettings is Settings and settings.ties == ANY:
        for i in range(chosen + 1, size):
            ties += scores[i] == best
        if ties > 1:
            ties = <int>choice(generator, ties)
            while ties > 0:
                chosen += 1
                ties -= scores[chosen] == best
    elif AnySettings is Settings and settings.ties == LAST_ADDED:
        for i in range(chosen + 1, size):
            if scores[i] == best and (
                (added(settings, first + i) > added(settings, first + chosen)) == (best < INFINITY)
            ):
                chosen = i
    return chosen


cdef inline uint32_t select(
    Node[::1] nodes, const AnySettings* settings, Generator* generator, uint32_t node, uint64_t parent,
) noexcept nogil:
    """The child with the highest score, from the point of view of the player to move at `node`: UCB1 or UCB1-tuned.

    mean + c sqrt(ln N / n): Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem"
    (2002), section 2. N: with transpositions the sum of the children's visits, otherwise `parent`, the node's visits
    before this simulation.
    A child whose upper bound is no better than an already proven outcome scores -inf.
    """
    cdef uint32_t first = read32(&nodes[node].children)
    cdef int size = nodes[node].size
    cdef double scores[MAX_SIDE]
    cdef double logarithm, exploration
    # the views would be read again for each child, 4 % more instructions in a search
    cdef const double* inverses = &INVERSES[0]
    cdef const double* inverse_sqrts = &INVERSE_SQRTS[0]
    cdef uint32_t visits
    cdef int guaranteed = WIN - upper_of(read16(&nodes[node].proof))
    cdef int i
    if AnySettings is Settings and settings.transpositions:
        parent = 0
        for i in range(size):
            parent += read32(&nodes[first + i].visits)
    logarithm = log(parent) if parent else 0.0
    exploration = settings.exploration * sqrt(logarithm)
    for i in range(size):
        visits = read32(&nodes[first + i].visits)
        if AnySettings is Settings and settings.proofs and upper_of(read16(&nodes[first + i].proof)) <= guaranteed:
            scores[i] = -INFINITY
        elif visits == 0:
            scores[i] = settings.first_play
        elif AnySettings is Settings and settings.selection == UCB1_TUNED:
            scores[i] = ucb1_tuned(
                settings, read32(&nodes[first + i].value_sum) * inverse(visits), inverse(visits) * logarithm
            )
        elif visits < TABLE_SIZE:
            scores[i] = read32(&nodes[first + i].value_sum) * inverses[visits] + exploration * inverse_sqrts[visits]
        else:
            scores[i] = (
                read32(&nodes[first + i].value_sum) * inverse(visits) + exploration * inverse_sqrt(visits)
            )
    return first + best_index(scores, size, settings, generator, first)


cdef inline uint32_t select_by_prior(
    Tree tree, Node[::1] nodes, Generator* generator, uint32_t node, uint64_t parent,
) noexcept nogil:
    """The child with the highest Q + c P sqrt(N) / (1 + n), as in puct_score, in reward units.

    parent: N, the earlier visits of the node; with transpositions the sum of the children's visits. A child without
    visits has the mean of those with visits, less `reduction` times the root of the sum of their priors.
    """
    cdef const Settings* settings = &tree.settings
    cdef uint32_t first = read32(&nodes[node].children)
    cdef int size = nodes[node].size
    cdef const NodeEstimate* estimates = &tree.pool.estimates[first]
    cdef double scores[MAX_SIDE]
    cdef uint64_t total = 0
    cdef uint64_t rewards = 0
    cdef double visited = 0.0
    cdef double first_play, exploration, value
    cdef uint32_t visits
    cdef int guaranteed = WIN - upper_of(read16(&nodes[node].proof))
    cdef int i
    for i in range(size):
        visits = read32(&nodes[first + i].visits)
        total += visits
        rewards += read32(&nodes[first + i].value_sum)
        if visits:
            visited += estimates[i].prior
    if settings.transpositions:
        parent = total
    # without visited children the mean is the same for all, so it decides nothing
    first_play = (<double>rewards / <double>total if total else 0.0) - settings.reduction * sqrt(visited)
    exploration = settings.exploration * sqrt(<double>(parent if parent else 1))
    for i in range(size):
        visits = read32(&nodes[first + i].visits)
        if settings.proofs and upper_of(read16(&nodes[first + i].proof)) <= guaranteed:
            scores[i] = -INFINITY
        else:
            value = <double>read32(&nodes[first + i].value_sum) / <double>visits if visits else first_play
            scores[i] = value + exploration * estimates[i].prior / (1 + <double>visits)
    return first + best_index(scores, size, settings, generator, first)
