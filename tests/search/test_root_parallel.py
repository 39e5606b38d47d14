"""search_ensemble: independent trees, added up."""

import numpy as np
from evaluators import fingerprint
from refusals import refused

from c4mcts import Board, Engine, GameOverError, SearchParams, search_ensemble, solve
from c4mcts.seeds import generator_state

UCT = SearchParams.preset("uct")


def test_it_is_the_sum_of_its_trees():
    result = search_ensemble(Board(), UCT, trees=3, seed=np.random.SeedSequence(1), simulations=300)
    assert result.simulations == 900
    assert sum(move.visits for move in result.moves) == 900
    assert result.column == max(result.moves, key=lambda move: move.visits).column
    values = [move.value for move in result.moves]
    assert min(values) > 0.2
    assert max(values) < 0.8


def test_one_tree_is_a_search():
    board = Board.from_pons("4453")
    ensemble = search_ensemble(board, UCT, trees=1, seed=5, simulations=100)
    seeds = np.random.SeedSequence(generator_state(5)).spawn(1)
    single = Engine(UCT, seed=seeds[0]).search(board, simulations=100)
    assert ensemble.moves == single.moves
    assert ensemble.column == single.column


def test_proofs_are_shared():
    board = Board.from_pons("45461667")
    result = search_ensemble(board, trees=3, seed=1, simulations=20_000)
    solution = solve(board)
    assert (result.proof, result.distance, result.value) == ("win", solution.distance, 1.0)
    assert result.column in solution.best


test_errors_come_out = refused(
    (lambda: search_ensemble(Board()), ValueError, "limit"),
    (lambda: search_ensemble("4142434", simulations=1), GameOverError, "the game is over"),
    (lambda: search_ensemble(Board(), 3, simulations=1), TypeError, "params"),
)


def test_trees_with_an_evaluator():
    params = SearchParams.preset("puct-node", batch_size=8)
    result = search_ensemble(Board(), params, trees=2, seed=1, evaluator=fingerprint, simulations=50)
    assert result.simulations == 100
    assert sum(move.visits for move in result.moves) == 98  # each root is evaluated itself
