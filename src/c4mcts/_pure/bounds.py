"""Bounds of a position's score without a search: forced moves are played out, and the score is bounded.

Scores are Pascal Pons': a game that ends with n discs on the board counts (cells + 2 - n) / 2, rounded down, for the
winner, 0 for a draw. Sets of cells are laid out as in bitboard.
"""

from .._layout import win_score
from .cells import has_line, line_starts, winning_cells

DECIDED, QUIET = 0, 1  # results of play_out
WORST = 1 << 12  # above every score
NO_WINDOW = 1 << 13  # as alpha: no window


class Situation:
    """A position of the solver, and its known bounds."""

    __slots__ = (
        "cell",  # index of the cell of the move that led here, before the forced moves
        "chances",  # starts of lines that the player to move may complete if the opponent follows up
        "code",  # its scrambled key, see table.py
        "column",  # the column of that move
        "flipped",  # whether the key belongs to the mirror image
        "latest",  # the cell of the latest disc; a cell above the board if it is not known
        "lower",  # bounds of the score, for the player given by `sign`
        "moves",  # free cells in which a disc does not lose at once
        "order",  # the higher, the earlier the position is searched
        "other",  # discs of the other player
        "other_wins",  # empty cells that complete a line of the other player
        "own",  # discs of the player to move
        "own_wins",  # empty cells that complete a line of the player to move
        "ply",  # number of discs
        "sign",  # 1: the bounds are for the player to move; -1: for the other player
        "upper",
    )


def follow_up_loss(situation, geometry, threats, cut, sure):
    """Upper bound of the score of the leader, the player to move: 0, or the score of the latest loss they can force.

    threats: winning cells that the follower will get, at most one per column. cut: the cells above them. sure: every
    cell that the follower will get.
    """
    if threats:
        # at the leader's last turn a column with a threat is filled at most up to two below it
        return -win_score(geometry.cells, geometry.cells + 2 - cut.bit_count() - 2 * threats.bit_count())
    if not has_line(situation.other | sure, geometry):
        return 0
    rows = 1 if geometry.height & 1 else 2  # the lowest rows in which the follower gets a line
    while not has_line(situation.other | sure & (geometry.bottom << rows) - geometry.bottom, geometry):
        rows += 2
    return -win_score(geometry.cells, geometry.cells - geometry.height + rows)


def follow_up_bound(situation, geometry, upper):
    """Claimeven bound (Allis, "A knowledge-based approach of Connect-Four", 1988, section 3.3.1).

    An upper bound of the score, at most `upper`: if the opponent always answers in the same column, the score is no
    higher. The player to move is the *leader*, the opponent the *follower*. The cells that the follower gets in a
    column depend on the number of its empty cells:

    - even: the follower gets the cells at an even distance from the top row;
    - odd, with a winning cell of the follower at an odd distance from the top row (a *good* column): that cell;
    - odd without such a cell: the lowest empty cell is *contested*, the cells above it are as in an even column.

    When the leader takes one contested cell, the follower takes another; so their number must be even. If it is odd,
    one good column is treated as contested; without a good column the bound stays `upper`.

    A winning cell that the follower gets ends the game, and the cells above it are never reached. So the leader's discs
    are always within the set `lead`. If `lead` contains no line, the leader can't win. If in addition the follower has
    a winning cell or gets a line, the leader must in the end play below it, which bounds the ply of the loss.

    The lines in `lead` are counted in situation.chances: the fewer, the nearer the leader is to the bound.
    """
    guard = geometry.top << 1
    last = geometry.follow_up
    mask = situation.own | situation.other
    empty = geometry.board & ~mask
    odd = (mask + geometry.bottom) & last  # free cells of columns with an odd number of empty cells
    wins = situation.other_wins
    # guard - s is, in each column that has a cell in s (at most one), that cell and all above it
    threats = wins & (guard - odd) & ~last
    good = 0  # whole columns
    if threats:
        threats &= guard - threats
        tops = (guard - threats) & geometry.top
        good = (tops << 1) - (tops >> (geometry.height - 1))
    rest = wins & last & ~good & ~odd
    threats |= rest & (guard - rest)
    contested = odd & ~good
    if contested.bit_count() & 1:
        spare = odd & good
        spare &= -spare
        column = (guard - spare) & geometry.board if spare else 0
        good &= ~column
        contested |= spare
        rest = wins & last & column & ~odd
        threats = threats & ~column | rest & (guard - rest)
    cut = (guard - threats) & geometry.board & ~threats  # above a threat
    lead = situation.own | contested | empty & ~cut & (last ^ ~good)
    starts = line_starts(lead, geometry)
    situation.chances = starts.bit_count()
    if contested.bit_count() & 1:
        return upper
    if starts:
        one = contested & -contested
        two = contested ^ one
        if two == 0 or two & (two - 1):
            return upper
        # of a single pair the leader gets only one
        if has_line(lead & ~one, geometry) or has_line(lead & ~two, geometry):
            return upper
    return min(upper, follow_up_loss(situation, geometry, threats, cut, empty & last & ~odd))


def tighten(situation, geometry, alpha):
    """Tighten the bounds of a position in which nobody can win in the next two plies.

    Bounds that can't affect a search around `alpha`, for the player to move, may be skipped.
    """
    empty = geometry.board & ~(situation.own | situation.other)
    upper = win_score(geometry.cells, situation.ply + 3) if situation.ply + 3 <= geometry.cells else 0
    lower = -win_score(geometry.cells, situation.ply + 4) if situation.ply + 4 <= geometry.cells else 0
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


def make(situation, geometry, cell):
    """Put a disc of the player to move into a free cell and pass the turn."""
    own = situation.own | cell
    situation.latest = cell
    situation.own = situation.other
    situation.other = own
    situation.own_wins = situation.other_wins & ~cell
    situation.other_wins = winning_cells(own, geometry) & ~(situation.own | own)
    situation.ply += 1


def play_out(situation, geometry, alpha):
    """Play forced moves until two moves don't lose at once (QUIET) or the bounds decide the window (DECIDED).

    The window is [alpha, alpha + 1]: the bounds show on which side of it the score is. alpha, like the bounds, is for
    the player to move at the start. NO_WINDOW as alpha: play on as long as moves are forced, and tighten the bounds as
    far as possible.
    """
    situation.sign = 1
    situation.lower = -WORST
    situation.upper = WORST
    while True:
        free = (situation.own | situation.other) + geometry.bottom & geometry.board
        answers = situation.other_wins & free
        moves = free & ~(situation.other_wins >> 1)
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
