"""Certificates: the moves with which a player reaches a goal against every reply, and the walk that checks them.

A certificate lists one move for each position of the *claimant* that no rule decides, in the order of a depth-first
walk from the columns at the left to those at the right. It says nothing about the positions themselves: the walk plays
all replies of the opponent, and applies the rules by itself.

The goal is a score on Pascal Pons' scale, which the claimant reaches at least: 1 to win, 0 not to lose.
"""

from .._layout import win_score
from .cells import geometry_of, has_line, mirror, winning_cells
from .follow_up import follow_up_holds

HELD, LOST, FORCED, OPEN = range(4)  # what look and glance find


class ProofGoal:
    """A goal, and the rules of the game."""

    __slots__ = ("geometry", "goal")


class ProofNode:
    """A position in which the claimant is to move."""

    __slots__ = (
        "moves",  # cells of the moves that don't lose at once
        "other",  # discs of the opponent
        "own",  # discs of the claimant
    )


def claim_of(rules, goal):
    """A claim. goal: the score that the claimant reaches at least."""
    claim = ProofGoal()
    claim.geometry = geometry_of(rules)
    claim.goal = goal
    return claim


def look(claim, node):
    """The result of a position in which the claimant is to move, by the rules; leaves node.moves.

    HELD: glance finds it, or finds it after one of node.moves and each reply. Otherwise what glance finds.
    """
    state = glance(claim, node)
    if state in (FORCED, OPEN) and quiet_move(claim, node):
        return HELD
    return state


def quiet_move(claim, node):
    """The first of node.moves after which all_replies_hold; 0 if there is none."""
    moves = node.moves
    while moves:
        cell = moves & -moves
        moves ^= cell
        if all_replies_hold(claim, node.own | cell, node.other):
            return cell
    return 0


def all_replies_hold(claim, own, other):
    """Whether glance finds HELD after each reply of the opponent, who is to move and can't win at once."""
    geometry, after = claim.geometry, ProofNode()
    free = (own | other) + geometry.bottom & geometry.board
    if free == 0:
        return claim.goal <= 0
    while free:
        cell = free & -free
        free ^= cell
        after.own, after.other = own, other | cell
        if glance(claim, after) != HELD:
            return False
    return True


def glance(claim, node):
    """The result of a position by the rules, without a look at all replies; leaves node.moves.

    HELD: the claimant reaches the goal: a loss would come late enough; or a draw is enough and the opponent can no
    longer complete a line; or they can win at once; or one_move_holds; or one_threat_holds.
    LOST: they can't: a win would come too late, or needs a line that they can no longer complete; or each move loses at
    once.
    FORCED: all moves but one lose at once. OPEN: there are several.
    """
    geometry = claim.geometry
    mask = node.own | node.other
    free = mask + geometry.bottom & geometry.board
    discs = mask.bit_count()
    node.moves = 0
    if -win_score(geometry.cells, discs + 2) >= claim.goal:
        return HELD
    if claim.goal <= 0 and not has_line(geometry.board & ~node.own, geometry):
        return HELD
    if claim.goal > 0 and not has_line(geometry.board & ~node.other, geometry):
        return LOST
    if free == 0 or win_score(geometry.cells, discs + 1) < claim.goal:
        return LOST
    if winning_cells(node.own, geometry) & free:
        return HELD
    threats = winning_cells(node.other, geometry) & ~mask
    node.moves = free & ~(threats >> 1)
    if threats & free:
        node.moves &= threats & free if threats & free & (threats & free) - 1 == 0 else 0
    if node.moves == 0:
        return LOST
    if one_move_holds(claim, node) or one_threat_holds(claim, node):
        return HELD
    return FORCED if node.moves & node.moves - 1 == 0 else OPEN


def one_move_holds(claim, node):
    """Whether follow_up_holds after one of node.moves."""
    moves = node.moves
    while moves:
        cell = moves & -moves
        moves ^= cell
        if follow_up_holds(node.own | cell, node.other, claim.geometry, claim.goal):
            return True
    return False


def one_threat_holds(claim, node):
    """Whether one of node.moves threatens to win in two places, or in one and glance finds HELD after the answer."""
    geometry, after = claim.geometry, ProofNode()
    moves = node.moves
    if win_score(geometry.cells, (node.own | node.other).bit_count() + 3) < claim.goal:
        return False
    while moves:
        cell = moves & -moves
        moves ^= cell
        after.own = node.own | cell
        free = (after.own | node.other) + geometry.bottom & geometry.board
        answers = winning_cells(after.own, geometry) & free
        after.other = node.other | answers
        if answers and (answers & answers - 1 or glance(claim, after) == HELD):
            return True
    return False


def key_of(claim, own, other):
    """The same number for a position and its mirror image, and for no other position with the same player to move."""
    key = own | (own | other) + claim.geometry.bottom
    return min(key, mirror(key, claim.geometry))


def column_of(claim, cell):
    return (cell.bit_length() - 1) // (claim.geometry.height + 1)


def column_cells(claim, column):
    stride = claim.geometry.height + 1
    return (1 << stride) - 1 << column * stride


def oriented(claim, own, other, column):
    """A column of a position as one of it or its mirror image, whichever has the lower key; and vice versa."""
    key = own | (own | other) + claim.geometry.bottom
    return claim.geometry.width - 1 - column if mirror(key, claim.geometry) < key else column


def loses_at_once(claim, own, other):
    """Whether the opponent, who is to move, can win at once, and too soon for the goal."""
    geometry, mask = claim.geometry, own | other
    free = mask + geometry.bottom & geometry.board
    return winning_cells(other, geometry) & free != 0 and -win_score(geometry.cells, mask.bit_count() + 1) < claim.goal


class CertificateReader:
    """Checks the moves of certificates for one goal."""

    def __init__(self, rules, goal):
        self.claim = claim_of(rules, goal)

    def read(self, own, other, is_to_move, moves, discs=0):
        """Check moves. own: discs of the claimant; is_to_move: whether they are to move.

        Returns the number of different positions, mirror images counted once, and how many of the moves were used.
        ValueError, with the index of a move, if they are no proof. `answers` has then the moves in positions with fewer
        than `discs` discs: by key_of, the column in the position or its mirror image, whichever has the lower key.
        """
        self.moves = moves
        self.next = 0
        self.discs = discs
        self.answers = {}
        self.seen = set()
        if is_to_move:
            self.read_move(own, other)
        else:
            if loses_at_once(self.claim, own, other):
                raise ValueError("the opponent wins at once")
            self.read_replies(own, other)
        return len(self.seen), self.next

    def read_move(self, own, other):
        """Check a position in which the claimant is to move."""
        node = ProofNode()
        node.own, node.other = own, other
        state = look(self.claim, node)
        if state == HELD or not self.is_new(own, other):
            return
        if state == LOST:
            raise ValueError(f"before move {self.next}: the opponent prevents the goal")
        if state == FORCED:
            cell = node.moves
        else:
            if self.next == len(self.moves):
                raise ValueError(f"move {self.next} is missing")
            column = self.moves[self.next]
            cell = node.moves & column_cells(self.claim, column) if column < self.claim.geometry.width else 0
            if cell == 0:
                raise ValueError(f"move {self.next}: column {column} is full, or loses at once")
            self.next += 1
        if (own | other).bit_count() < self.discs:
            column = column_of(self.claim, cell)
            self.answers[key_of(self.claim, own, other)] = oriented(self.claim, own, other, column)
        self.read_replies(own | cell, other)

    def read_replies(self, own, other):
        """Check a position in which the opponent is to move and can't win at once."""
        geometry = self.claim.geometry
        free = (own | other) + geometry.bottom & geometry.board
        if free == 0 and self.claim.goal > 0:
            raise ValueError(f"before move {self.next}: the game ends in a draw")
        if not self.is_new(own, other):
            return
        while free:
            cell = free & -free
            free ^= cell
            self.read_move(own, other | cell)

    def is_new(self, own, other):
        """Whether neither this position nor its mirror image has been met; notes it."""
        key = key_of(self.claim, own, other)
        if key in self.seen:
            return False
        self.seen.add(key)
        return True
