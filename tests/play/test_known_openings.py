"""Known openings: what their sentences say is what the book says."""

import pytest

from c4mcts import Board, Rules
from c4mcts.play.known_openings import KNOWN, known_opening
from c4mcts.solver.book import shipped_book


def scores(digits):
    """The scores of the moves after these, by column from 1."""
    return {move.column + 1: move.score for move in shipped_book().children(Board.from_pons(digits))}


def distance(digits, column):
    """Plies to the end of the game with this move, from 1 on, by best play."""
    return next(move.distance for move in shipped_book().children(Board.from_pons(digits)) if move.column == column - 1)


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
    "": lambda: wins("") == {4} and draws("") == {3, 5},
    "4": lambda: not wins("4") | draws("4") and best("4") == {4},
    "3": lambda: draws("3") and not wins("3"),
    "2": lambda: wins("2") == {3},
    "1": lambda: len(wins("1")) == 4,
    "44": lambda: wins("44") == {4} and distance("44", 4) == 39,
    "43": lambda: wins("43") == {6, 7},
    "42": lambda: wins("42") == {2, 6},
    "41": lambda: scores("4")[1] == min(scores("4").values()),
    "444": lambda: not wins("444") | draws("444") and best("444") == {4},
    "4444": lambda: wins("4444") == {4},
    "44444": lambda: set(scores("44444").values()) == {-1},
    "444444": lambda: wins("444444") == {3, 5},
    "33": lambda: not wins("33") and draws("33") == {2, 4},
    "34": lambda: not wins("34") and draws("34") == {3, 4},
    "36": lambda: not wins("36") and {4, 5} < draws("36"),
    "23": lambda: wins("2") == {3},
    "14": lambda: scores("1")[4] == max(scores("1").values()) and len(best("1")) == 2,
    "11": lambda: wins("11") == {4, 6},
}


def digits_of(opening):
    return "".join(str(column + 1) for column in opening.moves)


def test_each_opening_has_its_claim():
    assert set(CLAIMS) == {digits_of(opening) for opening in KNOWN}


@pytest.mark.parametrize("digits", CLAIMS)
def test_what_is_said_of_an_opening_is_true(digits):
    assert CLAIMS[digits]()


@pytest.mark.parametrize("opening", KNOWN, ids=digits_of)
def test_an_opening_and_its_mirror_image_are_known(opening):
    board = Board.from_moves(opening.moves)
    assert known_opening(board) == known_opening(board.mirror()) == opening


def test_the_last_name_stays_and_other_rules_have_no_names():
    game = Board.from_pons("5532617")
    assert known_opening(game).name == known_opening("5532617").name == "Off-centre, on top"
    assert game == Board.from_pons("5532617")
    assert known_opening(Board(Rules(8, 7))) is None
