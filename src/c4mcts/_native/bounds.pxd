"""Bounds of a position's score without a search: forced moves are played out, and the score is bounded.

Scores are Pascal Pons': a game that ends with n discs on the board counts (cells + 2 - n) / 2, rounded down, for the
winner, 0 for a draw. Sets of cells are laid out as in cells.
"""

from .cells cimport Cells, Geometry, count_cells, has_line, is_odd, left, line_starts, right, winning_cells

cdef enum:
    DECIDED             # results of play_out
    QUIET
    WORST = 63          # above every score
    NO_WINDOW = 1000    # as alpha: no window


cdef struct Situation:
    # A position of the solver, and its known bounds.
    Cells own               # discs of the player to move
    Cells other             # discs of the other player
    Cells own_wins          # empty cells that complete a line of the player to move
    Cells other_wins        # empty cells that complete a line of the other player
    Cells moves             # free cells in which a disc does not lose at once
    Cells code              # its scrambled key, see table.pxd
    Cells latest            # the cell of the latest disc; a cell above the board if it is not known
    int ply                 # number of discs
    int lower               # bounds of the score, for the player given by `sign`
    int upper
    int sign                # 1: the bounds are for the player to move; -1: for the other player
    int cell                # index of the cell of the move that led here, before the forced moves
    int column              # the column of that move
    int chances             # starts of lines that the player to move may complete if the opponent follows up
    int order               # the higher, the earlier the position is searched
    bint flipped            # whether the key belongs to the mirror image


cdef inline int win_score(int cells, int end) noexcept nogil:
    """Score of a win that leaves `end` discs on a board of `cells` cells: see _layout."""
    return cells + 2 - end >> 1


cdef inline int follow_up_loss(
    const Situation* situation, const Geometry* geometry, Cells threats, Cells cut, Cells sure,
) noexcept nogil:
    """Upper bound of the score of the leader, the player to move: 0, or the score of the latest loss they can force.

    threats: winning cells that the follower will get, at most one per column. cut: the cells above them. sure: every
    cell that the follower will get.
    """
    cdef int rows
    if threats:
        # at the leader's last turn a column with a threat is filled at most up to two below it
        return -win_score(geometry.cells, geometry.cells + 2 - count_cells(cut) - 2 * count_cells(threats))
    if not has_line(situation.other | sure, geometry):
        return 0
    rows = 1 if geometry.height & 1 else 2      # the lowest rows in which the follower gets a line
    while not has_line(situation.other | sure & (geometry.bottom << rows) - geometry.bottom, geometry):
        rows += 2
    return -win_score(geometry.cells, geometry.cells - geometry.height + rows)


cdef inline int follow_up_bound(Situation* situation, const Geometry* geometry, int upper) noexcept nogil:
    """Claimeven bound, for an opponent who always answers in the same column; _pure.bounds explains it."""
    cdef Cells guard = left(geometry.top, 1)
    cdef Cells last = geometry.follow_up
    cdef Cells mask = situation.own | situation.other
    cdef Cells empty = geometry.board & ~mask
    cdef Cells odd = (mask + geometry.bottom) & last     # free cells of columns with an odd number of empty cells
    cdef Cells wins = situation.other_wins
    # guard - s is, in each column that has a cell in s (at most one), that cell and all above it
    cdef Cells threats = wins & (guard - odd) & ~last
    cdef Cells good = 0      # whole columns
    cdef Cells tops, rest, contested, spare, column, cut, lead, starts, one, two
    if threats:
        threats &= guard - threats
        tops = (guard - threats) & geometry.top
        good = left(tops, 1) - (tops >> (geometry.height - 1 & 63))
    rest = wins & last & ~good & ~odd
    threats |= rest & (guard - rest)
    contested = odd & ~good
    if is_odd(contested):
        spare = odd & good
        spare &= ~spare + 1
        column = (guard - spare) & geometry.board if spare else 0
        good &= ~column
        contested |= spare
        rest = wins & last & column & ~odd
        threats = threats & ~column | rest & (guard - rest)
    cut = (guard - threats) & geometry.board & ~threats     # above a threat
    lead = situation.own | contested | empty & ~cut & (last ^ ~good)
    starts = line_starts(lead, geometry)
    situation.chances = count_cells(starts)
    if is_odd(contested):
        return upper
    if starts:
        one = contested & ~contested + 1
        two = contested ^ one
        if two == 0 or two & (two - 1):
            return upper
        # of a single pair the leader gets only one
        if has_line(lead & ~one, geometry) or has_line(lead & ~two, geometry):
            return upper
    return min(upper, follow_up_loss(situation, geometry, threats, cut, empty & last & ~odd))


cdef inline void tighten(Situation* situation, const Geometry* geometry, int alpha) noexcept nogil:
    """Tighten the bounds of a position in which nobody can win in the next two plies.

    Bounds that can't affect a search around `alpha`, for the player to move, may be skipped.
    """
    cdef Cells empty = geometry.board & ~(situation.own | situation.other)
    cdef int upper = win_score(geometry.cells, situation.ply + 3) if situation.ply + 3 <= geometry.cells else 0
    cdef int lower = -win_score(geometry.cells, situation.ply + 4) if situation.ply + 4 <= geometry.cells else 0
    # a player who can no longer complete a line does not win
    if upper > 0 and alpha >= 0 and not has_line(situation.own | empty, geometry):
        upper = 0
    if lower < 0 and alpha < 0 and not has_line(situation.other | empty, geometry):
        lower = 0
    upper = follow_up_bound(situation, geometry, upper)
    if situation.sign < 0:
        lower, upper = -upper, -lower
    situation.lower = max(situation.lower, lower)
    situation.upper = min(situation.upper, upper)


cdef inline void make(Situation* situation, const Geometry* geometry, Cells cell) noexcept nogil:
    """Put a disc of the player to move into a free cell and pass the turn."""
    cdef Cells own = situation.own | cell
    situation.latest = cell
    situation.own = situation.other
    situation.other = own
    situation.own_wins = situation.other_wins & ~cell
    situation.other_wins = winning_cells(own, geometry) & ~(situation.own | own)
    situation.ply += 1


cdef inline int play_out(Situation* situation, const Geometry* geometry, int alpha) noexcept nogil:
    """Play forced moves until two moves don't lose at once (QUIET) or the bounds decide the window (DECIDED).

    The window is [alpha, alpha + 1]: the bounds show on which side of it the score is. alpha, like the bounds, is for
    the player to move at the start. NO_WINDOW as alpha: play on as long as moves are forced, and tighten the bounds as
    far as possible.
    """
    cdef Cells free, answers, moves
    cdef int window, score
    situation.sign = 1
    situation.lower = -WORST
    situation.upper = WORST
    while True:
        free = (situation.own | situation.other) + geometry.bottom & geometry.board
        answers = situation.other_wins & free
        moves = free & ~right(situation.other_wins, 1)
        if answers:
            moves &= answers if answers & (answers - 1) == 0 else 0
        if situation.own_wins & free or free == 0 or moves == 0:
            break
        window = 0 if alpha == NO_WINDOW else alpha if situation.sign > 0 else -alpha - 1
        tighten(situation, geometry, window)
        if alpha != NO_WINDOW and (situation.lower > alpha or situation.upper <= alpha):
            return DECIDED
        if moves & (moves - 1):
            situation.moves = moves
            return QUIET
        make(situation, geometry, moves)
        situation.sign = -situation.sign
    score = 0
    if situation.own_wins & free:
        score = win_score(geometry.cells, situation.ply + 1)
    elif free:
        score = -win_score(geometry.cells, situation.ply + 2)
    situation.lower = situation.upper = situation.sign * score
    return DECIDED
