"""The plan to win of the package's proof: it wins every game, for the reasons that it gives."""

import random
from pathlib import Path

import pytest

from c4mcts import Board
from c4mcts.board.threats import columns_below_threats
from c4mcts.play.strategy import winning_plan
from c4mcts.solver.certificate import SHIPPED

pytestmark = pytest.mark.native
BY_RULE = {"win", "follow up", "threat"}


def expect_reason(board, answer):
    """That a move is as its reason says. board: before it."""
    later = board.after(answer.column)
    if answer.reason == "win":
        assert later.outcome().winner == 0
    elif answer.reason == "threat":
        assert later.threatened_columns()
    elif answer.reason == "only move":
        assert set(board.legal_columns) - {answer.column} <= _losing(board)
    elif answer.reason == "all replies":
        found = [winning_plan().answer(later.after(column)) for column in later.legal_columns]
        assert {each.reason for each in found} <= BY_RULE
    if answer.zugzwang is not None:
        discs = int((later.to_array()[:, answer.zugzwang.column] > 0).sum())
        assert (answer.zugzwang.row - discs) % 2 == 1, "it is the upper cell of a pair"


def _losing(board):
    threatened = board.threatened_columns()
    return set(columns_below_threats(board)) | (set(board.legal_columns) - set(threatened) if threatened else set())


def test_it_is_the_proof_of_the_documentation():
    assert Path(SHIPPED).read_bytes() == (Path(__file__).parents[2] / "proofs/7x6.c4p").read_bytes()


@pytest.mark.parametrize("seed", range(60))
def test_it_wins_each_game(seed):
    """Half of the opponents play at random, the others give nothing away at once."""
    plan, choices, board, has_rule = winning_plan(), random.Random(seed), Board(), False
    while not board.is_over():
        if board.turn == 0:
            answer = plan.answer(board)
            expect_reason(board, answer)
            assert not has_rule or answer.reason in ("win", "follow up"), "the rule goes on to the end"
            has_rule = answer.reason == "follow up"
            board.push(answer.column)
        else:
            safe = [column for column in board.legal_columns if not board.after(column).winning_columns()]
            board.push(choices.choice(safe if safe and seed % 2 else board.legal_columns))
    assert board.outcome().winner == 0


def test_mirror_images_have_mirrored_answers():
    for moves in ("41", "4263"):
        board = Board.from_pons(moves)
        one, other = (winning_plan().answer(each) for each in (board, board.mirror()))
        assert (other.column, other.reason) == (6 - one.column, one.reason)


def test_elsewhere_there_is_no_plan():
    assert winning_plan().answer(Board.from_pons("11")) is None
    assert winning_plan().answer(Board.from_pons("444144")) is None
