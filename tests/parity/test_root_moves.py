"""Searches of some of the root's moves: the same tree on both backends, and nothing about the other moves in it."""

import numpy as np
import pytest
from evaluators import fingerprint
from random_boards import random_board

from c4mcts import Board, Engine, GumbelParams, IllegalMoveError, PuctParams, Rules, SearchParams, solve

pytestmark = pytest.mark.native
EVALUATED = {"puct": PuctParams(batch_size=3), "gumbel": GumbelParams()}


@pytest.mark.parametrize(
    "name", ["strong", "uct", "uct-timed", "notebook-uct", "report-minimax", "network", *EVALUATED]
)
@pytest.mark.parametrize(("position", "root_moves"), [("4453", [2, 6]), ("44444", [0]), ("", [1, 2, 3, 5])])
def test_the_other_moves_get_no_visits(name, position, root_moves):
    board, trees = Board.from_pons(position), []
    for backend in ("native", "pure"):
        params = EVALUATED.get(name) or SearchParams.preset(name)
        engine = Engine(params, seed=3, backend=backend, evaluator=fingerprint if name in EVALUATED else None)
        result = engine.search(board, simulations=60, root_moves=root_moves)
        assert [move.column for move in result.moves] == root_moves
        assert result.column in root_moves
        assert result.move(root_moves[0]) == result.moves[0]
        other = next(column for column in board.legal_columns if column not in root_moves)
        with pytest.raises(IllegalMoveError, match=f"column {other} is not one of the root_moves"):
            result.move(other)
        assert result.policy(1.0)[[c for c in range(7) if c not in root_moves]].sum() == 0
        trees.append(engine.tree())
    np.testing.assert_array_equal(*trees)


@pytest.mark.parametrize("rules", [Rules(5, 4), Rules(4, 4, 3), Rules(8, 8, 4)], ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_proven_is_the_best_of_these_moves(rules, seed):
    drawn = np.random.default_rng(seed)
    board = random_board(rules, rules.cells - 14, drawn)
    scores = solve(board).columns
    for column in board.legal_columns:
        found = [
            Engine(seed=1, backend=backend).search(board, simulations=3000, root_moves=[column])
            for backend in ("native", "pure")
        ]
        assert found[0].moves == found[1].moves
        assert found[0].proof == {1: "win", 0: "draw", -1: "loss"}[int(np.sign(scores[column]))]
        assert found[0].moves[0].lower == found[0].moves[0].upper == scores[column]
    worst = min(board.legal_columns, key=lambda column: scores[column])
    others = [column for column in board.legal_columns if column != worst]
    if others:
        result = Engine(seed=1).search(board, simulations=3000, root_moves=others)
        assert scores[result.column] == max(scores[column] for column in others)


def test_a_tree_is_only_continued_for_the_same_moves():
    board, engine = Board.from_pons("4453"), Engine(SearchParams.preset("uct"), seed=1)
    visits = []
    for root_moves in ([2, 4], [4, 2, 2], None, range(7), [2, 4], [4]):
        result = engine.search(board, simulations=50, root_moves=root_moves)
        visits.append(sum(move.visits for move in result.moves))
    assert visits == [50, 100, 50, 100, 50, 50]
    engine.search(board.after(4), simulations=10)  # the subtree of a move is as any other
    assert sum(move.visits for move in engine.search(board.after(4), simulations=10).moves) > 20


def test_a_tree_of_some_moves_is_not_saved(tmp_path):
    engine = Engine(seed=1)
    engine.search(Board(), simulations=100, root_moves=[0, 1])
    engine.save(tmp_path / "engine")
    assert Engine.load(tmp_path / "engine").board is None


@pytest.mark.parametrize(
    ("root_moves", "error", "words"),
    [
        ([], ValueError, "some of the legal columns"),
        ([7], ValueError, "not \\[7\\]"),
        ([3], ValueError, "legal columns \\[0, 1"),
        (["a"], TypeError, "root_moves must be an integer"),
        (3, TypeError, "root_moves must be columns"),
    ],
)
def test_wrong_moves_are_refused(root_moves, error, words):
    full = Board.from_pons("444444")
    with pytest.raises(error, match=words):
        Engine(seed=1).search(full, simulations=10, root_moves=root_moves)
    with pytest.raises(error, match=words):
        next(Engine(seed=1).analysis(full, simulations=10, root_moves=root_moves))
