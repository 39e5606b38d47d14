"""Trees that are not kept: keep_tree=False, Engine.forget; and as many simulations as there are open columns."""

import numpy as np
import pytest

from c4mcts import Board, Engine, Rules, SearchParams, search_ensemble
from c4mcts.cli import main
from c4mcts.games import GameSearch, TicTacToe
from c4mcts.play import EnginePlayer, contestant

FRESH = SearchParams.preset("notebook-uct")


def test_the_notebook_starts_anew_at_every_call():
    assert not FRESH.keep_tree
    engine = Engine(FRESH, seed=2)
    first = engine.search(Board(), simulations=50)
    again = engine.search(Board(), simulations=50)
    assert engine.tree()["visits"][0] == 50
    assert first.moves != again.moves, "the random numbers continue"
    kept = Engine(FRESH.changed(keep_tree=True), seed=2)
    kept.search(Board(), simulations=50)
    kept.search(Board(), simulations=50)
    assert kept.tree()["visits"][0] == 100


def test_forgetting_leaves_the_generator_alone():
    """After `forget` the search is that of a new tree with the generator as it is, after `reset` the first again."""
    engine, fresh = (
        Engine(FRESH.changed(keep_tree=True), seed=2),
        Engine(FRESH, seed=2),
    )
    first = engine.search(Board(), simulations=50)
    fresh.search(Board(), simulations=50)
    engine.forget()
    assert (engine.board, len(engine.tree()), engine.nbytes) == (None, 0, 0)
    second = engine.search(Board(), simulations=50)
    assert second.moves == fresh.search(Board(), simulations=50).moves
    engine.reset()
    assert engine.search(Board(), simulations=50).moves == first.moves


def test_a_saved_engine_without_a_tree_keeps_its_generator(tmp_path):
    engine = Engine(FRESH, seed=2)
    engine.search(Board(), simulations=50)
    engine.forget()
    engine.save(tmp_path / "e.c4")
    loaded = Engine.load(tmp_path / "e.c4")
    assert loaded.search(Board(), simulations=50).moves == engine.search(Board(), simulations=50).moves


def test_other_boards_and_players_start_anew():
    engine = Engine(FRESH, seed=1)
    engine.search(Board(), simulations=50)
    engine.search(Board(Rules(5, 4)), simulations=20)
    assert engine.tree()["visits"][0] == 20
    player = EnginePlayer(FRESH, simulations=30)
    player.begin(np.random.SeedSequence(1))
    board = Board()
    for _ in range(4):
        board.push(player.choose(board))
        assert sum(move.visits for move in player.last.moves) == 30
    with pytest.raises(ValueError, match="pondering needs keep_tree=True, not False"):
        engine.ponder(Board())


# simulations="columns"


@pytest.mark.parametrize("moves", [[], [0] * 5, [0, 1] * 2 + [1, 0, 0]], ids=["empty", "one full", "some"])
def test_as_many_simulations_as_open_columns(moves):
    board = Board.from_moves(moves, Rules(6, 5, 4, diagonals=False))
    result = Engine(SearchParams.preset("no-diagonals"), seed=1).search(board, simulations="columns")
    assert result.simulations == len(board.legal_columns) == (5 if len(moves) == 5 else 6)
    assert {move.visits for move in result.moves} == {1}


def test_columns_wherever_limits_are_taken():
    params = SearchParams.preset("uct")
    assert search_ensemble(Board(), params, trees=3, seed=1, simulations="columns").simulations == 21
    assert [result.simulations for result in Engine(params, seed=1).analysis(Board(), simulations="columns")][-1] == 7
    player = contestant("no-diagonals@columns").make()
    player.choose(Board(Rules(6, 5)))
    assert player.last.simulations == 6


def test_a_game_has_no_columns():
    with pytest.raises(ValueError, match="simulations='columns' is for an Engine only"):
        GameSearch(TicTacToe()).search(simulations="columns")


def test_columns_in_the_shell(capsys):
    assert main(["analyze", "4453", "--preset", "uct", "--simulations", "columns", "--seed", "1", "--json"]) == 0
    assert '"simulations": "columns"' in capsys.readouterr().out
    assert main(["analyze", "--simulations", "rows"]) == 2
    assert "invalid simulations value: 'rows'" in capsys.readouterr().err
