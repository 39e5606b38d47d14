"""TicTacToe: its rules, and that a search plays it perfectly."""

from collections import Counter

import numpy as np
import pytest

from c4mcts import IllegalMoveError
from c4mcts.games import GameSearch, TicTacToe


def test_tic_tac_toe_is_drawn():
    assert str(TicTacToe()) == "0 1 2\n3 4 5\n6 7 8"
    assert str(TicTacToe([4, 0, 8])) == "o 1 2\n3 x 5\n6 7 x"


def after(game, move):
    copy = game.copy()
    copy.push(move)
    return copy


def positions():
    """All positions of all games, by their picture."""
    found, todo = {}, [TicTacToe()]
    while todo:
        game = todo.pop()
        if found.setdefault(str(game), game) is game:
            todo += [after(game, move) for move in game.legal_moves]
    return found


def test_all_positions_of_all_games():
    """5,478 positions, of which 958 are the end of a game: 626 won by the first player, 316 by the second, 16 drawn."""
    games = positions().values()
    assert len(games) == 5478
    assert Counter(game.result(0) for game in games if game.is_over()) == {1: 626, -1: 316, 0: 16}


def value(game):
    """1, 0 or -1 for the player to move, if both play perfectly."""
    if game.is_over():
        return game.result(game.turn)
    return max(-value(after(game, move)) for move in game.legal_moves)


def test_moves_keep_the_value_of_their_position():
    games = [game for game in positions().values() if len(game.moves) > 1 and not game.is_over()]
    for game in games[::70]:
        move = GameSearch(game, seed=2).search(simulations=2000).move
        assert -value(after(game, move)) == value(game), game


def test_representations_round_trip():
    for moves in ([], [4], [4, 0, 8]):
        game = TicTacToe(moves)
        assert str(eval(repr(game))) == str(game)


@pytest.mark.parametrize(
    ("moves", "results"),
    [
        ([0, 3, 1, 4, 2], (1, -1)),
        ([0, 3, 1, 4, 8, 5], (-1, 1)),
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
