"""The pre-filled board: reachable, equal to its file, and with the properties that its docstring claims."""

import json
from pathlib import Path

import numpy as np
import pytest

from c4mcts import Engine, NotationError, SearchParams, prefilled_board, solve
from c4mcts.cli import main

FILE = Path(__file__).parents[2] / "examples" / "prefilled.txt"


def test_five_columns_are_full_and_the_first_player_is_to_move():
    board = prefilled_board()
    assert board.legal_columns == [2, 5]
    assert board.ply == 30
    assert board.turn == 0
    assert not board.is_over()
    cells = board.to_array()
    assert (cells[:, [2, 5]] == 0).all()
    assert [np.count_nonzero(cells == player) for player in (1, 2)] == [15, 15]


def test_one_column_wins_late_and_the_other_loses():
    board = prefilled_board()
    assert not board.winning_columns()
    assert not board.threatened_columns()
    solution = solve(board)
    assert solution.columns == (None, None, -2, None, None, 1, None)
    assert solution.distance == 11
    board.push(2)
    assert solve(board).distance == 9


def test_plain_search_has_to_change_its_mind():
    found = {}
    for simulations in (20, 1000):
        engines = [Engine(SearchParams.preset("uct"), seed=seed) for seed in range(50)]
        found[simulations] = sum(
            engine.search(prefilled_board(), simulations=simulations).column == 5 for engine in engines
        )
    assert found[20] < 25
    assert found[1000] == 50


def test_every_call_gives_a_board_of_its_own():
    board = prefilled_board()
    board.push(2)
    assert board != prefilled_board()
    with pytest.raises(NotationError, match="set up"):
        prefilled_board().to_moves()


def test_the_file_holds_the_same(capsys):
    assert FILE.read_text(encoding="utf-8") == f"{prefilled_board()}\n"
    assert main(["analyze", "--start", str(FILE), "--simulations", "9", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["board"] == prefilled_board().to_fen()
