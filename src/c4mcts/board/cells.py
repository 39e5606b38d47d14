"""Functions on bitboards: conversion from and to grids, checks of positions, mirroring. Layout: _pure.bitboard."""

from typing import Any

from .. import _backend
from .._validation import counted
from ..errors import NotationError
from ..rules import Rules
from .notation import Grid, place

lines_of = _backend.load("pure").cells.lines  # (discs, geometry) -> the cells of all winning lines

PLAYERS = ("first", "second")


def position_of(grid: Grid, rules: Rules, geometry: Any, turn: int | None) -> tuple[int, int]:
    """The discs of the player to move and all discs of a grid. turn: the player to move if the notation gives it.

    NotationError for floating discs, for numbers of discs that contradict alternating turns, and for winning lines that
    the last move can't have completed. Whether a whole game can lead to the position is not checked.
    """
    first, second = _discs_of(grid, rules)
    counts = f"{counted(first.bit_count(), 'disc')} of the first player and {second.bit_count()} of the second"
    if first.bit_count() - second.bit_count() not in (0, 1):
        raise NotationError(f"{counts}: the first must have as many, or one more")
    mask = first | second
    if turn is not None and turn != mask.bit_count() & 1:
        raise NotationError(f"{counts}: it can't be the turn of the {PLAYERS[turn]} player")
    own, last = (second, first) if mask.bit_count() & 1 else (first, second)  # last: of who has moved last
    lines, early = lines_of(last, geometry), lines_of(own, geometry)
    mover = mask.bit_count() & 1
    if early and lines:
        raise NotationError(f"both players have won: {listed(early | lines, rules)}")
    if early:
        raise NotationError(f"the {PLAYERS[mover]} player has won but did not move last: {listed(early, rules)}")
    tops = (top_disc(mask, column, rules) for column in range(rules.width))
    if all(lines_of(last & ~top, geometry) for top in tops):
        raise NotationError(f"no last move of the {PLAYERS[1 - mover]} player can have made {listed(lines, rules)}")
    return own, mask


def _discs_of(grid: Grid, rules: Rules) -> tuple[int, int]:
    """The discs of the first and of the second player. NotationError for a disc above an empty cell."""
    discs = [0, 0, 0]  # by the contents of their cells
    for column in range(rules.width):
        is_filled = True  # up to the cell
        for row, cells in enumerate(reversed(grid)):
            cell = cells[column]
            if cell and not is_filled:
                where = place(rules.height - 1 - row, column)
                text = "the top row comes first, and Board.from_array(..., row_0='bottom') reads a board upside down"
                raise NotationError(f"the disc in {where} floats: a cell under it is empty ({text})")
            discs[cell] |= 1 << column * (rules.height + 1) + row
            is_filled = cell > 0
    return discs[1], discs[2]


def grid_of(first: int, second: int, rules: Rules) -> Grid:
    """The inverse of `_discs_of`."""
    stride = rules.height + 1
    return [
        [(first >> cell & 1) + 2 * (second >> cell & 1) for cell in range(row, rules.width * stride, stride)]
        for row in reversed(range(rules.height))
    ]


def places(cells: int, rules: Rules) -> tuple[tuple[int, int], ...]:
    """(column, row) of each cell, row 0 = bottom, sorted."""
    bits = format(cells, "b")[::-1]
    return tuple(divmod(bit, rules.height + 1) for bit, present in enumerate(bits) if present == "1")


def listed(lines: int, rules: Rules) -> str:
    """Winning lines in words, for an error message."""
    return f"the line through (column, row from the bottom) {', '.join(map(str, places(lines, rules)))}"


def filled(mask: int, column: int, rules: Rules) -> int:
    """The number of discs in a column, which is the row of the next one."""
    return (mask >> column * (rules.height + 1) & (1 << rules.height) - 1).bit_length()


def top_disc(mask: int, column: int, rules: Rules) -> int:
    """The topmost disc of a column; 0 for an empty column."""
    return (1 << filled(mask, column, rules) >> 1) << column * (rules.height + 1)


def mirrored(cells: int, rules: Rules) -> int:
    """The cells with left and right exchanged."""
    stride = rules.height + 1
    bits = format(cells, f"0{rules.width * stride}b")
    columns = [bits[start : start + stride] for start in range(0, len(bits), stride)]
    return int("".join(reversed(columns)), 2)
