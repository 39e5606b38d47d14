"""Sets of cells as integers, with the layout that bitboard describes; the lines and the gaps among them."""

from ..rules import run_directions, run_steps


class Geometry:
    """Constants that follow from the rules."""

    __slots__ = (
        "board",
        "bottom",
        "cells",
        "choices_per_draw",
        "connect",
        "directions",
        "first_win",
        "follow_up",
        "height",
        "steps",
        "top",
        "width",
    )


def geometry_of(rules):
    """Precompute the sets of cells and the constants that the moves of a game with these rules need."""
    geometry = Geometry()
    geometry.width = rules.width
    geometry.height = rules.height
    geometry.cells = rules.width * rules.height
    geometry.connect = rules.connect
    geometry.bottom = sum(1 << column * (rules.height + 1) for column in range(rules.width))
    geometry.board = sum((1 << rules.height) - 1 << column * (rules.height + 1) for column in range(rules.width))
    # cells at an even distance from the top row: a player who always answers in the same column gets these
    geometry.follow_up = sum(geometry.bottom << row for row in range(rules.height - 1, -1, -2))
    geometry.directions = run_directions(rules)
    geometry.steps = run_steps(rules) if geometry.directions else []
    geometry.top = sum(1 << column * (rules.height + 1) + rules.height - 1 for column in range(rules.width))
    # a move completes a line only if its player has connect - 1 discs on the board already
    geometry.first_win = 2 * (rules.connect - 1) if geometry.directions else geometry.cells
    # 64 random bits serve several choices of a column, as long as at least 32 bits remain for the last one
    geometry.choices_per_draw = 1
    while geometry.choices_per_draw < 32 and rules.width ** (geometry.choices_per_draw + 1) <= 1 << 32:
        geometry.choices_per_draw += 1
    return geometry


def mirror(cells, geometry):
    """The cells with left and right exchanged."""
    stride = geometry.height + 1
    column = (1 << stride) - 1
    mirrored = 0
    for _ in range(geometry.width):
        mirrored = mirrored << stride | cells & column
        cells >>= stride
    return mirrored


def has_line(cells, geometry):
    """Whether there is a winning line among the cells."""
    for direction in geometry.directions:
        run = cells
        for step in geometry.steps:
            run &= run >> step * direction
        if run:
            return True
    return False


def line_starts(cells, geometry):
    """The lowest cells of all winning lines among the cells."""
    starts = 0
    for direction in geometry.directions:
        run = cells
        for step in geometry.steps:
            run &= run >> step * direction
        starts |= run
    return starts


def lines(cells, geometry):
    """The cells of all winning lines among the cells."""
    found = 0
    for direction in geometry.directions:
        run = cells
        for step in geometry.steps:
            run &= run >> step * direction
        for step in geometry.steps:
            run |= run << step * direction
        found |= run
    return found


def gaps(discs, direction, connect):
    """Cells with which these discs complete a run along one direction, including occupied cells and padding."""
    # ahead[i]: the next i cells along the direction hold discs; behind: the last i
    ahead = [-1] * connect
    behind = -1
    for i in range(1, connect):
        ahead[i] = ahead[i - 1] & discs >> i * direction
    cells = ahead[connect - 1]
    for i in range(1, connect):
        behind &= discs << i * direction
        cells |= behind & ahead[connect - 1 - i]
    return cells


def winning_cells(discs, geometry):
    """Cells with which these discs complete a line, including occupied cells."""
    cells = 0
    for direction in geometry.directions:
        cells |= gaps(discs, direction, geometry.connect)
    return cells & geometry.board
