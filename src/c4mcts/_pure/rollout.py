"""Rollouts: a game is played to its end with random moves."""

from .bitboard import above, completes, drop, free_cell, is_open, is_top
from .rng import MASK64, next64
from .threats import find_threat, has_safe_cell, is_below_threat, update_threats


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
