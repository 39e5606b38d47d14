"""Saved engines with a right hash and another content: refused with a reason, or as good as any other."""

import numpy as np
import pytest
from forging import FREE, forged, repacked, scores

from c4mcts import Board, Engine, Rules, SaveError, SearchParams, UctParams
from c4mcts._layout import DRAWN, LOST, MAX_VALUE_SUM, NOT_LOST, WON
from c4mcts.search.presets import UctTimedParams


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

    with pytest.raises(SaveError, match=r"shares children with another|overlap others|fewer visits|not the open"):
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

    with pytest.raises(SaveError, match=r"node 1: (the game is over there, but|it has an impossible proof)"):
        forged(params, board, change, backend, simulations=30)


@pytest.mark.parametrize("proof", [WON + 2, LOST + 1, DRAWN, NOT_LOST])
def test_the_proof_of_a_root_comes_from_its_children(backend, proof):
    def change(parts):
        parts.nodes["proof"][0] = proof

    for params in (UctParams(), UctTimedParams()):  # of the second only the root is there
        with pytest.raises(SaveError, match="node 0: its proof does not follow from its children"):
            forged(params, Board(), change, backend)


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


ANSWER = Board.from_pons("1122336")  # column 3 must be played


def bounds(column, lower, upper):
    return lambda parts: parts.facts.update(bounds=[[column, [lower, upper]]])


def test_bounds_that_contradict_the_tree_are_refused(backend):
    with pytest.raises(SaveError, match="column 0 can't score at least 1 and at most -17"):
        forged(UctParams(), ANSWER, bounds(0, 1, 5), backend)


@pytest.mark.parametrize(("lower", "upper"), [(1, 3), (0, 0), (-3, -1)])
def test_bounds_that_turn_out_wrong_harm_nothing(backend, lower, upper, tmp_path):
    """Nothing speaks against them when they are loaded; what the search finds takes their place."""
    board = Board.from_moves([2, 2, 1], Rules(6, 5))
    params = UctParams(probes=False)
    right = Engine(params, seed=1, backend=backend).search(board, simulations=301).moves
    assert {move.column for move in right if (move.proof, move.distance) == ("loss", 4)} == {1, 2, 5}
    for column in board.legal_columns:
        engine = forged(params, board, bounds(column, lower, upper), backend)
        moves = engine.search(board, simulations=300).moves
        assert [move.visits for move in moves] == [move.visits for move in right]
        assert column not in (1, 2, 5) or moves[column].proof == "loss"
        engine.save(tmp_path / "file")
        assert Engine.load(tmp_path / "file", backend=backend).search(board, simulations=1).moves[column].visits


SOLVED = Engine(seed=1)
SOLVED.search(Board(Rules(5, 4)), simulations=400)


@pytest.mark.parametrize(("lower", "upper"), [(-64, 0), (0, -64), (63, 63), (-63, -63)])
def test_scores_that_no_game_has_are_refused(backend, lower, upper):
    with pytest.raises(SaveError, match="the solver's table has another size, or scores that no game has"):
        Engine._unpacked(repacked(SOLVED._packed(), scores(lower, upper)), backend)
