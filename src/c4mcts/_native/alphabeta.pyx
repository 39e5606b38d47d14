"""Exact scores by alpha-beta: null windows, forced moves played out, bounds, a transposition table.

Only quiet positions are searched, in which nobody can win at once and at least two moves don't lose at once:
`bounds.play_out` decides all others, which do not become nodes. Knuth and Moore, "An analysis of alpha-beta pruning"
(1975); null windows: Pearl, "Scout" (1980); children looked up before the first is searched: Plaat, "Research re:
search & re-search" (1996), enhanced transposition cutoffs.
"""

from libc cimport stdlib
from libc.stdint cimport int16_t, uint64_t

from c4mcts._native.atomics cimport read32, write64
from c4mcts._native.poll cimport Poll, ask_if_due

from .bounds cimport DECIDED, NO_WINDOW, QUIET, WORST, Situation, make, play_out
from .cells cimport Cells, Geometry, count_cells, lines, lowest_cell, mirror, winning_cells
from .ordering cimport (
    FROM_TABLE, RANKED_AFTER, RANKED_EMPTY, expected, forget, learnt, rank, record, replies_to, sort, stage_of,
)
from .sharing cimport agree, claim, enter, find_decided, is_busy, leave
from .table cimport bucket_of, column_of, grow, lower_of, prefetch, probe, scramble, store, touch, upper_of

cdef uint64_t NEVER = ~<uint64_t>0    # more nodes than are ever searched

cdef enum:
    TABLE_EMPTY = 8         # with fewer empty cells searching is faster than looking up
    LOOK_AHEAD_EMPTY = 12   # with more empty cells all children are looked up before one is searched
    GROW_AFTER = 32         # nodes of one search for each bucket of the table, after which it grows
    SAME_EMPTY = 18         # with at least this many, mirror images and positions that differ in dead discs share a key
    SHARE_EMPTY = 18        # with more empty cells threads note their positions, and postpone what others note
    GLANCE_EMPTY = 24       # with fewer empty cells there is no glance
    GLANCE_BITS = 12        # logarithm of the most nodes of a glance
    NO_MOVE = 31            # in the table: no column


cdef int allocate(Task* task) except -1:
    """Get memory for the positions of a search; the stack of a thread may be too small for them."""
    cdef size_t count = task.geometry.cells * task.geometry.width
    task.children = <Situation*>stdlib.malloc(count * sizeof(Situation))
    task.waiting = <Situation**>stdlib.malloc(count * sizeof(Situation*))
    if task.children == NULL or task.waiting == NULL:
        release(task)
        raise MemoryError(f"no memory for {count} positions")
    return 0


cdef void release(Task* task) noexcept:
    """Free the memory that `allocate` got."""
    stdlib.free(task.children)
    stdlib.free(task.waiting)
    task.children = NULL
    task.waiting = NULL


cdef inline void find_key(Task* task, Situation* situation) noexcept nogil:
    """Find the position's scrambled key, if it is for the table, and whether it belongs to its mirror image.

    Dead discs of the player to move, which can no longer be part of a line, count as the opponent's, unless that opens
    a line for the opponent: the score is the same, so the key is shared.
    """
    cdef const Geometry* geometry = &task.geometry
    cdef Cells own = situation.own
    cdef Cells mask = own | situation.other
    cdef Cells empty = geometry.board & ~mask
    cdef bint same = geometry.cells - situation.ply >= SAME_EMPTY
    cdef Cells dead, key, image
    situation.flipped = False
    if geometry.cells - situation.ply < TABLE_EMPTY:
        return
    if same:
        dead = own & ~lines(own | empty, geometry)
        if dead:
            own &= ~(dead & ~lines(situation.other | dead | empty, geometry))
    key = own | mask + geometry.bottom
    if same:
        image = mirror(key, geometry)
        if image < key:
            key = image
            situation.flipped = True
    situation.code = scramble(&task.table, key)
    prefetch(bucket_of(&task.table, situation.code))


cdef uint64_t growth_of(const Task* task) noexcept nogil:
    """Value of `nodes` at which the table is too small for the search that continues from here.

    Measured: larger tables save few nodes and lose more in cache misses. For a shared table `team` decides.
    """
    if task.shared != NULL or task.table.bits == task.table.max_bits:
        return NEVER
    return task.nodes + (<uint64_t>GROW_AFTER << task.table.bits)


cdef bint must_stop(Task* task) noexcept nogil:
    """Whether to stop: the budget is spent, `poll` says so, other threads wait, or this work has become unnecessary.

    Lets the table grow when it is due.
    """
    if task.nodes >= task.next_growth:
        grow(&task.table, <Poll>task.poll)
        task.next_growth = growth_of(task)
    if task.nodes >= task.next_poll:
        # often at first: while the system has yet to provide the table's memory, a node can take several milliseconds
        task.next_poll = task.nodes + min(task.poll_interval, 1 + task.nodes // 64)
        if task.poll != NULL:
            ask_if_due(<Poll>task.poll)
    if task.shared != NULL:
        write64(&task.reported, task.nodes)
        if task.nodes >= task.budget:
            task.budget = task.nodes + claim(task.shared)
    task.next_check = min(task.budget, task.next_poll, task.next_growth)
    task.stopped = task.stopped or read32(task.halted) or task.nodes >= task.budget
    task.stopped = task.stopped or task.others_wait != NULL and read32(task.others_wait)
    task.stopped = task.stopped or is_overtaken(task)
    task.stopped = task.stopped or task.shared != NULL and find_decided(&task.path, &task.table)
    return task.stopped


cdef inline bint is_overtaken(const Task* task) noexcept nogil:
    """Whether another thread has finished the window that this one is searching."""
    return task.shared != NULL and read32(&task.shared.bounds) != task.window


cdef inline bint is_shared(const Task* task, const Situation* situation) noexcept nogil:
    """Whether threads note that they search the position: only large searches are worth it."""
    return task.shared != NULL and task.geometry.cells - situation.ply > SHARE_EMPTY


cdef int search(Task* task, const Situation* situation, int alpha) noexcept nogil:
    """A bound of a quiet position's score: a lower one if it is above alpha, otherwise an upper one; 0 once stopped.

    Scores are for the player to move. The position's key must have been found, if it is to be in the table.
    """
    cdef const Geometry* geometry = &task.geometry
    cdef int empty = geometry.cells - situation.ply
    cdef int lower = -WORST
    cdef int upper = WORST
    cdef int first = -1
    cdef uint64_t start, entry
    cdef int score, column
    if task.nodes >= task.next_check:
        if empty >= TABLE_EMPTY:
            touch(&task.table, situation.code)
        if must_stop(task):
            return 0
    task.nodes += 1
    start = task.nodes
    if empty >= TABLE_EMPTY:
        entry = probe(&task.table, situation.code)
        if entry:
            lower = lower_of(entry)
            upper = upper_of(entry)
            if lower > alpha:
                return lower
            if upper <= alpha:
                return upper
            first = column_of(entry)
            if situation.flipped:
                first = geometry.width - 1 - first
    score = search_moves(task, situation, alpha, first, empty > LOOK_AHEAD_EMPTY)
    if task.stopped:
        return 0
    if score > alpha:
        score = lower = max(score, lower)
    else:
        score = upper = min(score, upper)
    if empty >= TABLE_EMPTY:
        column = geometry.width - 1 - task.column if situation.flipped else task.column
        column = NO_MOVE if task.glancing else column
        store(&task.table, situation.code, lower, upper, column, logarithm(task.nodes - start + 1))
    return score


cdef inline int search_noted(Task* task, const Situation* situation, int alpha) noexcept nogil:
    """`search`, with a note for other threads. Ends early if one of them decides the position, with that result."""
    cdef int score
    if not is_shared(task, situation):
        return search(task, situation, alpha)
    while True:
        enter(task.shared, &task.path, situation.code, alpha)
        score = search(task, situation, alpha)
        leave(task.shared, &task.path)
        if not task.stopped or task.path.decided != task.path.length:
            return score
        task.stopped = False        # only this search: the next one finds the result in the table
        task.path.decided = -1


cdef inline int logarithm(uint64_t n) noexcept nogil:
    """Logarithm of n >= 1 to the base 2, rounded down, at most 31."""
    cdef int result = 0
    while n >> 1 and result < 31:
        n >>= 1
        result += 1
    return result


cdef int search_moves(Task* task, const Situation* situation, int alpha, int first, bint look_ahead) noexcept nogil:
    """The best score of the moves, or the first above alpha; leaves its column in task.column.

    first: the column to search first, -1 for none. look_ahead: whether to look up all children before searching one.
    """
    cdef Situation* children = &task.children[situation.ply * task.geometry.width]
    cdef Situation** waiting = &task.waiting[situation.ply * task.geometry.width]
    cdef Situation* child
    cdef int16_t* replies = replies_to(&task.ordering, situation)
    cdef int16_t* stage = stage_of(&task.ordering, situation)
    cdef Cells moves = situation.moves
    cdef Cells cell
    cdef int n = 0
    cdef int n_waiting = 0
    cdef int best, best_column, score, i
    cdef int first_ranked = -1
    task.best = -WORST
    while moves:
        cell = moves & ~moves + 1
        moves ^= cell
        child = &children[n]
        if open_child(task, situation, child, cell, alpha, first) == QUIET:
            child.order += learnt(replies, stage, child)
            n += 1
        elif is_cutoff(task, child, alpha):
            return task.best
        if look_ahead:
            find_key(task, child)
    for i in range(n):
        child = &children[i]
        if not (look_ahead and is_known(task, child, alpha)):
            waiting[n_waiting] = child
            n_waiting += 1
        elif is_cutoff(task, child, alpha):
            return task.best
    best = task.best
    best_column = task.column
    sort(waiting, 0, n_waiting)
    if task.nodes >= task.ranked_from and task.geometry.cells - situation.ply >= RANKED_EMPTY:
        first_ranked = n_waiting > 0 and waiting[0].order >= FROM_TABLE // 2    # only if that move does not cut off
    for i in range(n_waiting):
        if i == first_ranked and n_waiting - i > 1:
            if task.observe != NULL:
                task.observe(task, situation, alpha, waiting + i, n_waiting - i)
            rank(&task.ordering, situation, waiting, i, n_waiting, replies, stage)
        if i > 0 and is_shared(task, situation):
            prefer_idle(task, waiting + i, n_waiting - i)
        child = waiting[i]
        if not look_ahead:
            find_key(task, child)
        score = search_noted(task, child, alpha) if child.sign > 0 else -search_noted(task, child, -alpha - 1)
        if task.stopped:
            return 0
        if score > best:
            best = score
            best_column = child.column
        if score > alpha:
            record(replies, waiting, i)
            record(stage, waiting, i)
            break
    task.column = best_column
    return best


cdef void prefer_idle(Task* task, Situation** waiting, int n) noexcept nogil:
    """Move the first position that no other thread is searching to the front, if there is one."""
    cdef Situation* chosen
    cdef int place = 0
    while place < n and is_shared(task, waiting[place]) and is_busy(task.shared, waiting[place].code):
        place += 1
    if place < n:
        chosen = waiting[place]
        while place > 0:
            waiting[place] = waiting[place - 1]
            place -= 1
        waiting[0] = chosen


cdef inline bint is_cutoff(Task* task, const Situation* child, int alpha) noexcept nogil:
    """Record the score of a child whose bounds are decided; true if it is above alpha: the other moves don't matter."""
    cdef int score = child.lower if child.lower > alpha else child.upper
    if score > task.best:
        task.best = score
        task.column = child.column
    return score > alpha


cdef inline int open_child(
    Task* task, const Situation* situation, Situation* child, Cells cell, int alpha, int first,
) noexcept nogil:
    """Play the move into a cell and the forced moves after it; QUIET or DECIDED, see play_out.

    The child's bounds and sign are converted to the point of view of the parent's player to move.
    """
    cdef int state
    child.own = situation.own
    child.other = situation.other
    child.own_wins = situation.own_wins
    child.other_wins = situation.other_wins
    child.ply = situation.ply
    child.cell = lowest_cell(cell)
    child.column = child.cell // (task.geometry.height + 1)
    make(child, &task.geometry, cell)
    child.order = FROM_TABLE if child.column == first else expected(&task.ordering, &task.geometry, child)
    state = play_out(child, &task.geometry, -alpha - 1)
    child.lower, child.upper = -child.upper, -child.lower
    child.sign = -child.sign
    return state


cdef inline bint is_known(Task* task, Situation* child, int alpha) noexcept nogil:
    """Whether the table decides a child: then its bounds are set."""
    cdef uint64_t entry
    cdef int lower, upper
    if task.geometry.cells - child.ply < TABLE_EMPTY:
        return False
    entry = probe(&task.table, child.code)
    if not entry:
        return False
    lower = lower_of(entry) if child.sign > 0 else -upper_of(entry)
    upper = upper_of(entry) if child.sign > 0 else -lower_of(entry)
    if lower <= alpha < upper:
        return False
    child.lower = lower
    child.upper = upper
    return True


cdef void glance(Task* task, Situation* situation, int low, int high) noexcept nogil:
    """Narrow the bounds of a position, for its player to move, by short wins and losses; low, high: see find_bounds.

    Null windows at the top and at the bottom of the bounds in turn, for a few percent of the nodes of most searches: a
    win that must be near takes few. Other windows have other best moves, so they are not remembered.
    """
    cdef int empty = task.geometry.cells - situation.ply
    cdef uint64_t budget = task.budget
    cdef bint at_top = False
    cdef int least = max(situation.lower, low)
    cdef int most = min(situation.upper, high)
    cdef int alpha, score
    task.glancing = True
    task.ranked_from = NEVER
    task.budget = min(budget, task.nodes + (<uint64_t>1 << min(6 + 3 * (empty - GLANCE_EMPTY) // 4, GLANCE_BITS)))
    while least < most and (least < -1 or most > 1):
        at_top = most > 1 and not (at_top and least < -1)
        alpha = most - 1 if at_top else least
        score = search(task, situation, alpha)
        if task.stopped:
            break
        if score > alpha:
            situation.lower = min(score, situation.upper)
        else:
            situation.upper = max(score, situation.lower)
        least = max(situation.lower, low)
        most = min(situation.upper, high)
    task.glancing = False
    task.budget = budget
    task.stopped = False        # the next node looks at the limits of the whole search
    task.next_check = 0
    forget(&task.ordering)


cdef void find_bounds(Task* task, Situation* situation, Cells own, Cells mask, int low, int high) noexcept nogil:
    """Store bounds of a position's score in the situation; own: discs of the player to move, mask: all discs.

    They are equal, or both at least `high`, or both at most `low`; wider if the search was stopped. Even with a forged
    table, they lie within the bounds that play_out finds.
    """
    cdef int sign, lower, upper, alpha, score
    task.stopped = False
    task.path.length = 0
    task.path.decided = -1
    task.next_check = 0
    task.next_growth = growth_of(task)
    forget(&task.ordering)      # otherwise earlier searches would affect this one not only through the table
    situation.own = own
    situation.other = own ^ mask
    situation.own_wins = winning_cells(own, &task.geometry) & ~mask
    situation.other_wins = winning_cells(own ^ mask, &task.geometry) & ~mask
    situation.ply = count_cells(mask)
    situation.latest = <Cells>1 << task.geometry.height
    if play_out(situation, &task.geometry, NO_WINDOW) == DECIDED:
        return
    sign = situation.sign
    lower = sign * (situation.lower if sign > 0 else situation.upper)
    upper = sign * (situation.upper if sign > 0 else situation.lower)
    if sign < 0:
        low, high = -high, -low
    find_key(task, situation)
    if task.shared == NULL and high - low > 1 and task.geometry.cells - situation.ply >= GLANCE_EMPTY:
        situation.lower = lower
        situation.upper = upper
        glance(task, situation, low, high)
        lower = situation.lower
        upper = situation.upper
    task.ranked_from = NEVER if task.ordering.network == NULL else task.nodes + RANKED_AFTER
    alpha = 0
    while lower < upper and lower < high and upper > low:
        alpha = min(max(alpha, lower, low), upper - 1, high - 1)
        score = search_noted(task, situation, alpha)
        if task.stopped and not is_overtaken(task):
            break
        if task.stopped:
            task.stopped = False    # the window is done, not the search
            task.next_check = 0
        elif score > alpha:
            lower = alpha = min(score, upper)
        else:
            upper = max(score, lower)
            alpha = upper - 1
        if task.shared != NULL:
            agree(task.shared, &task.window, &lower, &upper)
    situation.lower = lower if sign > 0 else -upper
    situation.upper = upper if sign > 0 else -lower


cdef int plies_of(int score, int empty) noexcept nogil:
    """Plies to the end of a game with this score, not 0, for the player to move, with `empty` empty cells."""
    cdef int last = empty + 2 - 2 * abs(score)   # or one less: scores are rounded
    return last - (last % 2 != (score > 0))
