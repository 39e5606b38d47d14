"""Rollouts: one game played to its end by chance."""

from .._layout import RANDOM, SAFE
from .bitboard import Position, above, completes, copy, drop, free_cell, geometry_of, is_open, is_top, load
from .rng import MASK64, Generator, next64
from .threats import bears_threat, find_threat, find_threats, has_safe_cell, update_threats


class Dice:
    """A word of the generator, which serves several choices: a fraction of 2**64."""

    __slots__ = ("draws", "word")

    def __init__(self):
        self.word = 0
        self.draws = 0  # choices left in it


def roll(dice, geometry, generator, n):
    """A number in 0 .. n-1."""
    if dice.draws == 0:
        dice.word = next64(generator)
        dice.draws = geometry.draws
    dice.draws -= 1
    # of the fraction times n the whole part is the choice, and the rest serves the next one
    chosen = dice.word * n >> 64
    dice.word = dice.word * n & MASK64
    return chosen


def find_cells(position, geometry, cells):
    """List the free cells, by column; returns how many there are."""
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            cells.append(free_cell(position, geometry, column))
    return len(cells)


def replace(position, geometry, cells, index, n):
    """Put what is free now into the place of a cell that was taken; returns how many cells are left."""
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
    dice = Dice()
    n = find_cells(position, geometry, cells)
    while n > 0:
        index = roll(dice, geometry, generator, n)
        cell = cells[index]
        won = position.ply >= geometry.first_win and completes(position, geometry, cell)
        drop(position, geometry, cell)
        if won:
            return 1 if (position.ply - start) & 1 else -1
        n = replace(position, geometry, cells, index, n)
    return 0


def careful_rollout(position, geometry, generator, safe):
    """The same with eyes open: play a winning move, else answer a threat, else choose at random; needs the threats.

    safe: never put a disc under a cell in which the opponent would complete a line, as long as there is a choice.
    """
    start = position.ply
    cells = []
    dice = Dice()
    n = find_cells(position, geometry, cells)
    while n > 0:
        player = position.ply & 1
        if find_threat(position, geometry, player, cells, n) >= 0:
            position.ply += 1  # enough: nobody looks at the board of a finished game
            return 1 if (position.ply - start) & 1 else -1
        index = find_threat(position, geometry, 1 - player, cells, n)
        if index < 0:
            choosy = safe and has_safe_cell(position, geometry, 1 - player, cells, n)
            while index < 0 or (choosy and bears_threat(position, 1 - player, cells[index])):
                index = roll(dice, geometry, generator, n)
        cell = cells[index]
        drop(position, geometry, cell)
        update_threats(position, geometry, cell)
        n = replace(position, geometry, cells, index, n)
    return 0


def rollouts(rules, own, mask, state, games, policy):
    """Play `games` rollouts from one unfinished position; `policy` is RANDOM, DECISIVE or SAFE.

    Returns (games won by the player to move, lost, drawn, plies played in all, state of the generator afterwards).
    """
    geometry = geometry_of(rules)
    generator = Generator(*state)
    start = Position()
    position = Position()
    load(start, geometry, own, mask)
    find_threats(start, geometry)
    counts = [0, 0, 0]  # by result: draws, wins, and losses at index -1
    plies = 0
    for _ in range(games):
        copy(position, start, geometry)
        if policy == RANDOM:
            result = rollout(position, geometry, generator)
        else:
            result = careful_rollout(position, geometry, generator, policy == SAFE)
        counts[result] += 1
        plies += position.ply - start.ply
    return counts[1], counts[-1], counts[0], plies, (generator.a, generator.b)
