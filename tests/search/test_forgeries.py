"""Saved engines with a right hash and another content: refused with a reason, or searched like any other."""

import numpy as np
import pytest
from forging import FREE, forged, repacked, scores

from c4mcts import Board, Engine, Rules, SaveError, SearchParams, UctParams
from c4mcts._layout import DRAWN, LOST, MAX_VALUE_SUM, NOT_LOST, WON
from c4mcts.search.params import UctTimedParams


def block(nodes, node, first):
    """Give a node seven children, from an index on."""
    nodes["children"][node], nodes["size"][node] = first, 7
    nodes["column"][first : first + 7] = range(7)


@pytest.mark.parametrize("blocks", [[(1, 1)], [(1, 8), (2, 8)], [(1, 8), (8, 1)], [(1, 8), (2, 7)]], ids=str)
@pytest.mark.parametrize("transpositions", [True, False], ids=["shared", "tree"])
def test_a_block_of_children_has_one_owner(backend, transpositions, blocks):
    """What is below a block is looked at for one position; under another it would lead out of the board."""

    def change(parts):
        parts.nodes = np.resize(parts.nodes, 8 if blocks == [(1, 1)] else 15)
        parts.nodes[8:] = 0
        for node, first in reversed(blocks):
            block(parts.nodes, node, first)
        parts.nodes["visits"] = [10_000, *[1000] * 7, *[1] * 7][: len(parts.nodes)]
        parts.nodes["value_sum"] = 0

    with pytest.raises(SaveError, match=r"shares children with another|overlap others|not the open"):
        forged(SearchParams.preset("uct", transpositions=transpositions), Board(), change, backend)


END = Board.from_pons("121212")  # column 0 wins at once
LAST = Board.from_moves([0, 0, 1, 1, 0, 1, 1], Rules(2, 4, 5))  # one cell is left: a draw


@pytest.mark.parametrize("params", [UctParams(), SearchParams.preset("uct")], ids=["proofs", "counts"])
@pytest.mark.parametrize(
    ("board", "proof"), [(END, 0), (LAST, 0), (LAST, NOT_LOST), (END, NOT_LOST)], ids=lambda x: str(x)[:1]
)
def test_the_end_of_a_game_must_be_known_as_such(backend, params, board, proof):
    def change(parts):
        nodes = parts.nodes
        assert nodes["proof"][1] in (WON, DRAWN)
        nodes["proof"][1] = proof
        nodes["proof"][0] = 0

    with pytest.raises(SaveError, match="node 1: the game is over there, but a search would continue"):
        forged(params, board, change, backend, simulations=30)


@pytest.mark.parametrize("proof", [WON, WON + 2, LOST, LOST + 41, DRAWN + 3, NOT_LOST])
@pytest.mark.parametrize("node", [0, 1])
def test_false_proofs_are_believed_and_harm_nothing(backend, node, proof):
    """A root or a first move with a proof that follows from nothing."""

    def change(parts):
        parts.nodes["proof"][node] = proof

    for params in (UctParams(), SearchParams.preset("uct"), UctTimedParams()):
        engine = forged(params, Board(), change, backend, simulations=30)
        result = engine.search(Board(), simulations=50)
        assert str(result)
        assert result.policy().sum() == pytest.approx(1)
        engine.advance(result.column)
        assert engine.search(engine.board, simulations=50).column in engine.board.legal_columns
        engine._check()


@pytest.mark.parametrize("node", [0, 1])
def test_false_counts_are_believed_and_harm_nothing(backend, node):
    """A node has fewer visits than its children, even none."""

    def change(parts):
        assert parts.nodes["size"][node]
        parts.nodes["visits"][node] = parts.nodes["value_sum"][node] = 0

    for params in (UctParams(probes=False), SearchParams.preset("uct", transpositions=True), UctTimedParams()):
        engine = forged(params, Board(), change, backend, simulations=60)
        assert engine.search(Board(), simulations=50).simulations == 50
        engine._check()


@pytest.mark.parametrize("visits", [MAX_VALUE_SUM // 2 - 7, MAX_VALUE_SUM // 2])
def test_room_is_counted_from_the_node_with_the_most_visits(backend, visits):
    """A shared child may have more than the root, so that its sum would be the first to overflow."""

    def change(parts):
        nodes = parts.nodes
        nodes["visits"][3], nodes["value_sum"][3] = visits, 2 * visits

    engine = forged(FREE, Board(), change, backend)
    result = engine.search(Board(), simulations=100)
    assert result.simulations == (7 if visits < MAX_VALUE_SUM // 2 else 100)
    assert engine.search(Board(), simulations=100).simulations == 100  # a new tree
    assert engine.tree()["visits"].max() <= 200


def bounds(column, lower, upper):
    return lambda parts: parts.facts.update(bounds=[[column, [lower, upper]]])


@pytest.mark.parametrize(("lower", "upper"), [(1, 3), (0, 0), (-3, -1)])
def test_bounds_that_turn_out_wrong_harm_nothing(backend, lower, upper, tmp_path):
    """Nothing speaks against them when they are loaded; the search believes them, and goes on."""
    board = Board.from_moves([2, 2, 1], Rules(6, 5))
    params = UctParams(probes=False)
    right = Engine(params, seed=1, backend=backend).search(board, simulations=301).moves
    assert {move.column for move in right if (move.proof, move.distance) == ("loss", 4)} == {1, 2, 5}
    for column in board.legal_columns:
        engine = forged(params, board, bounds(column, lower, upper), backend)
        moves = engine.search(board, simulations=300).moves
        assert [move.visits for move in moves] == [move.visits for move in right]
        engine.save(tmp_path / "file")
        assert Engine.load(tmp_path / "file", backend=backend).search(board, simulations=1).moves[column].visits


SOLVED = Engine(seed=1)
SOLVED.search(Board(Rules(5, 4)), simulations=400)


@pytest.mark.parametrize(("lower", "upper"), [(-64, 0), (0, -64), (63, 63), (-63, -63)])
def test_scores_that_no_game_has_are_refused(backend, lower, upper):
    with pytest.raises(SaveError, match="the solver's table has another size, or scores that no game has"):
        Engine._unpacked(repacked(SOLVED._packed(), scores(lower, upper)), backend)
