"""bench/published.py reads the books of another package: checked on a small book in the same form."""

import sys
from pathlib import Path

import numpy as np
import pytest

from c4mcts import Board, solve

sys.path.append(str(Path(__file__).parents[1] / "bench"))
from published import PublishedBook

GAMES = ["4444", "12", "77777712", ""]


def code(board: Board, size: int) -> int:
    """The bits of a position: 10 and 11 for discs, 0 at the end of a column, zeros up to the size."""
    columns = board.to_array()[::-1].T.tolist()
    bits = "".join("".join({1: "10", 2: "11"}.get(cell, "") for cell in column) + "0" for column in columns)
    return int(bits.ljust(8 * size, "0"), 2)


@pytest.mark.parametrize("has_distances", [True, False])
def test_positions_and_values_come_back(has_distances):
    boards = [Board.from_pons(game) for game in GAMES]
    values = [71, -88, 0, 97] if has_distances else [0, -1, -1, 0]
    data = b"".join(
        code(board, 4).to_bytes(4, "big") + value.to_bytes(1, "big", signed=True)
        if has_distances
        else (code(board, 4) - value).to_bytes(4, "big")
        for board, value in zip(boards, values, strict=True)
    )
    positions, read = PublishedBook("a book", 0, 4, has_distances).content(data)
    assert read.tolist() == values
    assert positions.own.tolist() == [board.own for board in boards]
    assert positions.mask.tolist() == [board.mask for board in boards]


@pytest.mark.parametrize("moves", ["4453", "445366", "45461667"])
def test_the_expected_value_has_the_distance_of_the_solver(moves):
    board = Board.from_pons(moves)
    solution = solve(board)
    expected = PublishedBook("a book", 8, 4, True).expected(np.array([solution.score], np.int8), 42 - board.ply)
    assert abs(int(expected[0])) == (100 - solution.distance if solution.score else 0)
