"""Threats: the cells in which a player would complete a line.

Allis, "A knowledge-based approach of Connect-Four" (1988), section 3.1. A position stores the sets of both players;
functions that need them call update_threats after each move.
"""

from .cells import winning_cells


def find_threats(position, geometry):
    """Find the cells in which either player would complete a line."""
    player = position.ply & 1
    position.threats[player] = winning_cells(position.own, geometry)
    position.threats[1 - player] = winning_cells(position.own ^ position.mask, geometry)


def update_threats(position, geometry, cell):
    """Update the threats of the player who dropped a disc into the cell; occupied cells may stay in the sets."""
    if position.ply >= geometry.first_win - 1:
        position.threats[1 - (position.ply & 1)] = winning_cells(position.own ^ position.mask, geometry)


def is_threat(position, player, cell):
    """Whether the player would complete a line in this free cell."""
    return position.threats[player] & cell != 0


def is_below_threat(position, player, cell):
    """Whether a disc in this cell would let the player complete a line on top of it."""
    return position.threats[player] & cell << 1 != 0


def find_threat(position, geometry, player, cells, n):
    """Index of the first of the free cells in which the player would complete a line; -1 if there is none."""
    for i in range(n):
        if is_threat(position, player, cells[i]):
            return i
    return -1


def has_safe_cell(position, geometry, player, cells, n):
    """Whether one of the free cells is not below a threat of the player."""
    return not all(is_below_threat(position, player, cells[i]) for i in range(n))
