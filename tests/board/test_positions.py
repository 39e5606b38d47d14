"""Planes of boards, compared cell by cell with their arrays; and the pre-filled board: reachable, and as it says."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from random_boards import random_game
from strategies import boards as any_board

from c4mcts import Board, Engine, Rules, SearchParams, prefilled_board, solve
from c4mcts.board.positions import planes_of


def by_cells(board):
    """Planes of the player to move and of the opponent, from the array of the board."""
    array = board.to_array()
    return np.stack([array == board.turn + 1, array == 2 - board.turn])


def test_the_top_row_comes_first_and_own_discs_come_first():
    planes = planes_of([Board.from_moves([0, 3, 0])])  # the second player is to move
    assert planes.shape == (1, 2, 6, 7)
    assert planes.dtype == np.float32
    assert [tuple(map(int, cell)) for cell in np.argwhere(planes[0, 0])] == [(5, 3)]
    assert [tuple(map(int, cell)) for cell in np.argwhere(planes[0, 1])] == [(4, 0), (5, 0)]


@given(any_board())
def test_every_cell(board):
    np.testing.assert_array_equal(planes_of([board])[0], by_cells(board))
    signed = planes_of([board], "signed")
    own, other = by_cells(board).astype(int)
    assert signed.shape == (1, board.rules.height, board.rules.width, 1)
    assert signed.dtype == np.float32
    np.testing.assert_array_equal(signed[0, :, :, 0], own - other)


@pytest.mark.parametrize("rules", [Rules(), Rules(64, 64), Rules(20, 14), Rules(1, 1), Rules(9, 1), Rules(1, 9)])
def test_many_boards_at_once(rules):
    game = random_game(rules, np.random.default_rng(1), 60)
    boards = [Board.from_moves(game.moves[:ply], rules) for ply in range(game.ply + 1)]
    np.testing.assert_array_equal(planes_of(iter(boards)), [by_cells(board) for board in boards])


@pytest.mark.parametrize(("preset", "planes"), [("alphazero", "binary"), ("puct-node", "signed")])
def test_an_evaluator_gets_the_same(preset, planes, backend):
    seen = []

    def evaluator(given, legal):
        seen.append(given)
        return np.ones(legal.shape), np.zeros(len(legal))

    board = Board.from_pons("4453")
    Engine(SearchParams.preset(preset), evaluator=evaluator, backend=backend).search(board, simulations=1)
    np.testing.assert_array_equal(seen[0], planes_of([board], planes))
    assert seen[0].dtype == np.float32


def test_boards_of_different_rules_are_refused():
    with pytest.raises(ValueError, match="same rules"):
        planes_of([Board(), Board(Rules(8, 8))])


def test_one_column_wins_late_and_the_other_loses():
    board = prefilled_board()
    assert not board.winning_columns()
    assert not board.threatened_columns()
    solution = solve(board)
    assert solution.columns == (None, None, -2, None, None, 1, None)
    assert solution.distance == 11
    board.push(2)
    assert solve(board).distance == 9


def test_every_call_gives_a_board_of_its_own():
    board = prefilled_board()
    board.push(2)
    assert board != prefilled_board()


def test_the_file_of_the_examples_holds_the_same():
    file = Path(__file__).parents[2] / "examples" / "prefilled.txt"
    assert file.read_text(encoding="utf-8") == f"{prefilled_board()}\n"
