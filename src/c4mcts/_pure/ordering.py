"""The order in which the solver searches moves: by estimates, and by experience.

Moves that cause cutoffs are remembered in two records: Schaeffer, "The history heuristic" (1983), and Uiterwijk,
"The countermove heuristic" (1992).
"""

FROM_TABLE = 1 << 26  # Situation.order of the move from the table: before all others
THREAT = 1 << 14  # added to the order for a useful threat
STEP = 16  # added per half row nearer to the centre, and per chance of the player, see bounds.follow_up_bound
STAGE = 6  # number of plies that share their record of cutoffs
MAX_RECORD = 1 << 14  # a move's record of cutoffs is between minus this and this
RECORD_SHIFT = 7  # the sum of a move's two records, shifted right by this, is added


class Ordering:
    """The data on which the order of the moves depends."""

    __slots__ = ("centre", "replies", "stages")

    def __init__(self, geometry):
        self.replies = {}  # records of cutoffs, by the cell of the latest disc and the cell of the move
        self.stages = {}  # records of cutoffs, by ply // STAGE, player and the cell of the move
        find_centre(self, geometry)


def find_centre(ordering, geometry):
    """Set the closeness to the centre for each cell, by bit index; horizontal distance counts double."""
    width = geometry.width
    height = geometry.height
    ordering.centre = [0] * (width * (height + 1))
    for column in range(width):
        for row in range(height):
            near = 2 * (width - abs(2 * column - (width - 1))) - abs(2 * row - (height - 1))
            ordering.centre[column * (height + 1) + row] = STEP * near


def forget(ordering):
    ordering.replies.clear()
    ordering.stages.clear()


def expected(ordering, geometry, child):
    """The order (higher is searched first) of the move to the position `child`, before any experience.

    First come the mover's useful threats, those not on top of one of the opponent's; then closeness to the centre, with
    a bonus for threats above a free cell, where the opponent may not play.
    """
    free = (child.own | child.other) + geometry.bottom & geometry.board
    useful = child.other_wins & ~(child.own_wins << 1)
    near = ordering.centre[child.cell] + 8 * STEP * (useful & free << 1).bit_count()
    return THREAT * useful.bit_count() + near


def replies_to(ordering, situation):
    """The record of replies to the latest disc of a position, by cell."""
    return ordering.replies.setdefault(situation.latest, {})


def stage_of(ordering, situation):
    """The record of the moves of the player to move at this stage of the game, by cell."""
    return ordering.stages.setdefault((situation.ply // STAGE, situation.ply & 1), {})


def learnt(replies, stage, child):
    """The addition to the order of a child, whose forced moves have been played, from the records and its bound."""
    cutoffs = replies.get(child.cell, 0) + stage.get(child.cell, 0) >> RECORD_SHIFT
    return cutoffs + STEP * child.sign * child.chances


def record(scores, children, n):
    """Record that the move to children[n] has caused a cutoff, and that those to the children before it have not."""
    for child in children[:n]:
        score = scores.get(child.cell, 0)
        scores[child.cell] = score + (-MAX_RECORD - score >> 3)
    score = scores.get(children[n].cell, 0)
    scores[children[n].cell] = score + (MAX_RECORD - score >> 3)
