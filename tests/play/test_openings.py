"""Openings of matches, against the solver."""

import pytest
from refusals import refused

from c4mcts import Board, Rules, solve
from c4mcts.play import openings
from c4mcts.play.openings import opening_list
from c4mcts.solver.book_building import build_book

SMALL = Rules(5, 4)


def key(board):
    mirror = board.mirror()
    return min((board.own, board.mask), (mirror.own, mirror.mask))


def all_positions(plies, rules):
    """By brute force: the positions with this many discs, without finished games and wins in one."""
    boards = [Board(rules)]
    for _ in range(plies):
        boards = [board.after(column) for board in boards if not board.is_over() for column in board.legal_columns]
    return {key(board): board for board in boards if not board.is_over() and not board.winning_columns()}


@pytest.mark.parametrize("plies", [0, 1, 3, 4])
def test_all_different_positions_are_there_once(plies):
    found = [Board.from_moves(moves, SMALL) for moves in openings(plies, SMALL, balanced=False)]
    assert len(found) == len({key(board) for board in found})
    assert {key(board) for board in found} == set(all_positions(plies, SMALL))


@pytest.mark.parametrize("within", [0, 3])
def test_balanced_openings_have_that_score(within):
    found = {key(Board.from_moves(moves, SMALL)) for moves in openings(3, SMALL, within=within)}
    wanted = {
        name
        for name, board in all_positions(3, SMALL).items()
        if abs(solve(board, columns=False, book=False).score) <= within
    }
    assert found == wanted
    assert found


def test_the_book_says_the_same_as_the_solver():
    book = build_book(SMALL, 4)
    assert openings(4, SMALL, book=book) == openings(4, SMALL, book=False)


def test_the_order_is_mixed_and_fixed():
    assert opening_list(["44", "3,4", [0, 1], ()], Rules()) == ((3, 3), (3, 4), (0, 1), ())
    found = openings(4, SMALL)
    assert found == openings(4, SMALL)
    assert found != sorted(found)


test_bad_arguments = refused(
    (lambda: openings(-1), ValueError, "plies must be 0 to 41, not -1"),
    (lambda: openings(2, Rules(20, 14), balanced=True), ValueError, "balanced: .* is too large to be solved"),
    (lambda: openings(0, Rules(4, 3, 2)), ValueError, "there is no position with 0 discs with a score of at most 0"),
    (
        lambda: opening_list(["7/7/7/7/7/2xo3 x 7x6x4:4"], Rules()),
        ValueError,
        r"openings\[0\]: the board was set up with discs",
    ),
    (lambda: opening_list("44", Rules()), TypeError, "openings must be a list of openings"),
    (lambda: opening_list(["44", "8"], Rules()), ValueError, r"openings\[1\]: "),
    (lambda: opening_list(["1212121"], Rules()), ValueError, r"openings\[0\] must be a game that is not over"),
)
