"""Exact scores by alpha-beta: null windows, forced moves played out, bounds, a transposition table.

Only quiet positions are searched, in which nobody can win at once and at least two moves don't lose at once:
`bounds.play_out` decides all others, which do not become nodes. Knuth and Moore, "An analysis of alpha-beta pruning"
(1975); null windows: Pearl, "Scout" (1980); children looked up before the first is searched: Plaat, "Research re:
search & re-search" (1996), enhanced transposition cutoffs.
"""

from .bounds import DECIDED, NO_WINDOW, QUIET, WORST, Situation, make, play_out
from .cells import lines, mirror, winning_cells
from .ordering import (
    FROM_TABLE,
    RANKED_AFTER,
    RANKED_EMPTY,
    Ordering,
    expected,
    forget,
    learnt,
    rank,
    record,
    replies_to,
    sort,
    stage_of,
)
from .poll import ask_if_due
from .table import column_of, grow, lower_of, probe, scramble, store, upper_of

NEVER = (1 << 64) - 1  # more nodes than are ever searched
TABLE_EMPTY = 8  # with fewer empty cells searching is faster than looking up
LOOK_AHEAD_EMPTY = 12  # with more empty cells all children are looked up before one is searched
GROW_AFTER = 32  # nodes of one search for each bucket of the table, after which it grows
SAME_EMPTY = 18  # with at least this many, mirror images and positions that differ in dead discs share a key
GLANCE_EMPTY = 24  # with fewer empty cells there is no glance
GLANCE_BITS = 12  # logarithm of the most nodes of a glance
NO_MOVE = 31  # in the table: no column


class Task:
    """A search by the solver: its rules, its memory and its limits."""

    __slots__ = (
        "best",
        "budget",
        "column",
        "geometry",
        "glancing",
        "next_check",
        "next_growth",
        "next_poll",
        "nodes",
        "ordering",
        "poll",
        "poll_interval",
        "ranked_from",
        "stopped",
        "table",
    )

    def __init__(self, geometry, table, poll_interval):
        self.geometry = geometry
        self.table = table
        self.ordering = Ordering(geometry)
        self.best = 0  # score of the best move so far, for the player to move, in search_moves
        self.column = -1  # the column of that move
        self.nodes = 0  # searched so far
        self.budget = 0  # value of `nodes` at which to stop
        self.next_poll = 0  # value of `nodes` at which to ask the poll
        self.next_growth = 0  # value of `nodes` at which the table grows
        self.next_check = 0  # the least of the three
        self.ranked_from = 0  # value of `nodes` from which learned weights rank the moves, see ordering
        self.poll_interval = poll_interval  # nodes from one such call to the next, at most
        self.poll = None  # once halted, stops this and all later searches until the next poll.begin
        self.glancing = False  # whether the search is a glance, whose moves are not stored
        self.stopped = False  # whether this search was stopped and has no result


def find_key(task, situation):
    """Find the position's scrambled key, if it is for the table, and whether it belongs to its mirror image.

    Dead discs of the player to move, which can no longer be part of a line, count as the opponent's, unless that opens
    a line for the opponent: the score is the same, so the key is shared.
    """
    geometry = task.geometry
    if geometry.cells - situation.ply < TABLE_EMPTY:
        return
    own = situation.own
    mask = own | situation.other
    empty = geometry.board & ~mask
    same = geometry.cells - situation.ply >= SAME_EMPTY
    situation.flipped = False
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
    situation.code = scramble(task.table, key)


def growth_of(task):
    """Value of `nodes` at which the table is too small for the search that continues from here.

    Measured: larger tables save few nodes and lose more in cache misses.
    """
    return task.nodes + (GROW_AFTER << task.table.bits) if task.table.bits < task.table.max_bits else NEVER


def must_stop(task):
    """Whether to stop: the budget is spent, or `poll` says so. Lets the table grow when it is due."""
    if task.nodes >= task.next_growth:
        grow(task.table, task.poll)
        task.next_growth = growth_of(task)
    if task.nodes >= task.next_poll:
        task.next_poll = task.nodes + min(task.poll_interval, 1 + task.nodes // 64)
        ask_if_due(task.poll)
    task.next_check = min(task.budget, task.next_poll, task.next_growth)
    task.stopped = task.stopped or task.poll.halted or task.nodes >= task.budget
    return task.stopped


def run(search):
    """Run a search, a generator that yields the searches it depends on; returns its result.

    The searches are kept in a list, because a recursion as deep as a game on hundreds of cells is too deep for Python.
    """
    searches = [search]
    result = None
    while searches:
        try:
            searches.append(searches[-1].send(result))
            result = None
        except StopIteration as end:
            searches.pop()
            result = end.value
    return result


def search(task, situation, alpha):
    """A bound of a quiet position's score: a lower one if it is above alpha, otherwise an upper one; 0 once stopped.

    Scores are for the player to move. The position's key must have been found, if it is to be in the table.
    """
    geometry = task.geometry
    empty = geometry.cells - situation.ply
    lower = -WORST
    upper = WORST
    first = -1
    if task.nodes >= task.next_check and must_stop(task):
        return 0
    task.nodes += 1
    start = task.nodes
    if empty >= TABLE_EMPTY:
        entry = probe(task.table, situation.code)
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
    score = yield from search_moves(task, situation, alpha, first, empty > LOOK_AHEAD_EMPTY)
    if task.stopped:
        return 0
    if score > alpha:
        score = lower = max(score, lower)
    else:
        score = upper = min(score, upper)
    if empty >= TABLE_EMPTY:
        column = geometry.width - 1 - task.column if situation.flipped else task.column
        column = NO_MOVE if task.glancing else column
        store(task.table, situation.code, lower, upper, column, logarithm(task.nodes - start + 1))
    return score


def logarithm(n):
    """Logarithm of n >= 1 to the base 2, rounded down, at most 31."""
    return min(n.bit_length() - 1, 31)


def search_moves(task, situation, alpha, first, look_ahead):
    """The best score of the moves, or the first above alpha; leaves its column in task.column.

    first: the column to search first, -1 for none. look_ahead: whether to look up all children before searching one.
    """
    children = []
    replies = replies_to(task.ordering, situation)
    stage = stage_of(task.ordering, situation)
    task.best = -WORST
    moves = situation.moves
    while moves:
        cell = moves & -moves
        moves ^= cell
        child = Situation()
        if open_child(task, situation, child, cell, alpha, first) == QUIET:
            child.order += learnt(replies, stage, child)
            children.append(child)
        elif is_cutoff(task, child, alpha):
            return task.best
        if look_ahead:
            find_key(task, child)
    waiting = []
    for child in children:
        if not (look_ahead and is_known(task, child, alpha)):
            waiting.append(child)
        elif is_cutoff(task, child, alpha):
            return task.best
    best = task.best
    best_column = task.column
    sort(waiting, 0, len(waiting))
    first_ranked = -1
    if task.nodes >= task.ranked_from and task.geometry.cells - situation.ply >= RANKED_EMPTY:
        first_ranked = 1 if waiting and waiting[0].order >= FROM_TABLE // 2 else 0  # only if that move does not cut off
    for i in range(len(waiting)):
        if i == first_ranked and len(waiting) - i > 1:
            rank(task.ordering, situation, waiting, i, len(waiting), replies, stage)
        child = waiting[i]
        if not look_ahead:
            find_key(task, child)
        score = (yield search(task, child, alpha)) if child.sign > 0 else -(yield search(task, child, -alpha - 1))
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


def is_cutoff(task, child, alpha):
    """Record the score of a child whose bounds are decided; true if it is above alpha: the other moves don't matter."""
    score = child.lower if child.lower > alpha else child.upper
    if score > task.best:
        task.best = score
        task.column = child.column
    return score > alpha


def open_child(task, situation, child, cell, alpha, first):
    """Play the move into a cell and the forced moves after it; QUIET or DECIDED, see play_out.

    The child's bounds and sign are converted to the point of view of the parent's player to move.
    """
    child.own = situation.own
    child.other = situation.other
    child.own_wins = situation.own_wins
    child.other_wins = situation.other_wins
    child.ply = situation.ply
    child.cell = cell.bit_length() - 1
    child.column = child.cell // (task.geometry.height + 1)
    make(child, task.geometry, cell)
    child.order = FROM_TABLE if child.column == first else expected(task.ordering, task.geometry, child)
    state = play_out(child, task.geometry, -alpha - 1)
    child.lower, child.upper = -child.upper, -child.lower
    child.sign = -child.sign
    return state


def is_known(task, child, alpha):
    """Whether the table decides a child: then its bounds are set."""
    if task.geometry.cells - child.ply < TABLE_EMPTY:
        return False
    entry = probe(task.table, child.code)
    if not entry:
        return False
    lower = lower_of(entry) if child.sign > 0 else -upper_of(entry)
    upper = upper_of(entry) if child.sign > 0 else -lower_of(entry)
    if lower <= alpha < upper:
        return False
    child.lower = lower
    child.upper = upper
    return True


def glance(task, situation, low, high):
    """Narrow the bounds of a position, for its player to move, by short wins and losses; low, high: see find_bounds.

    Null windows at the top and at the bottom of the bounds in turn, for a few percent of the nodes of most searches: a
    win that must be near takes few. Other windows have other best moves, so they are not remembered.
    """
    empty = task.geometry.cells - situation.ply
    budget = task.budget
    at_top = False
    least = max(situation.lower, low)
    most = min(situation.upper, high)
    task.glancing = True
    task.ranked_from = NEVER
    task.budget = min(budget, task.nodes + (1 << min(6 + 3 * (empty - GLANCE_EMPTY) // 4, GLANCE_BITS)))
    while least < most and (least < -1 or most > 1):
        at_top = most > 1 and not (at_top and least < -1)
        alpha = most - 1 if at_top else least
        score = run(search(task, situation, alpha))
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
    task.stopped = False  # the next node looks at the limits of the whole search
    task.next_check = 0
    forget(task.ordering)


def find_bounds(task, situation, own, mask, low, high):
    """Store bounds of a position's score in the situation; own: discs of the player to move, mask: all discs.

    They are equal, or both at least `high`, or both at most `low`; wider if the search was stopped. Even with a forged
    table, they lie within the bounds that play_out finds.
    """
    task.stopped = False
    task.next_check = 0
    task.next_growth = growth_of(task)
    forget(task.ordering)  # otherwise earlier searches would affect this one not only through the table
    situation.own = own
    situation.other = own ^ mask
    situation.own_wins = winning_cells(own, task.geometry) & ~mask
    situation.other_wins = winning_cells(own ^ mask, task.geometry) & ~mask
    situation.ply = mask.bit_count()
    situation.latest = 1 << task.geometry.height
    if play_out(situation, task.geometry, NO_WINDOW) == DECIDED:
        return
    sign = situation.sign
    lower = sign * (situation.lower if sign > 0 else situation.upper)
    upper = sign * (situation.upper if sign > 0 else situation.lower)
    if sign < 0:
        low, high = -high, -low
    find_key(task, situation)
    if high - low > 1 and task.geometry.cells - situation.ply >= GLANCE_EMPTY:
        situation.lower = lower
        situation.upper = upper
        glance(task, situation, low, high)
        lower = situation.lower
        upper = situation.upper
    task.ranked_from = NEVER if task.ordering.network is None else task.nodes + RANKED_AFTER
    alpha = 0
    while lower < upper and lower < high and upper > low:
        alpha = min(max(alpha, lower, low), upper - 1, high - 1)
        score = run(search(task, situation, alpha))
        if task.stopped:
            break
        if score > alpha:
            lower = alpha = min(score, upper)
        else:
            upper = max(score, lower)
            alpha = upper - 1
    situation.lower = lower if sign > 0 else -upper
    situation.upper = upper if sign > 0 else -lower


def plies_of(score, empty):
    """Plies to the end of a game with this score, not 0, for the player to move, with `empty` empty cells."""
    last = empty + 2 - 2 * abs(score)  # or one less: scores are rounded
    return last - (last % 2 != (score > 0))
