"""What single parameters change: keep_tree, checks, discount; and as many simulations as there are open columns."""

import numpy as np
import pytest

from c4mcts import Board, Engine, Rules, SearchParams, search_ensemble
from c4mcts.cli import main
from c4mcts.play import EnginePlayer, contestant
from c4mcts.search.params import PRESETS

FRESH = SearchParams.preset("notebook-uct")
WINNING = Board.from_moves([3, 0, 3, 1, 3, 6])
THREATENED = Board.from_moves([0, 3, 1, 3, 6, 3])
BARE = ["uct-timed", "report-minimax", "report-random", "notebook-uct", "puct-node"]


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


def test_players_start_anew_and_nothing_ponders():
    player = EnginePlayer(FRESH, simulations=30)
    player.begin(np.random.SeedSequence(1))
    board = Board()
    for _ in range(4):
        board.push(player.choose(board))
        assert sum(move.visits for move in player.last.moves) == 30
    with pytest.raises(ValueError, match="pondering needs keep_tree=True, not False"):
        Engine(FRESH).ponder(Board())


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


def test_columns_in_the_shell(capsys):
    assert main(["analyze", "4453", "--preset", "uct", "--simulations", "columns", "--seed", "1", "--json"]) == 0
    assert '"simulations": "columns"' in capsys.readouterr().out


# checks


def test_presets_check_unless_their_source_does_not():
    assert [name for name in PRESETS if not SearchParams.preset(name).checks] == BARE


def chosen(board, params, simulations, seeds=30):
    return {Engine(params, seed=seed).search(board, simulations=simulations).column for seed in range(seeds)}


@pytest.mark.parametrize(("board", "column"), [(WINNING, 3), (THREATENED, 3)], ids=["win", "threat"])
def test_the_most_visited_move_is_played_whatever_it_misses(board, column):
    bare = SearchParams.preset("uct", checks=False, tie_break="random", choice="visits_only")
    assert chosen(board, bare.changed(checks=True), 7) == {column}
    assert len(chosen(board, bare, 7)) == 7
    for seed in range(10):
        result = Engine(bare, seed=seed).search(board, simulations=30)
        assert result.proof is None, "without proofs and checks a finished game is a rollout like another"
        assert all(move.proof is None for move in result.moves)
        most = max(move.visits for move in result.moves)
        assert result.moves[result.column].visits == most


@pytest.mark.parametrize("board", [WINNING, THREATENED], ids=["win", "threat"])
def test_proofs_decide_without_checks(board):
    params = SearchParams.preset("strong", checks=False)
    assert Engine(params, seed=1).search(board, simulations=50).column == 3
    nothing_known = Engine(params.changed(max_nodes=1), seed=1).search(board, simulations=5)
    assert (nothing_known.column, nothing_known.proof) == (0, None)


def test_ensembles_know_no_more():
    together = search_ensemble(WINNING, SearchParams.preset("uct-timed"), trees=2, seed=1, simulations=3)
    assert together.proof is None


# discount


def test_a_won_game_counts_at_its_distance():
    """Column 3 wins with the next disc: that child gets whole rewards, the root those of a loss in one ply."""
    engine = Engine(SearchParams.preset("uct", discount=0.9, proofs=True), seed=1)
    engine.search(WINNING, simulations=4)
    root, *nodes = engine.tree()
    assert nodes[3]["value_sum"] == 100 * nodes[3]["visits"]
    assert (root["visits"], root["value_sum"]) == (1, round(50 - 50 * 0.9))
