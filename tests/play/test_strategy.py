"""The plan to win of the package's proof, and the first moves of proofs as games with variations."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from c4mcts import Board, Rules, solve
from c4mcts.board.threats import columns_below_threats
from c4mcts.errors import ProofError
from c4mcts.play import GameTree, proof_tree, strategy
from c4mcts.play.strategy import winning_plan
from c4mcts.solver import prove
from c4mcts.solver.certificate import shipped

pytestmark = pytest.mark.native
BY_RULE = {"win", "follow up", "threat"}


def expect_reason(board, answer, plan):
    """That a move of a plan is as its reason says. board: before it."""
    later = board.after(answer.column)
    if answer.reason == "win":
        assert later.outcome().winner == plan.player
    elif answer.reason == "threat":
        assert later.threatened_columns()
    elif answer.reason == "only move":
        assert set(board.legal_columns) - {answer.column} <= _losing(board)
    elif answer.reason == "all replies":
        found = [plan.answer(later.after(column)) for column in later.legal_columns]
        assert {each.reason for each in found} <= BY_RULE
    if answer.zugzwang is not None:
        discs = int((later.to_array()[:, answer.zugzwang.column] > 0).sum())
        assert (answer.zugzwang.row - discs) % 2 == 1, "it is the upper cell of a pair"


def _losing(board):
    threatened = board.threatened_columns()
    return set(columns_below_threats(board)) | (set(board.legal_columns) - set(threatened) if threatened else set())


@pytest.mark.parametrize(("first", "name"), [(None, "7x6"), (0, "7x6-after-1"), (1, "7x6-after-2")])
def test_it_is_the_proof_of_the_documentation(first, name):
    assert Path(shipped(first)).read_bytes() == (Path(__file__).parents[2] / f"proofs/{name}.c4p").read_bytes()


@pytest.mark.parametrize("seed", range(60))
def test_it_wins_each_game(seed):
    """Half of the opponents play at random, the others give nothing away at once."""
    first = (None, 0, 1)[seed % 3]
    plan, choices, board, has_rule = winning_plan(first), random.Random(seed), Board(), False
    if first is not None:
        board.push(first)
    while not board.is_over():
        if board.turn == plan.player:
            answer = plan.answer(board)
            expect_reason(board, answer, plan)
            assert not has_rule or answer.reason in ("win", "follow up"), "the rule goes on to the end"
            has_rule = answer.reason == "follow up"
            board.push(answer.column)
        else:
            safe = [column for column in board.legal_columns if not board.after(column).winning_columns()]
            board.push(choices.choice(safe if safe and seed % 2 else board.legal_columns))
    assert board.outcome().winner == plan.player


def test_mirror_images_have_mirrored_answers():
    for moves in ("41", "4263"):
        board = Board.from_pons(moves)
        one, other = (winning_plan().answer(each) for each in (board, board.mirror()))
        assert (other.column, other.reason) == (6 - one.column, one.reason)


def test_elsewhere_there_is_no_plan():
    assert winning_plan().answer(Board.from_pons("11")) is None
    assert winning_plan().answer(Board.from_pons("444144")) is None


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
