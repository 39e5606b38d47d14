"""The order in which the solver searches moves on 7x6: its training by examples/ordering, and what it changes."""

import sys

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("Cython")

from ordering.__main__ import main
from ordering.training import rows_of, targets

from c4mcts import Board, PolicyValueNetwork, _archives
from c4mcts._backend import load
from c4mcts._layout import ORDER_SHAPE
from c4mcts._weights import ORDER

LARGE = "35333571"  # a search of it ranks moves of positions with 24 and more empty cells


def test_the_training_repeats_itself(tmp_path, monkeypatch, capsys):
    """From end to end, with the moves of two positions of each process."""
    texts = []
    for name in ("one", "two"):
        out = tmp_path / f"{name}.npz"
        monkeypatch.setattr(sys, "argv", ["ordering", "--positions", "2", "--out", str(out)])
        main()
        texts.append((capsys.readouterr().out, out.read_bytes()))
    assert texts[0] == texts[1]
    with _archives.unpacked(str(out), "damaged") as archive:
        weights = archive.array("weights", np.int16, ORDER_SHAPE)
    assert (weights != 0).any(axis=1).any()


def test_moves_that_take_fewer_nodes_have_a_larger_share():
    moves = np.zeros(5, [("position", int), ("nodes", int), ("is_good", int), ("empty", int)])
    moves["position"] = [0, 0, 0, 1, 1]
    moves["nodes"] = [100, 300, 50, 10, 20]
    moves["is_good"] = [1, 1, 0, 1, 0]  # the move of 50 nodes causes no cutoff
    moves["empty"] = 30
    index = rows_of(moves)
    assert index[:, :3].tolist() == [[0, 1, 2], [3, 4, -1]]
    shares, costs, importance = targets(moves, index)
    assert shares[:, :3] == pytest.approx(np.array([[0.75, 0.25, 0], [1, 0, 0]]))
    assert costs[:, :3] == pytest.approx(np.log([[1, 3, 1.5], [1, 3, 1]]))
    assert importance[0] > importance[1], "more nodes are at stake"


def test_the_order_belongs_to_the_network_of_the_package():
    """Its logits are a feature, so that the order is trained again after the network."""
    with _archives.unpacked(ORDER, "damaged") as archive:
        assert archive.about()["network"] == PolicyValueNetwork.load().fingerprint


def test_ranked_moves_save_nodes_and_change_no_score():
    board, found = Board.from_pons(LARGE), []
    for is_for_probes in (True, False):
        solver = load("native").new_solver(board.rules, is_for_probes=is_for_probes)
        found.append((solver.solve(board.own, board.mask, -100, 100, 10**9, bool), solver.nodes()))
    (before, nodes), (after, fewer) = found
    assert before == after
    assert fewer < 0.8 * nodes
