"""The rule that ends the branches of a proof: the player who has just moved answers each disc by the rule from now on.

The player to move is the *leader*, the other one the *follower*; _pure.follow_up explains the rule.
"""

from .cells cimport CELL_BITS, Cells, Geometry, count_cells, has_line, is_odd, lowest_cell, winning_cells

cdef enum:
    MAX_CHOICES = 6     # columns with two plans that the rule looks at
    MAX_CONTESTED = 6   # contested cells, at most; above that the rule is not applied
    MAX_LINES = 256     # more than there are on a board of 64 bits


cdef struct Plan:
    # What happens in a column if the follower always answers above the leader's disc.
    Cells contested     # the lowest empty cell, if it is answered in another column, else 0
    Cells leads         # cells that the leader may get
    Cells sure          # cells that the follower gets once the column is full
    bint fits           # whether the follower has an answer to each disc of the leader
    bint wins           # whether the last of `sure` completes a line of the follower


cdef struct Choices:
    # The plans of columns that have two: in the first the lowest empty cell has a pair, in the second it is contested.
    Plan plans[MAX_CHOICES][2]
    int count


cdef struct Lines:
    Cells cells[MAX_LINES]
    int count


cdef inline void make_plan(Plan* plan, Cells lowest, Cells column, Cells wins, bint contested) noexcept nogil:
    """The plan for a column. lowest: its lowest empty cell. wins: empty cells that complete a line of the follower.

    contested: whether the lowest cell is. Above it, cells are taken in pairs, the lower one by the leader, the upper
    one by the follower. If that completes a line, the game ends there. Otherwise no cell may be left without a pair.
    """
    cdef Cells cell = lowest << 1 if contested else lowest
    plan.contested = lowest if contested else 0
    plan.leads = plan.contested
    plan.sure = 0
    plan.wins = False
    while cell & column and cell << 1 & column and not plan.wins:
        plan.leads |= cell
        plan.sure |= cell << 1
        plan.wins = cell << 1 & wins != 0
        cell <<= 2
    plan.fits = plan.wins or cell & column == 0


cdef inline bint comes_late(
    Cells line, Cells follower, Cells sure, Cells contested, Cells mask, const Geometry* geometry,
) noexcept nogil:
    """Whether the follower has a line before the leader completes this one.

    sure: cells that the follower gets once their columns are full. When the leader plays the last cell of the line, the
    follower has those that are below a cell of the line, and has answered all discs in the line but the last.
    """
    cdef int stride = geometry.height + 1
    cdef Cells played = line & ~mask
    cdef Cells above = (played & ~contested) << 1
    cdef Cells have = follower
    cdef Cells cell
    cdef Cells rest = played
    while rest:
        cell = rest & ~rest + 1
        rest ^= cell
        have |= sure & cell - (<Cells>1 << lowest_cell(cell) // stride * stride)
    if not has_line(have | above, geometry):
        return False
    rest = played
    while rest:
        cell = rest & ~rest + 1
        rest ^= cell
        if not has_line(have | above & ~(cell << 1), geometry):
            return False
    return True


cdef inline bint pairs_part(const Lines* dangers, Cells contested) noexcept nogil:
    """Whether contested cells can be paired such that each of these lines contains both cells of a pair."""
    cdef Lines left
    cdef Cells one, two, rest
    cdef int i
    if dangers.count == 0:
        return True
    if contested == 0:
        return False
    one = contested & ~contested + 1
    rest = contested ^ one
    while rest:
        two = rest & ~rest + 1
        rest ^= two
        left.count = 0
        for i in range(dangers.count):
            if dangers.cells[i] & one == 0 or dangers.cells[i] & two == 0:
                left.cells[left.count] = dangers.cells[i]
                left.count += 1
        if pairs_part(&left, contested & ~one & ~two):
            return True
    return False


cdef inline bint choice_holds(
    Cells leads, Cells sure, Cells contested, Cells follower, Cells mask, const Geometry* geometry,
) noexcept nogil:
    """Whether the leader does not win with these cells, of which the contested ones are shared between the players."""
    cdef Lines dangers
    cdef Cells starts, line, shared
    cdef int i, j
    dangers.count = 0
    if is_odd(contested) or count_cells(contested) > MAX_CONTESTED:
        return False
    for i in range(geometry.n_directions):
        starts = leads
        for j in range(geometry.n_steps):
            starts &= starts >> geometry.steps[j] * geometry.directions[i]
        while starts:
            line = starts & ~starts + 1
            starts ^= line
            for j in range(geometry.n_steps):
                line |= line << geometry.steps[j] * geometry.directions[i]
            if comes_late(line, follower, sure, contested, mask, geometry):
                continue
            shared = line & contested
            if shared & shared - 1 == 0:
                return False
            dangers.cells[dangers.count] = line
            dangers.count += 1
    return pairs_part(&dangers, contested)


cdef inline bint follow_up_holds(Cells follower, Cells leader, const Geometry* geometry, int goal) noexcept nogil:
    """Whether the player who has just moved reaches a goal, a score, by following up; _pure.follow_up says how."""
    cdef Choices choices
    cdef Plan paired, shifted
    cdef Plan* plan
    cdef Cells mask = follower | leader
    cdef Cells empty = geometry.board & ~mask
    cdef Cells free = mask + geometry.bottom & geometry.board
    cdef Cells wins = winning_cells(follower, geometry) & empty & ~free     # the follower never gets a lowest cell
    cdef Cells rest = wins
    cdef Cells odd = free & geometry.follow_up      # lowest cells of columns with an odd number of empty ones
    cdef Cells leads = leader
    cdef Cells sure = 0
    cdef Cells contested = 0
    cdef Cells in_time = geometry.board if goal > 0 else 0
    cdef Cells column
    cdef int stride = geometry.height + 1
    cdef int _
    for _ in range(2 * goal - 2):
        in_time &= in_time >> 1
    if goal > 0 and in_time == 0:
        return False
    choices.count = 0
    while rest:
        column = (~<Cells>0 >> CELL_BITS - geometry.height << lowest_cell(rest) // stride * stride) & empty
        rest &= ~column
        empty ^= column
        make_plan(&paired, column & free, column, wins, False)
        make_plan(&shifted, column & free, column, wins, True)
        if paired.fits and shifted.fits:
            if choices.count == MAX_CHOICES:
                return False
            choices.plans[choices.count][0] = paired
            choices.plans[choices.count][1] = shifted
            choices.count += 1
            continue
        plan = &paired if paired.fits else &shifted
        leads |= plan.leads
        sure |= plan.sure
        contested |= plan.contested
    # Of the two plans for any other column the one fits that gives the top cell to the follower.
    odd &= empty
    leads |= empty & ~geometry.follow_up | odd
    sure |= empty & geometry.follow_up & ~odd
    contested |= odd
    if choices.count == 0 and is_odd(contested):
        return False
    return any_choice_holds(&choices, 0, leads, sure, contested, in_time, follower, mask, geometry)


cdef inline bint any_choice_holds(
    const Choices* choices, int decided, Cells leads, Cells sure, Cells contested, Cells in_time, Cells follower,
    Cells mask, const Geometry* geometry,
) noexcept nogil:
    """Whether follow_up_holds for one choice of plans.

    decided: for how many of the columns with two plans one is chosen already. in_time: the cells with which the
    follower may complete a line in order to win; 0: they need not win.
    """
    cdef const Plan* plan
    cdef int i
    if decided == choices.count:
        if in_time and not has_line(follower | sure & in_time, geometry):
            return False
        return choice_holds(leads, sure, contested, follower, mask, geometry)
    for i in range(2):
        plan = &choices.plans[decided][i]
        if any_choice_holds(
            choices, decided + 1, leads | plan.leads, sure | plan.sure, contested | plan.contested,
            in_time, follower, mask, geometry,
        ):
            return True
    return False
