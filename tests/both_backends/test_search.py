"""The search module against textbook UCT written independently, and what its tree must look like."""

import numpy as np
import pytest
from oracles.evaluation import as_game
from oracles.uct import uct
from trees import require_same_tree

from c4mcts import Board, Engine, Rules, SearchParams
from c4mcts._backend import load
from c4mcts._layout import LOG_BITS, log_table
from c4mcts.seeds import generator_state


@pytest.mark.parametrize(
    ("rules", "moves", "simulations"),
    [
        (Rules(), [], 400),
        (Rules(), [3, 3, 3, 3, 3], 300),
        (Rules(7, 6, 4, diagonals=False), [3, 3, 2], 300),
        (Rules(5, 4, 3), [], 400),
        (Rules(4, 4), [0, 1, 1, 0], 500),
        (Rules(9, 9), [4], 150),
        (Rules(20, 14), [], 60),
        (Rules(1, 6), [], 40),
        (Rules(6, 1, 3), [2], 300),
        (Rules(3, 3, 4), [], 500),
    ],
    ids=str,
)
@pytest.mark.parametrize(("exploration", "transpositions"), [(1.4, False), (0.3, True)], ids=["tree", "shared"])
def test_trees_are_those_of_textbook_uct(rules, moves, simulations, exploration, transpositions):
    params = SearchParams.preset("uct", exploration=exploration, transpositions=transpositions)
    engine = Engine(params, seed=11)  # of one backend: tests/parity compares the trees of both
    random_bits, _ = load().numbers.stream(generator_state(11), 100_000)
    engine.search(Board.from_moves(moves, rules), simulations=simulations)
    root = uct(as_game(rules, moves), simulations, random_bits, exploration, transpositions=transpositions)
    require_same_tree(engine.tree(), root, units=2)


def test_random_ties_are_fair():
    """Chi-square over the first column tried: 7 columns, 700 seeds; 22.5 is the 0.1 % point of 6 degrees of freedom."""
    counts = np.zeros(7)
    for seed in range(700):
        engine = Engine(SearchParams.preset("uct", tie_break="random"), seed=seed)
        visited = [move.visits for move in engine.search(Board(), simulations=1).moves]
        counts += visited
    assert ((counts - 100) ** 2 / 100).sum() < 22.5


def test_a_finite_first_play_leaves_columns_untried():
    """A move that does better than what is promised to the others keeps them waiting."""
    board = Board.from_moves([2, 0, 3, 0, 4, 0])

    def untried(first_play):
        params = SearchParams.preset("uct", first_play=first_play, exploration=0.0)
        result = Engine(params, seed=1).search(board, simulations=100)
        return sum(move.visits == 0 for move in result.moves)

    assert untried(float("inf")) == 0
    assert untried(0.2) >= 5


def test_logarithms():
    table = log_table()
    assert len(table) == 1 << LOG_BITS
    assert np.allclose(np.asarray(table)[1:], np.log(np.arange(1, len(table))), rtol=1e-15, atol=0)


def test_the_value_of_the_root_is_the_mean_of_its_moves():
    """Of all simulations through a move; where the root is proven, the exact value."""
    for rewards in ((1, 0.5, 0), (1, 0, 0)):
        params = SearchParams.preset("uct-timed", rewards=rewards, checks=True)
        engine = Engine(params, seed=3)
        first = engine.search(Board(Rules(3, 3, 3)), simulations=1)
        assert first.root_value in (0.0, 0.5, 1.0)
        result = engine.search(Board(Rules(3, 3, 3)), simulations=200)
        total = sum(move.visits * move.value for move in result.moves)
        assert result.root_value == pytest.approx(total / sum(move.visits for move in result.moves))
        assert result.to_dict()["root_value"] == result.root_value
    proven = Engine(seed=1).search(Board.from_moves([3, 0, 3, 1, 3, 6]), simulations=50)
    assert (proven.proof, proven.root_value) == ("win", 1.0)


def test_the_proof_of_a_new_root_follows_from_its_children():
    """A node that was proven by lookahead has no children: as a root it is searched, so that its moves have proofs."""
    board = Board.from_moves([2, 2, 3, 3])
    engine = Engine(SearchParams.preset("uct", proofs=True), seed=1)
    win = engine.search(board, simulations=100).column
    assert win in (1, 4), "an open three"
    assert engine.tree()["size"][1 + win] == 0
    engine.advance(win)
    board.push(win)
    result = engine.search(board, simulations=100)
    assert result.simulations > 0
    assert (result.proof, result.distance) == ("loss", 2)
    assert all(move.proof == "loss" for move in result.moves)
