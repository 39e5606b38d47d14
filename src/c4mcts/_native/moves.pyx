"""What a search with an evaluator knows of the moves at its root; moves.pxd describes it."""

from c4mcts import _layout

from libc.math cimport INFINITY
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from .bitboard cimport MAX_SIDE, Geometry, Position, free_cell, is_open
from .elementary cimport power
from .pool cimport LONGEST_PATH, Node, Settings
from .proofs cimport DISTANCE_MASK, DRAW, LOSS, WIN, lower_of, upper_of
from .puct cimport PuctSearcher, rate_children
from .threats cimport is_threat

cdef uint32_t ROOT = _layout.ROOT
cdef int VISITS = _layout.VISITS
cdef int VISITS_ONLY = _layout.VISITS_ONLY
cdef int HALVING = _layout.HALVING


cdef inline int win_score(int cells, int end) noexcept nogil:
    """Score of a win that leaves `end` discs on a board of so many cells."""
    return (cells + 2 - end) // 2


cdef inline void narrow_score(Move* move, uint16_t proof, int ply, int cells) noexcept nogil:
    """Narrow the bounds of a move by the proof field of its node; ply: discs on the board before the move."""
    cdef int best = win_score(cells, ply + 1)
    cdef int score = win_score(cells, ply + 1 + (proof & DISTANCE_MASK))
    if lower_of(proof) == WIN:
        move.lower = max(move.lower, score)
    elif upper_of(proof) == LOSS:
        move.upper = min(move.upper, -score)
    else:
        move.lower = max(move.lower, 0 if lower_of(proof) == DRAW else -best)
        move.upper = min(move.upper, 0 if upper_of(proof) == DRAW else best)


cdef inline bint is_certain(const Move* move) noexcept nogil:
    """Whether the outcome of a move is proven."""
    return move.lower > 0 or move.upper < 0 or move.lower == move.upper


cdef inline int rank(const Move* move) noexcept nogil:
    """What is proven of a move: the score of a win or of a loss, 0 for all others; the higher, the better."""
    return move.lower if move.lower > 0 else min(move.upper, 0)


cdef int outcome_of(const Move* moves, int size) noexcept nogil:
    """What is proven of the position: LOSS, DRAW or WIN for the player to move; -1: nothing."""
    cdef int lower = moves[0].lower
    cdef int upper = moves[0].upper
    cdef int i
    for i in range(1, size):
        lower = max(lower, moves[i].lower)
        upper = max(upper, moves[i].upper)
    return WIN if lower > 0 else LOSS if upper < 0 else DRAW if lower == upper else -1


cdef double value_of_outcome(const Settings* settings, int outcome) noexcept nogil:
    """The exact value of an outcome, in [0, 1]."""
    return 1.0 if outcome == WIN else <double>settings.draw / settings.win if outcome == DRAW else 0.0


cdef int list_moves(PuctSearcher searcher, const Position* position, bint checks, Move* moves) noexcept nogil:
    """Fill in the legal moves, in column order; returns how many. The position needs its threats.

    checks: whether immediate wins and threats are looked for (see SearchParams).
    """
    cdef Node* nodes = searcher.tree.pool.nodes
    cdef const Settings* settings = &searcher.tree.settings
    cdef const Geometry* geometry = &searcher.tree.geometry
    cdef int cells = geometry.cells
    cdef int ply = position.ply
    cdef int player = ply & 1
    cdef uint32_t child = nodes[ROOT].children
    cdef double scores[MAX_SIDE]
    cdef double weights[MAX_SIDE]
    cdef int size = 0
    cdef Move* move
    cdef uint64_t cell
    cdef int column, outcome
    if nodes[ROOT].size:
        rate_children(searcher, scores, weights)
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            cell = free_cell(position, geometry, column)
            move = &moves[size]
            move.column = column
            move.wins = checks and is_threat(position, player, cell)
            move.answers = checks and is_threat(position, 1 - player, cell)
            # at worst the opponent wins with the next disc, at best this player with the one after
            move.lower = -win_score(cells, ply + 2)
            move.upper = win_score(cells, ply + 3 if checks else ply + 1)
            if move.wins:
                move.lower = move.upper = win_score(cells, ply + 1)
            elif checks and ply + 1 == cells:
                move.lower = move.upper = 0
            move.visits = 0
            move.prior = 0.0
            move.share = -1.0
            move.score = 0.0
            move.weight = 0.0
            if nodes[ROOT].size:
                move.score = scores[size]
                move.weight = weights[size]
                move.visits = nodes[child].visits
                move.prior = searcher.tree.pool.estimates[child].prior
                if move.visits:
                    move.share = (searcher.tree.pool.estimates[child].value + 1.0) / 2.0
                if settings.proofs or checks:
                    narrow_score(move, nodes[child].proof, ply, cells)
                child += 1
            if is_certain(move):
                outcome = WIN if move.lower > 0 else LOSS if move.upper < 0 else DRAW
                move.share = value_of_outcome(settings, outcome)
            size += 1
    return size


cdef inline int compare(const Move* one, const Move* other, int choice) noexcept nogil:
    """Above 0 if the rule `choice` prefers the first of two moves, below 0 if the second, else 0."""
    cdef int order = (one.visits > other.visits) - (one.visits < other.visits)
    cdef double first, second
    if choice == VISITS_ONLY or (choice == VISITS or choice == HALVING) and order != 0:
        return order
    if choice == HALVING:
        return (one.score > other.score) - (one.score < other.score)
    first = one.share if one.visits or choice == VISITS else -1.0
    second = other.share if other.visits or choice == VISITS else -1.0
    if first == second:
        return order
    return 1 if first > second else -1


cdef void keep_draws(
    const Move* moves, int size, const Settings* settings, int choice, bint* kept,
) noexcept nogil:
    """If a move guarantees a draw, keep those that do, or those that can still win.

    The first if no move can win, or if the best-looking one that can may also lose and is valued below a draw.
    """
    cdef int best = -1
    cdef bint safe = False
    cdef int i
    for i in range(size):
        if kept[i]:
            safe = safe or moves[i].lower == 0
            if moves[i].upper > 0 and (best < 0 or compare(&moves[i], &moves[best], choice) > 0):
                best = i
    if not safe:
        return
    if best >= 0:
        safe = moves[best].lower < 0 and moves[best].share < value_of_outcome(settings, DRAW)
    for i in range(size):
        kept[i] = kept[i] and (moves[i].lower == 0 if safe else moves[i].upper > 0)


cdef int choose(
    const Move* moves, int size, const Settings* settings, int choice, uint64_t random_bits,
) noexcept nogil:
    """Index of the move to play. random_bits: 64 of them, for ties."""
    cdef bint kept[MAX_SIDE]
    cdef bint wins = False
    cdef bint answers = False
    cdef int highest = -LONGEST_PATH    # below every score
    cdef int best = -1
    cdef uint64_t ties = 0
    cdef int i, order
    for i in range(size):
        wins = wins or moves[i].wins
        answers = answers or moves[i].answers
    for i in range(size):
        kept[i] = moves[i].wins if wins else moves[i].answers if answers else True
        if kept[i]:
            highest = max(highest, rank(&moves[i]))
    for i in range(size):
        kept[i] = kept[i] and rank(&moves[i]) == highest
    if settings.prove_draws and highest == 0:
        keep_draws(moves, size, settings, choice, kept)
    for i in range(size):
        if kept[i]:
            order = 1 if best < 0 else compare(&moves[i], &moves[best], choice)
            if order > 0:
                best = i
                ties = 1
            elif order == 0:
                ties += 1
    if settings.random_ties:
        ties = (random_bits >> 32) * ties >> 32
        i = best
        while ties > 0:
            i += 1
            ties -= kept[i] and compare(&moves[i], &moves[best], choice) == 0
        best = i
    return best


cdef void weigh(const Move* moves, int size, int chosen, double temperature, double* weights) noexcept nogil:
    """Write the weights of the policy at a temperature: see SearchResult.policy. chosen: the move to play."""
    cdef bint proven = outcome_of(moves, size) >= 0
    cdef double most = 0.0
    cdef int highest = rank(&moves[0])
    cdef int i
    for i in range(size):
        highest = max(highest, rank(&moves[i]))
    if proven:
        highest = rank(&moves[chosen])
    for i in range(size):
        weights[i] = 1.0 if rank(&moves[i]) == highest else 0.0
        if proven and is_certain(&moves[i]) != is_certain(&moves[chosen]):
            weights[i] = 0.0
        if weights[i] > 0.0:
            most = max(most, moves[i].weight)
    if proven or most == 0.0 or temperature == INFINITY:
        return
    for i in range(size):
        if weights[i] > 0.0:
            weights[i] = moves[i].weight / most
            weights[i] = power(weights[i], temperature) if weights[i] > 0.0 else 0.0


cdef int draw(const double* weights, int size, uint64_t random_bits) noexcept nogil:
    """An index at random, with chances in proportion to the weights, of which one is above 0."""
    cdef double total = 0.0
    cdef double point
    cdef int last = 0
    cdef int i
    for i in range(size):
        total += weights[i]
    point = <double>(random_bits >> 11) * 1.1102230246251565e-16 * total      # 2 ** -53
    for i in range(size):
        if weights[i] > 0.0:
            last = i
            point -= weights[i]
            if point < 0.0:
                return i
    return last     # rounding has left a remainder
