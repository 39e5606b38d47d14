"""The order in which the solver searches moves: by estimates, by experience, and on 7 x 6 by learned weights.

Moves that cause cutoffs are remembered in two records: Schaeffer, "The history heuristic" (1983), and Uiterwijk,
"The countermove heuristic" (1992). Positions with many empty cells are few, and large searches follow from them. There
weights of features and of the network's logits rank the moves: first those that are likely to cause a cutoff soon.
"""

from operator import mul

from .bitboard import Position
from .network import evaluate_columns

FROM_TABLE = 1 << 26  # Situation.order of the move from the table: before all others
THREAT = 1 << 14  # added to the order for a useful threat
STEP = 16  # added per half row nearer to the centre, and per chance of the player, see bounds.follow_up_bound
STAGE = 6  # number of plies that share their record of cutoffs
MAX_RECORD = 1 << 14  # a move's record of cutoffs is between minus this and this
RECORD_SHIFT = 7  # the sum of a move's two records, shifted right by this, is added
RANKED_EMPTY = 24  # with at least this many empty cells weights rank the moves
NETWORK_EMPTY = 26  # with at least this many the network's logit is one of the features
RANKED_AFTER = 1 << 11  # once a search has taken so many nodes; short searches gain nothing
BOTTOM = 0x40810204081  # the bottom row of 7 x 6
FEATURES = 31  # of a move: see read_move


class Ordering:
    """The data on which the order of the moves depends."""

    __slots__ = ("centre", "network", "replies", "stages", "weights")

    def __init__(self, geometry):
        self.replies = {}  # records of cutoffs, by the cell of the latest disc and the cell of the move
        self.stages = {}  # records of cutoffs, by ply // STAGE, player and the cell of the move
        self.network = None  # whose logits are a feature; None: there are no weights
        self.weights = None  # of the features and of the move's own cell, mirrored; their rows: see group_of
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


def use_weights(ordering, network, weights):
    """Rank moves by weights of 7 x 6. The network is for 7 x 6, too."""
    ordering.network = network
    ordering.weights = weights.tolist()


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


def sort(children, begin, end):
    """Sort children[begin:end] by falling order; among equals the first remains first."""
    children[begin:end] = sorted(children[begin:end], key=lambda child: -child.order)


def find_lines(starts, discs, possible, direction):
    """Append the starts of the lines within the possible cells that hold one, two and three of the discs."""
    pairs = possible & possible >> direction
    lines = pairs & pairs >> 2 * direction
    either = discs ^ discs >> direction  # of the first two cells of a line, one holds a disc
    both = discs & discs >> direction
    low = either ^ either >> 2 * direction  # the number of discs in a line, in binary
    high = both ^ both >> 2 * direction ^ either & either >> 2 * direction
    starts += [lines & low & ~high, lines & high & ~low, lines & low & high]


def count_lines(features, discs, possible):
    """Append the numbers of lines within the possible cells that hold one, two and three of the discs."""
    starts = []
    for direction in (1, 6, 7, 8):
        find_lines(starts, discs, possible, direction)
    features += [sum(cells.bit_count() for cells in starts[i::3]) for i in range(3)]


def read_player(features, discs, wins, rival_wins, vacant, free):
    """Append the features of a player."""
    useful = wins & ~(rival_wins << 1)
    features += [(useful & BOTTOM << row).bit_count() for row in range(1, 6)]
    features.append((useful & free << 1).bit_count())  # above a free cell
    features.append(wins.bit_count())
    features.append((wins & wins << 1).bit_count())
    count_lines(features, discs, discs | vacant)


def read_move(features, situation, child, replies, stage, logit):
    """Append the features of the move from a position to `child`, whose order is by estimates and experience."""
    vacant = BOTTOM * 63 & ~(child.own | child.other)
    free = (child.own | child.other) + BOTTOM & BOTTOM * 63
    threats = child.order + THREAT // 2 >> 14
    features += [
        child.ply - situation.ply - 1,  # forced moves
        child.moves.bit_count(),
        child.chances,
        (free & BOTTOM * 42).bit_count(),  # columns with an odd number of empty cells
        replies.get(child.cell, 0) >> 6,
        stage.get(child.cell, 0) >> 6,
        threats,
        child.order - THREAT * threats >> 4,
        min(max(logit >> 6, -4096), 4096),
    ]
    read_player(features, child.own, child.own_wins, child.other_wins, vacant, free)
    read_player(features, child.other, child.other_wins, child.own_wins, vacant, free)


def group_of(child, ply):
    """The row of weights for a move after `ply` discs: by stage, player and whose turn it is after the forced moves."""
    return 4 * (42 - ply < NETWORK_EMPTY) + 2 * (ply & 1) + (child.sign > 0)


def place_of(child):
    """The place of the weight of a move's own cell."""
    return FEATURES + 6 * min(child.column, 6 - child.column) + child.cell % 7


def find_logits(ordering, situation, children, begin, end, logits):
    """Write the network's logits of moves of a position, by column; 0 with few empty cells, where it takes too long."""
    position = Position()
    columns = 0
    for child in children[begin:end]:
        columns |= 1 << child.column
    if 42 - situation.ply < NETWORK_EMPTY:
        return
    position.own = situation.own
    position.mask = situation.own | situation.other
    position.threats = [0, 0]
    position.threats[situation.ply & 1] = situation.own_wins
    position.threats[1 - (situation.ply & 1)] = situation.other_wins
    position.ply = situation.ply
    evaluate_columns(ordering.network, position, columns, logits)


def rank(ordering, situation, children, begin, end, replies, stage):
    """Sort moves of a position, children[begin:end], by the weighted sums of their features."""
    logits = [0] * 7
    find_logits(ordering, situation, children, begin, end, logits)
    for child in children[begin:end]:
        features = []
        read_move(features, situation, child, replies, stage, logits[child.column])
        weights = ordering.weights[group_of(child, situation.ply)]
        child.order = weights[place_of(child)] + sum(map(mul, weights, features))
    sort(children, begin, end)
