"""Known openings: what their sentences say is what the book says."""

import pytest

from c4mcts import Board, Rules
from c4mcts.play.known_openings import KNOWN, known_opening
from c4mcts.solver.book import shipped_book

BOOK = shipped_book()


def scores(digits):
    """The scores of the moves after these, by column from 1."""
    return {move.column + 1: move.score for move in BOOK.children(Board.from_pons(digits))}


def columns(digits, least, most):
    return {column for column, score in scores(digits).items() if least <= score <= most}


def wins(digits):
    return columns(digits, 1, 99)


def draws(digits):
    return columns(digits, 0, 0)


def best(digits):
    found = scores(digits)
    return {column for column, score in found.items() if score == max(found.values())}


CLAIMS = {
    "": wins("") == {4} and draws("") == {3, 5},
    "4": not wins("4") | draws("4") and best("4") == {4},
    "3": draws("3") and not wins("3"),
    "2": wins("2") == {3},
    "1": len(wins("1")) == 4,
    "44": wins("44") == {4} and next(m for m in BOOK.children(Board.from_pons("44")) if m.column == 3).distance == 39,
    "43": wins("43") == {6, 7},
    "42": wins("42") == {2, 6},
    "41": scores("4")[1] == min(scores("4").values()),
    "444": not wins("444") | draws("444") and best("444") == {4},
    "4444": wins("4444") == {4},
    "44444": set(scores("44444").values()) == {-1},
    "444444": wins("444444") == {3, 5},
    "33": not wins("33") and draws("33") == {2, 4},
    "34": not wins("34") and draws("34") == {3, 4},
    "36": not wins("36") and {4, 5} < draws("36"),
    "23": wins("2") == {3},
    "14": scores("1")[4] == max(scores("1").values()) and len(best("1")) == 2,
    "11": wins("11") == {4, 6},
}


def digits_of(opening):
    return "".join(str(column + 1) for column in opening.moves)


def test_each_opening_has_its_claim():
    assert set(CLAIMS) == {digits_of(opening) for opening in KNOWN}


@pytest.mark.parametrize("digits", CLAIMS)
def test_what_is_said_of_an_opening_is_true(digits):
    assert CLAIMS[digits]


@pytest.mark.parametrize("opening", KNOWN, ids=digits_of)
def test_an_opening_and_its_mirror_image_are_known(opening):
    board = Board.from_moves(opening.moves)
    assert known_opening(board) == known_opening(board.mirror()) == opening


def test_the_last_name_stays_and_other_rules_have_no_names():
    game = Board.from_pons("5532617")
    assert known_opening(game).name == known_opening("5532617").name == "Off-centre, on top"
    assert game == Board.from_pons("5532617")
    assert known_opening(Board(Rules(8, 7))) is None
