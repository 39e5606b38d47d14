"""Rollouts: a game is played to its end with random moves.

Many games from one position are divided among lanes, which the native backend plays in parallel. The games of a lane
are played one after the other with its own generator, so the order in which the lanes play does not matter.
"""

from .._layout import RANDOM, SAFE
from .bitboard import Position, above, completes, copy, drop, free_cell, is_open, is_top, load
from .cells import geometry_of
from .numbers import MASK64, Generator, next64
from .threats import find_threat, find_threats, has_safe_cell, is_below_threat, update_threats

LANES = 24
FRACTION_BITS = 58  # of a fraction that is multiplied by at most 64, the most columns


class RandomBits:
    """64 random bits that serve several choices; bits / 2**64 is a fraction."""

    __slots__ = ("bits", "choices")

    def __init__(self):
        self.bits = 0
        self.choices = 0  # choices that can still be made


def choose(random_bits, geometry, generator, n):
    """A number in 0 .. n-1."""
    if random_bits.choices == 0:
        random_bits.bits = next64(generator)
        random_bits.choices = geometry.choices_per_draw
    random_bits.choices -= 1
    # the fraction times n: its integer part is the choice, and the rest serves the next one
    chosen = random_bits.bits * n >> 64
    random_bits.bits = random_bits.bits * n & MASK64
    return chosen


def find_cells(position, geometry, cells):
    """Write the free cells into a list, by column; returns their number."""
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            cells.append(free_cell(position, geometry, column))
    return len(cells)


def replace(position, geometry, cells, index, n):
    """Replace an occupied cell of the list by the one above it, or by the last of the list; returns its new length."""
    if is_top(position, geometry, cells[index]):
        n -= 1
        cells[index] = cells[n]
    else:
        cells[index] = above(position, cells[index])
    return n


def rollout(position, geometry, generator):
    """Play uniformly random moves to the end, changing the position.

    Returns 1 if the player to move at the start wins, -1 if the other does, 0 for a draw.
    """
    start = position.ply
    cells = []
    random_bits = RandomBits()
    n = find_cells(position, geometry, cells)
    while n > 0:
        index = choose(random_bits, geometry, generator, n)
        cell = cells[index]
        won = position.ply >= geometry.first_win and completes(position, geometry, cell)
        drop(position, geometry, cell)
        if won:
            return 1 if (position.ply - start) & 1 else -1
        n = replace(position, geometry, cells, index, n)
    return 0


def careful_rollout(position, geometry, generator, safe):
    """Like rollout, but play a winning move if there is one, otherwise block a threat or move at random; needs the
    threats.

    safe: a random move is never below a cell in which the opponent would win, unless all moves are.
    """
    start = position.ply
    cells = []
    random_bits = RandomBits()
    n = find_cells(position, geometry, cells)
    while n > 0:
        player = position.ply & 1
        if find_threat(position, geometry, player, cells, n) >= 0:
            position.ply += 1  # the disc itself need not be placed: the game is over
            return 1 if (position.ply - start) & 1 else -1
        index = find_threat(position, geometry, 1 - player, cells, n)
        if index < 0:
            reject_unsafe = safe and has_safe_cell(position, geometry, 1 - player, cells, n)
            while index < 0 or (reject_unsafe and is_below_threat(position, 1 - player, cells[index])):
                index = choose(random_bits, geometry, generator, n)
        cell = cells[index]
        drop(position, geometry, cell)
        update_threats(position, geometry, cell)
        n = replace(position, geometry, cells, index, n)
    return 0


class Lane:
    """A stream of random columns, which the games of the lane share."""

    __slots__ = ("choices", "fraction", "generator")

    def __init__(self):
        self.generator = Generator(0, 0)
        self.fraction = 0  # fraction / 2**FRACTION_BITS is a random number in [0, 1), up to the last choice
        self.choices = 0  # choices that it can still serve


def seed_lane(lane, generator):
    """Start a lane with the next two numbers of a generator."""
    lane.generator.a = next64(generator)
    lane.generator.b = next64(generator)
    if lane.generator.a == 0 and lane.generator.b == 0:
        lane.generator.b = 1
    lane.choices = 0


def random_column(lane, geometry):
    """Any column with equal probability, open or not."""
    if lane.choices == 0:
        lane.fraction = next64(lane.generator) >> (64 - FRACTION_BITS)
        lane.choices = geometry.choices_per_draw
    lane.choices -= 1
    # as in choose
    product = lane.fraction * geometry.width
    lane.fraction = product & (1 << FRACTION_BITS) - 1
    return product >> FRACTION_BITS


def random_game(position, geometry, lane, start):
    """Play uniformly random moves to the end, changing the position; a full column is drawn in vain.

    After a draw the lane's fraction is used up. start: the ply at which the game began, since the position may lie in
    the middle of it. Returns 1 if the player to move at the start wins, -1 if the other does, 0 for a draw.
    """
    while position.ply < geometry.cells:
        column = random_column(lane, geometry)
        if is_open(position, geometry, column):
            cell = free_cell(position, geometry, column)
            won = position.ply >= geometry.first_win and completes(position, geometry, cell)
            drop(position, geometry, cell)
            if won:
                return 1 if (position.ply - start) & 1 else -1
    lane.choices = 0
    return 0


def rollouts(rules, own, mask, state, games, policy, poll):
    """Play `games` rollouts from one unfinished position; `policy` is RANDOM, DECISIVE or SAFE.

    They are divided equally among the lanes, the first ones getting one more if necessary; the generator of `state`
    seeds one lane after the other. poll: called repeatedly, about every 10 ms; an exception in it ends the games.

    Returns (games won by the player to move, lost, drawn, plies played in all).
    """
    geometry = geometry_of(rules)
    generator = Generator(*state)
    start = Position()
    position = Position()
    load(start, geometry, own, mask)
    find_threats(start, geometry)
    lane = Lane()
    counts = [0, 0, 0]  # by result: draws, wins, and losses at index -1
    plies = 0
    for index in range(LANES):
        seed_lane(lane, generator)
        for _ in range(games // LANES + (index < games % LANES)):
            copy(position, start, geometry)
            if policy == RANDOM:
                result = random_game(position, geometry, lane, start.ply)
            else:
                result = careful_rollout(position, geometry, lane.generator, policy == SAFE)
            counts[result] += 1
            plies += position.ply - start.ply
            poll()
    return counts[1], counts[-1], counts[0], plies
