"""Rollouts: one game played to its end by chance."""

from .._layout import RANDOM, SAFE
from .bitboard import Position, above, completes, copy, drop, free_cell, geometry_of, is_open, is_top, load
from .rng import MASK64, Generator, next64
from .threats import bears_threat, find_threat, find_threats, has_safe_cell, update_threats


def rollout(position, geometry, generator):
    """Play uniformly random moves to the end, changing the position.

    Returns 1 if the player to move at the start wins, -1 if the other does, 0 for a draw.
    """
    start = position.ply
    cells = [
        free_cell(position, geometry, column) for column in range(geometry.width) if is_open(position, geometry, column)
    ]
    n = len(cells)
    draws = 0
    while n > 0:
        # `word` is a fraction of 2**64: times n, its whole part is the choice and the rest serves the next one
        if draws == 0:
            word = next64(generator)
            draws = geometry.draws
        draws -= 1
        index = word * n >> 64
        word = word * n & MASK64
        cell = cells[index]
        won = position.ply >= geometry.first_win and completes(position, geometry, cell)
        drop(position, geometry, cell)
        if won:
            return 1 if (position.ply - start) & 1 else -1
        if is_top(position, geometry, cell):
            n -= 1
            cells[index] = cells[n]
        else:
            cells[index] = above(position, cell)
    return 0


def careful_rollout(position, geometry, generator, safe):
    """The same with eyes open: play a winning move, else answer a threat, else choose at random; needs the threats.

    safe: never put a disc under a cell in which the opponent would complete a line, as long as there is a choice.
    """
    start = position.ply
    cells = [
        free_cell(position, geometry, column) for column in range(geometry.width) if is_open(position, geometry, column)
    ]
    n = len(cells)
    draws = 0
    while n > 0:
        player = position.ply & 1
        if find_threat(position, geometry, player, cells, n) >= 0:
            position.ply += 1  # enough: nobody looks at the board of a finished game
            return 1 if (position.ply - start) & 1 else -1
        index = find_threat(position, geometry, 1 - player, cells, n)
        if index < 0:
            choosy = safe and has_safe_cell(position, geometry, 1 - player, cells, n)
            while index < 0 or (choosy and bears_threat(position, 1 - player, cells[index])):
                if draws == 0:
                    word = next64(generator)
                    draws = geometry.draws
                draws -= 1
                index = word * n >> 64
                word = word * n & MASK64
        cell = cells[index]
        drop(position, geometry, cell)
        update_threats(position, geometry, cell)
        if is_top(position, geometry, cell):
            n -= 1
            cells[index] = cells[n]
        else:
            cells[index] = above(position, cell)
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
