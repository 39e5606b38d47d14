"""TicTacToe, without a search."""

import numpy as np
import pytest

from c4mcts import IllegalMoveError
from c4mcts.games import TicTacToe


def test_tic_tac_toe_is_drawn():
    assert str(TicTacToe()) == "0 1 2\n3 4 5\n6 7 8"
    assert str(TicTacToe([4, 0, 8])) == "o 1 2\n3 x 5\n6 7 x"


def test_representations_round_trip():
    for moves in ([], [4], [4, 0, 8]):
        game = TicTacToe(moves)
        assert str(eval(repr(game))) == str(game)


@pytest.mark.parametrize(
    ("moves", "results"),
    [
        ([0, 3, 1, 4, 2], (1, -1)),
        ([0, 3, 1, 4, 8, 5], (-1, 1)),
        ([2, 1, 4, 7, 6], (1, -1)),
        ([0, 1, 3, 4, 6], (1, -1)),
        ([0, 1, 4, 2, 8], (1, -1)),
        ([0, 1, 2, 4, 3, 5, 7, 6, 8], (0, 0)),
        ([0, 1, 2, 4, 3, 5, 7, 8, 6], (1, -1)),  # on a full board
    ],
)
def test_ends_of_tic_tac_toe(moves, results):
    game = TicTacToe(moves[:-1])
    assert not game.is_over()
    assert game.turn == (len(moves) - 1) % 2
    game.push(moves[-1])
    assert game.is_over()
    assert (game.result(0), game.result(1)) == results
    with pytest.raises(IllegalMoveError, match="can't be marked in"):
        game.push(min(set(range(9)) - set(moves), default=0))


def test_legal_moves_of_tic_tac_toe():
    assert TicTacToe().legal_moves == list(range(9))
    assert TicTacToe([4, 0]).legal_moves == [1, 2, 3, 5, 6, 7, 8]
    assert TicTacToe([0, 3, 1, 4, 2]).legal_moves == []


@pytest.mark.parametrize(
    ("move", "error", "text"),
    [
        (4, IllegalMoveError, r"cell 4 can't be marked in TicTacToe\(\[4\]\)"),
        (9, IllegalMoveError, "cell 9 can't be marked"),
        ("1", TypeError, "move must be an integer, not '1'"),
    ],
)
def test_illegal_marks_change_nothing(move, error, text):
    game = TicTacToe([4])
    with pytest.raises(error, match=text):
        game.push(move)
    assert str(game) == str(TicTacToe([4]))
    with pytest.raises(error, match=text):
        TicTacToe([4, move])


def test_clones_are_independent():
    game = TicTacToe([4])
    clone = game.copy()
    clone.push(np.int64(0))
    assert (game.turn, clone.turn) == (1, 0)
    assert str(game) != str(clone)
    assert type(clone) is TicTacToe
