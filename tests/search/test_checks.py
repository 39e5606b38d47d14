"""checks=False: the search alone decides, also where a move wins at once or answers a threat."""

import pytest

from c4mcts import Board, Engine, SearchParams, search_ensemble
from c4mcts.search.params import PRESETS

WINNING = Board.from_moves([3, 0, 3, 1, 3, 6])
THREATENED = Board.from_moves([0, 3, 1, 3, 6, 3])
BARE = ["uct-timed", "report-minimax", "report-random", "notebook-uct", "puct-node"]


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


def test_saved_engines_and_ensembles_know_no_more(tmp_path):
    params = SearchParams.preset("notebook-uct")
    engine = Engine(params, seed=3)
    before = engine.search(WINNING, simulations=5)
    engine.save(tmp_path / "e.c4")
    loaded = Engine.load(tmp_path / "e.c4")
    assert loaded._tree.root_moves().moves() == engine._tree.root_moves().moves()
    assert before.proof is None
    together = search_ensemble(WINNING, SearchParams.preset("uct-timed"), trees=2, seed=1, simulations=3)
    assert together.proof is None
