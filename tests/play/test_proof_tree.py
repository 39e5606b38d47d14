"""The first moves of a proof as a game with variations."""

from dataclasses import replace

import pytest

from c4mcts import Board, Rules, solve
from c4mcts.errors import ProofError
from c4mcts.play import GameTree, proof_tree, strategy
from c4mcts.solver import prove

pytestmark = pytest.mark.native


def nodes(node):
    yield node
    for child in node.children:
        yield from nodes(child)


@pytest.mark.parametrize("rules", [Rules(5, 3, 3), Rules(4, 4, 3), Rules(3, 5, 3), Rules(4, 3, 4)], ids=str)
def test_each_reply_has_one_answer_that_keeps_what_is_proven(rules, backend):
    certificate = prove(Board(rules))
    for number, claim in enumerate(certificate.claims):
        tree = proof_tree(certificate, 6, number=number, backend=backend)
        assert GameTree.from_text(tree.to_text(), tree.start).to_text() == tree.to_text()
        for node in nodes(tree):
            board = node.board
            if board.is_over():
                continue
            score = solve(board, columns=False).score
            assert (score if board.turn == claim.player else -score) >= claim.score
            columns = [child.column for child in node.children]
            if board.ply == 6:
                assert columns == []
            elif board.turn != claim.player:
                assert columns == board.legal_columns
            elif node.comment and node is not tree:
                assert columns == []
                assert ("wins" in node.comment) == bool(board.winning_columns())
            else:
                assert len(columns) == 1


def test_it_begins_at_the_position_of_the_proof():
    board = Board.from_pons("444444")
    tree = proof_tree(prove(board, "win"), 2)
    assert tree.start == board
    assert tree.comment == "the first player wins"
    assert tree.children[0].column == 2
    assert [child.column for child in tree.children[0].children] == [0, 1, 2, 4, 5, 6]


def test_what_is_not_proven_has_no_tree():
    certificate = prove(Board(width=4, height=4))
    claim = replace(certificate.claims[0], moves=b"")
    with pytest.raises(ProofError, match="claim 0: move 0 is missing"):
        proof_tree(replace(certificate, claims=(claim,)), 2)


def test_too_many_moves_are_refused(monkeypatch):
    monkeypatch.setattr(strategy, "MOST_MOVES", 40)
    certificate = prove(Board(width=4, height=4))
    assert len(list(nodes(proof_tree(certificate, 4)))) <= 41
    with pytest.raises(ValueError, match="plies must be smaller: there would be more than 40 moves"):
        proof_tree(certificate, 6)
