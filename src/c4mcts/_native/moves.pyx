"""The legal moves at a root, which one to play, and their policy; moves.pxd describes them."""

from c4mcts import _layout
from c4mcts._validation import between

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from .atomics cimport acquire32, read16, read32
from .bitboard cimport MAX_SIDE, Geometry, Position, free_cell, is_open
from .bounds cimport win_score
from .numbers cimport ln, power
from .pool cimport CLAIMED, LONGEST_PATH, NO_CHILDREN, Node, NodeEstimate, has_means
from .proofs cimport DISTANCE_MASK, DRAW, LOSS, WIN, lower_of, upper_of
from .puct cimport PuctSearcher, rate_children
from .search cimport Searcher
from .selection cimport ANY, LAST_ADDED, added
from .settings cimport Settings
from .threats cimport is_threat

cdef uint32_t ROOT = _layout.ROOT
cdef int VISITS = _layout.VISITS
cdef int VISITS_ONLY = _layout.VISITS_ONLY
cdef int SECURE = _layout.SECURE
cdef int UCB_SHORT_WIN = _layout.UCB_SHORT_WIN
cdef int HALVING = _layout.HALVING


cdef inline void begin_move(
    Move* move, int column, bint wins, bint answers, int ply, int cells, bint checks,
) noexcept nogil:
    """Set the facts about a move that follow from the position.

    ply: discs on the board before the move. checks: whether `wins` and `answers` were looked for.
    """
    move.column = column
    move.wins = wins
    move.answers = answers
    # at worst the opponent wins with the next disc, at best this player with the one after
    move.lower = -win_score(cells, ply + 2)
    move.upper = win_score(cells, ply + 3 if checks else ply + 1)
    if wins:
        move.lower = move.upper = win_score(cells, ply + 1)
    elif checks and ply + 1 == cells:
        move.lower = move.upper = 0


cdef inline void narrow(Move* move, int lower, int upper) noexcept nogil:
    """Narrow the bounds of a move."""
    move.lower = max(move.lower, lower)
    move.upper = min(move.upper, upper)


cdef inline void narrow_by_proof(Move* move, uint16_t proof, int score, int best) noexcept nogil:
    """Narrow the bounds of a move by the proof field of its node.

    score: of a win at the distance in the field. best: of the fastest possible win.
    """
    cdef int lower = -best
    cdef int upper = best
    if lower_of(proof) == WIN:
        lower = score
    elif upper_of(proof) == LOSS:
        upper = -score
    else:
        lower = 0 if lower_of(proof) == DRAW else lower
        upper = 0 if upper_of(proof) == DRAW else upper
    narrow(move, lower, upper)


cdef inline bint is_certain(const Move* move) noexcept nogil:
    """Whether the outcome of a move is proven."""
    return move.lower > 0 or move.upper < 0 or move.lower == move.upper


cdef inline int proven_score(const Move* move) noexcept nogil:
    """The score of a proven win or loss, 0 for all others: the higher, the better."""
    return move.lower if move.lower > 0 else min(move.upper, 0)


cdef int outcome_of(const Move* moves, int size) noexcept nogil:
    """The proven outcome of the position: LOSS, DRAW or WIN for the player to move; -1 for none."""
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


cdef void read_tree(Searcher searcher, int ply, Move* moves, int size) noexcept nogil:
    """Read bounds and statistics of the moves at the root of a tree.

    ply: discs on the board at the root. moves: of its position, in column order.
    """
    cdef Node[::1] nodes = searcher.tree.pool.nodes
    cdef NodeEstimate[::1] estimates = searcher.tree.pool.estimates
    cdef const uint16_t* short_wins = searcher.tree.pool.short_wins
    cdef const Settings* settings = &searcher.tree.settings
    cdef int cells = searcher.tree.geometry.cells
    cdef int best = win_score(cells, ply + 1)
    # other threads may grow the tree: see pool.rows
    cdef uint32_t child = acquire32(&nodes[ROOT].children)
    cdef bint has_children = child != NO_CHILDREN and child != CLAIMED and nodes[ROOT].size == size
    cdef double scores[MAX_SIDE]
    cdef double weights[MAX_SIDE]
    cdef Move* move
    cdef uint32_t visits, value_sum
    cdef uint16_t proof
    cdef double share
    cdef int i
    for i in range(size):
        scores[i] = weights[i] = 0.0
    if has_children and has_means(settings):
        rate_children(<PuctSearcher>searcher, scores, weights)
    for i in range(size):
        move = &moves[i]
        visits = 0
        share = -1.0
        move.prior = -1.0
        move.short_win = read16(&short_wins[move.column])
        if has_children:
            value_sum = acquire32(&nodes[child].value_sum)
            visits = read32(&nodes[child].visits)
            proof = read16(&nodes[child].proof)
            if settings.proofs or settings.checks:
                narrow_by_proof(move, proof, win_score(cells, ply + 1 + (proof & DISTANCE_MASK)), best)
            move.added = added(settings, child) if settings.ties == LAST_ADDED else 0
            if estimates is not None:
                move.prior = estimates[child].prior
            if has_means(settings):
                share = (estimates[child].value + 1.0) / 2.0 if visits else -1.0
            else:
                weights[i] = visits
                share = <double>value_sum / (<double>settings.win * visits) if visits else -1.0
            child += 1
        if is_certain(move):
            share = value_of_outcome(settings, WIN if move.lower > 0 else LOSS if move.upper < 0 else DRAW)
        move.visits = visits
        move.share = share
        move.score = scores[i]
        move.weight = weights[i]


cdef int list_moves(PuctSearcher searcher, const Position* position, Move* moves) noexcept nogil:
    """Fill in the legal moves at the root of a tree, in column order; returns their number.

    position: the root's, with its threats.
    """
    cdef const Geometry* geometry = &searcher.tree.geometry
    cdef bint checks = searcher.tree.settings.checks
    cdef int ply = position.ply
    cdef int player = ply & 1
    cdef int size = 0
    cdef uint64_t cell
    cdef bint wins, answers
    cdef int column
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            cell = free_cell(position, geometry, column)
            wins = checks and is_threat(position, player, cell)
            answers = checks and is_threat(position, 1 - player, cell)
            begin_move(&moves[size], column, wins, answers, ply, geometry.cells, checks)
            size += 1
    read_tree(searcher, ply, moves, size)
    return size


cdef inline void grade(Move* move, const Settings* settings, uint64_t total) noexcept nogil:
    """Write the values that the rule for the choice compares. total: visits of all moves."""
    cdef int choice = settings.choice
    cdef double exploration, margin
    move.first = move.visits
    move.second = 0.0
    if choice == VISITS:
        # moves without a visit come after the others, by their priors
        move.second = move.share if move.share >= 0.0 else move.prior - 1.0
    elif choice == HALVING:
        move.second = move.score
    elif choice != VISITS_ONLY:
        move.first = -INFINITY
        move.second = move.prior
        if move.visits > 0:
            # the exploration term of UCB1 for values in [0, 1]
            exploration = settings.exploration / (2.0 if has_means(settings) else <double>settings.win)
            margin = exploration * sqrt(ln(<double>total) / move.visits)
            move.first = move.share
            move.second = move.visits
            if choice == SECURE:
                move.first -= margin
            elif choice == UCB_SHORT_WIN:
                move.first += margin
                move.second = -<double>move.short_win if move.short_win > 0 else -INFINITY
    if settings.ties == LAST_ADDED:
        move.second = <double>(move.added >> 11)


cdef inline int compare(const Move* one, const Move* other) noexcept nogil:
    """Above 0 if the rule for the choice prefers the first of two moves, below 0 if the second, 0 otherwise."""
    if one.first != other.first:
        return 1 if one.first > other.first else -1
    return (one.second > other.second) - (one.second < other.second)


cdef void keep_draws(const Move* moves, int size, const Settings* settings, bint* kept) noexcept nogil:
    """If a move guarantees a draw, keep those that do, or those that can still win.

    The first if no move can win, or if the best-looking one that can may also lose and is valued below a draw.
    """
    cdef int best = -1
    cdef bint safe = False
    cdef int i
    for i in range(size):
        if kept[i]:
            safe = safe or moves[i].lower == 0
            if moves[i].upper > 0 and (best < 0 or compare(&moves[i], &moves[best]) > 0):
                best = i
    if not safe:
        return
    if best >= 0:
        safe = moves[best].lower < 0 and moves[best].share < value_of_outcome(settings, DRAW)
    for i in range(size):
        kept[i] = kept[i] and (moves[i].lower == 0 if safe else moves[i].upper > 0)


cdef int keep_best(Move* moves, int size, const Settings* settings, bint* kept) noexcept nogil:
    """Keep the moves that are not proven inferior to others, and grade them; returns the highest `proven_score`.

    With an immediate win or a threat to answer, only such moves; the fastest wins; moves that are not proven losses,
    see keep_draws; among losses, the longest.
    """
    cdef bint wins = False
    cdef bint answers = False
    cdef uint64_t total = 0
    cdef int highest = -LONGEST_PATH    # below every score
    cdef int longest = -LONGEST_PATH
    cdef int i
    for i in range(size):
        wins = wins or moves[i].wins
        answers = answers or moves[i].answers
    for i in range(size):
        kept[i] = moves[i].wins if wins else moves[i].answers if answers else True
        if kept[i]:
            total += moves[i].visits
            highest = max(highest, proven_score(&moves[i]))
    for i in range(size):
        if kept[i] and proven_score(&moves[i]) == highest:
            longest = max(longest, moves[i].lower)
    for i in range(size):
        kept[i] = kept[i] and proven_score(&moves[i]) == highest and (highest >= 0 or moves[i].lower == longest)
        if kept[i]:
            grade(&moves[i], settings, total)
    if settings.prove_draws and highest == 0:
        keep_draws(moves, size, settings, kept)
    return highest


cdef void temper(double* weights, int size, bint* kept, double temperature) noexcept nogil:
    """Raise the weights of the kept moves to 1 / temperature, and set the others to 0; the largest is 1.

    At temperature 0 only the largest are left. At infinity, and if all are 0, the kept moves have 1.
    """
    cdef double most = 0.0
    cdef int i
    for i in range(size):
        if kept[i]:
            most = max(most, weights[i])
    for i in range(size):
        if not kept[i]:
            weights[i] = 0.0
        elif most == 0.0 or temperature == INFINITY:
            weights[i] = 1.0
        else:
            weights[i] /= most
            weights[i] = power(weights[i], temperature) if weights[i] > 0.0 else 0.0


cdef int draw(const double* weights, int size, uint64_t random_bits) noexcept nogil:
    """A random index, with probabilities proportional to the weights, of which at least one is above 0."""
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


cdef int choose(Move* moves, int size, const Settings* settings, uint64_t random_bits) noexcept nogil:
    """Index of the move to play. random_bits: 64 of them, for temperature and ties."""
    cdef bint kept[MAX_SIDE]
    cdef double weights[MAX_SIDE]
    cdef int highest = keep_best(moves, size, settings, kept)
    cdef uint64_t total = 0
    cdef int best = -1
    cdef uint64_t ties = 0
    cdef int i, order
    if settings.temperature > 0.0 and highest <= 0:
        for i in range(size):
            total += moves[i].visits
        for i in range(size):
            weights[i] = moves[i].visits if total > 0 else moves[i].weight
        temper(weights, size, kept, settings.temperature)
        return draw(weights, size, random_bits)
    for i in range(size):
        if kept[i]:
            order = 1 if best < 0 else compare(&moves[i], &moves[best])
            if order > 0:
                best = i
                ties = 1
            elif order == 0:
                ties += 1
    if settings.ties == ANY:
        ties = (random_bits >> 32) * ties >> 32
        i = best
        while ties > 0:
            i += 1
            ties -= kept[i] and compare(&moves[i], &moves[best]) == 0
        best = i
    return best


cdef void weigh(
    const Move* moves, int size, bint proven, int chosen, double temperature, double* weights,
) noexcept nogil:
    """Write the weights of the policy at a temperature: see SearchResult.policy.

    proven: whether the outcome of the position is. chosen: the move to play.
    """
    cdef bint kept[MAX_SIDE]
    cdef int highest = proven_score(&moves[0])
    cdef int i
    for i in range(size):
        highest = max(highest, proven_score(&moves[i]))
    if proven:
        highest = proven_score(&moves[chosen])
    for i in range(size):
        weights[i] = moves[i].weight
        kept[i] = proven_score(&moves[i]) == highest
        kept[i] = kept[i] and not (proven and is_certain(&moves[i]) != is_certain(&moves[chosen]))
    temper(weights, size, kept, INFINITY if proven else temperature)


cdef class MoveList:

    def __cinit__(self, int cells, int ply, columns, wins, answers, bint checks):
        """columns: the legal ones. wins, answers: those that win at once, and that stop a threat; see begin_move."""
        cdef Move* move
        cdef int i, column
        columns = list(columns)
        between("the number of columns", len(columns), 0, MAX_SIDE)
        self.ply = ply
        self.size = <int>len(columns)
        for i in range(self.size):
            column = between("column", columns[i], 0, MAX_SIDE - 1)
            move = &self.moves[i]
            begin_move(move, column, column in wins, column in answers, ply, cells, checks)
            move.visits = move.short_win = move.added = 0
            move.score = move.weight = 0.0
            move.prior = -1.0
            move.share = -1.0

    def checked(self, i):
        """The number of a move. TypeError, ValueError."""
        return between("the number of a move", i, 0, self.size - 1)

    def narrow(self, i, int lower, int upper):
        """Narrow the bounds of a move: see narrow."""
        narrow(&self.moves[<int>self.checked(i)], lower, upper)

    def set_statistics(self, i, uint64_t visits, double share, double weight, int short_win):
        """Set the results of several searches for a move. share: see Move. weight: also breaks ties of visits."""
        cdef Move* move = &self.moves[<int>self.checked(i)]
        move.visits = visits
        move.share = share
        move.score = move.weight = weight
        move.short_win = short_win

    def read_tree(self, searcher):
        """Read a tree of the position: see read_tree."""
        read_tree(<Searcher?>searcher, self.ply, self.moves, self.size)

    def choose(self, settings, uint64_t random_bits):
        """The number of the move to play. settings: a _layout.Settings."""
        cdef Settings read = settings._asdict()
        if self.size == 0:
            raise ValueError("there are no moves: the game is over")
        return choose(self.moves, self.size, &read, random_bits)

    def rows(self):
        """For each move: column, visits, share, prior, lower, upper, short_win, weight."""
        cdef const Move* move
        cdef int i
        rows = []
        for i in range(self.size):
            move = &self.moves[i]
            known = move.column, move.visits, move.share, move.prior
            rows.append((*known, move.lower, move.upper, move.short_win, move.weight))
        return rows
