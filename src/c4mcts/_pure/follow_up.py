"""The rule that ends the branches of a proof: the player who has just moved answers each disc by the rule from now on.

The player to move is the *leader*, the other one the *follower*. `bounds.follow_up_bound` is the weaker rule of the
solver, whose nodes must be cheap. Sets of cells are laid out as in bitboard.
"""

from .cells import has_line, winning_cells

MAX_CHOICES = 6  # columns with two plans that the rule looks at
MAX_CONTESTED = 6  # contested cells, at most; above that the rule is not applied


class Plan:
    """The filling of a column if the follower always answers above the leader's disc."""

    __slots__ = (
        "contested",  # the lowest empty cell, if it is answered in another column, else 0
        "fits",  # whether the follower has an answer to each disc of the leader
        "leads",  # cells that the leader may get
        "sure",  # cells that the follower gets once the column is full
        "wins",  # whether the last of them completes a line of the follower
    )


def make_plan(plan, lowest, column, wins, contested):
    """The plan for a column. lowest: its lowest empty cell. wins: empty cells that complete a line of the follower.

    contested: whether the lowest cell is. Above it, cells are taken in pairs, the lower one by the leader, the upper
    one by the follower. If that completes a line, the game ends there. Otherwise no cell may be left without a pair.
    """
    plan.contested = lowest if contested else 0
    plan.leads = plan.contested
    plan.sure = 0
    plan.wins = False
    cell = lowest << 1 if contested else lowest
    while cell & column and cell << 1 & column and not plan.wins:
        plan.leads |= cell
        plan.sure |= cell << 1
        plan.wins = cell << 1 & wins != 0
        cell <<= 2
    plan.fits = plan.wins or cell & column == 0


def comes_late(line, follower, sure, contested, mask, geometry):
    """Whether the follower has a line before the leader completes this one.

    sure: cells that the follower gets once their columns are full. When the leader plays the last cell of the line, the
    follower has those that are below a cell of the line, and has answered all discs in the line but the last.
    """
    stride = geometry.height + 1
    played = line & ~mask
    above = (played & ~contested) << 1
    have = follower
    rest = played
    while rest:
        cell = rest & -rest
        rest ^= cell
        have |= sure & cell - (1 << (cell.bit_length() - 1) // stride * stride)
    if not has_line(have | above, geometry):
        return False
    rest = played
    while rest:
        cell = rest & -rest
        rest ^= cell
        if not has_line(have | above & ~(cell << 1), geometry):
            return False
    return True


def pairs_part(dangers, contested):
    """Whether contested cells can be paired such that each of these lines contains both cells of a pair."""
    if not dangers:
        return True
    if contested == 0:
        return False
    one = contested & -contested
    rest = contested ^ one
    while rest:
        two = rest & -rest
        rest ^= two
        left = [line for line in dangers if line & one == 0 or line & two == 0]
        if pairs_part(left, contested & ~one & ~two):
            return True
    return False


def choice_holds(leads, sure, contested, follower, mask, geometry):
    """Whether the leader does not win with these cells, of which the contested ones are shared between the players."""
    dangers = []
    if contested.bit_count() & 1 or contested.bit_count() > MAX_CONTESTED:
        return False
    for direction in geometry.directions:
        starts = leads
        for step in geometry.steps:
            starts &= starts >> step * direction
        while starts:
            line = starts & -starts
            starts ^= line
            for step in geometry.steps:
                line |= line << step * direction
            if comes_late(line, follower, sure, contested, mask, geometry):
                continue
            shared = line & contested
            if shared & shared - 1 == 0:
                return False
            dangers.append(line)
    return pairs_part(dangers, contested)


def follow_up_holds(follower, leader, geometry, goal):
    """Whether the player who has just moved reaches a goal, a score, by answering as follows.

    Each column has one of two plans, see make_plan. In the first all its empty cells are taken in pairs from below. In
    the second the lowest one is *contested*, and those above it are taken in pairs. If the leader takes the lower cell
    of a pair, the follower takes the upper one. If the leader takes a contested cell, the follower takes another one;
    for which their number must be even. Both are always possible: the cell above a disc is free, and a contested cell
    is the lowest empty one of its column until it is taken. So the follower has an answer to every disc, except to one
    in the last cell of a column where it has no pair; that is never reached if a pair below it completes a line of the
    follower, which ends the game.

    So the leader's discs are always among `leads`: those on the board, the lower cells of pairs, and the contested
    cells, of which the leader gets one of each two. The leader does not win if each line among them contains both of
    two contested cells that are paired, or comes_late. The follower wins in addition if they have a line with the cells
    of `sure`: once every column is full, or can't be filled without a line. They win with the score 1 + n / 2 if there
    are n cells above each cell of `sure` in the line: once only n cells are empty, it has been completed.
    """
    mask = follower | leader
    empty = geometry.board & ~mask
    free = mask + geometry.bottom & geometry.board
    wins = winning_cells(follower, geometry) & empty & ~free  # the follower never gets a lowest cell
    rest = wins
    odd = free & geometry.follow_up  # lowest cells of columns with an odd number of empty ones
    leads, sure, contested, in_time = leader, 0, 0, geometry.board if goal > 0 else 0
    for _ in range(2 * goal - 2):
        in_time &= in_time >> 1
    if goal > 0 and in_time == 0:
        return False
    stride = geometry.height + 1
    choices = []
    while rest:
        lowest = rest & -rest
        column = ((1 << geometry.height) - 1 << (lowest.bit_length() - 1) // stride * stride) & empty
        rest &= ~column
        empty ^= column
        paired, shifted = Plan(), Plan()
        make_plan(paired, column & free, column, wins, False)
        make_plan(shifted, column & free, column, wins, True)
        if paired.fits and shifted.fits:
            if len(choices) == MAX_CHOICES:
                return False
            choices.append((paired, shifted))
            continue
        plan = paired if paired.fits else shifted
        leads |= plan.leads
        sure |= plan.sure
        contested |= plan.contested
    # Of the two plans for any other column the one fits that gives the top cell to the follower.
    odd &= empty
    leads |= empty & ~geometry.follow_up | odd
    sure |= empty & geometry.follow_up & ~odd
    contested |= odd
    if not choices and contested.bit_count() & 1:
        return False
    return any_choice_holds(choices, 0, leads, sure, contested, in_time, follower, mask, geometry)


def any_choice_holds(choices, decided, leads, sure, contested, in_time, follower, mask, geometry):
    """Whether follow_up_holds for one choice of plans.

    decided: for how many of the columns with two plans one is chosen already. in_time: the cells with which the
    follower may complete a line in order to win; 0: they need not win.
    """
    if decided == len(choices):
        if in_time and not has_line(follower | sure & in_time, geometry):
            return False
        return choice_holds(leads, sure, contested, follower, mask, geometry)
    for plan in choices[decided]:
        chosen = leads | plan.leads, sure | plan.sure, contested | plan.contested
        if any_choice_holds(choices, decided + 1, *chosen, in_time, follower, mask, geometry):
            return True
    return False
