"""Boards as pixels: the colour at the centre of each cell, the marks, and sizes for every board."""

import pytest

from c4mcts import Board, Rules
from c4mcts.adapters.rendering import colour, pixels_of
from c4mcts.board.svg import CELL, EDGE, FILLS, FRAME, HOLE

WHITE = (255, 255, 255)


def at(image, row, column, *, up=0, right=0):
    """The colour near the centre of a cell; row 0 is on top."""
    y, x = (EDGE + index * CELL + CELL // 2 for index in (row, column))
    return tuple(image[y - up, x + right].tolist())


def rgb(name):
    return tuple(colour(name).astype(int).tolist())


def test_every_cell_has_its_colour():
    board = Board.from_pons("444433")
    image = pixels_of(board)
    for row, cells in enumerate(board.to_array().tolist()):
        for column, cell in enumerate(cells):
            if (column, board.rules.height - 1 - row) != board.last_cell:
                assert at(image, row, column) == rgb((HOLE, *FILLS)[cell])
    assert at(image, 0, 0, up=CELL // 2, right=CELL // 2) == rgb(FRAME)


def test_the_last_move_and_a_winning_line_are_marked():
    image = pixels_of(Board.from_pons("1212121"))
    for row in (2, 3, 4, 5):
        assert at(image, row, 0, up=20) == WHITE
    assert at(image, 2, 0) == rgb("#111111")
    assert at(image, 3, 1, up=20) != WHITE


@pytest.mark.parametrize(
    ("rules", "shape"),
    [(Rules(1, 1, 2), (68, 68)), (Rules(), (308, 356)), (Rules(64, 1), (20, 902)), (Rules(64, 64), (902, 902))],
    ids=str,
)
def test_sizes_are_even_and_bounded(rules, shape):
    assert pixels_of(Board(rules)).shape == (*shape, 3)
