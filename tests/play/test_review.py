"""Reviews of games: kinds of moves, accuracy, lines, and boards that can't be solved."""

import math
import random
from functools import partial
from importlib import import_module

import numpy as np
import pytest
from random_boards import random_game
from refusals import refused

from c4mcts import Board, IllegalMoveError, MoveStats, NotationError, Rules, SearchResult, Solver, Verdict, solve
from c4mcts.play import review
from c4mcts.play.review import CHANGES, MoveReview

SMALL = Rules(5, 4)
GAME = "5132121241253545434"  # on SMALL

module = import_module("c4mcts.play.review")


@pytest.fixture(scope="module")
def result():
    return review(GAME, rules=SMALL)


@pytest.fixture(scope="module")
def reviews():
    """Those of random games."""
    chance = random.Random(3)
    return [review(random_game(SMALL, chance)) for _ in range(25)]


def test_every_move_has_its_exact_scores(result):
    assert result.is_exact
    board = Board(SMALL)
    for move in result.moves:
        solution = solve(board)
        assert (move.ply, move.player, move.best) == (board.ply, board.turn, solution.best)
        assert (move.score_before, move.score_after) == (solution.score, solution.columns[move.column])
        board.push(move.column)
    assert board == result.board
    assert board.to_pons() == GAME


def test_kinds_follow_from_the_scores(reviews):
    costs = set()
    for moves, move in ((each.board.moves, move) for each in reviews for move in each.moves):
        columns = solve(Board.from_moves(moves[: move.ply], SMALL)).columns
        scores = [score for score in columns if score is not None]
        kept = [score for score in scores if np.sign(score) == np.sign(move.score_before)]
        assert [np.sign(columns[column]) for column in move.keeping] == [np.sign(score) for score in kept]
        assert set(move.best) <= set(move.keeping)
        lost = np.sign(move.score_before) - np.sign(move.score_after)
        assert move.lost_half_points == lost
        assert (move.kind in CHANGES) == (lost > 0 or move.oversight is not None)
        if move.oversight is None:
            assert (move.kind == "blunder") == (lost == 2)
        if move.kind == "only":
            assert kept == [move.score_after]
            assert len(scores) > 1
        if lost == 0 and move.column not in move.best and move.oversight is None:
            costs.add(move.score_before - move.score_after)
            assert move.kind == ("good" if move.score_before - move.score_after < 4 else "inaccuracy")
    assert {3, 4} <= costs


@pytest.mark.parametrize(
    ("game", "ply", "kind", "oversight"),
    [
        ("5225261322445364544155646613362133", 33, "blunder", "disc under a win"),
        ("41112562153355134", 14, "missed win", "overlooked win"),
        ("41112562153355134", 15, "blunder", "unblocked threat"),
    ],
)
def test_what_a_coach_would_say_first(game, ply, kind, oversight):
    move = review(game).moves[ply - 1]
    assert (move.kind, move.oversight) == (kind, oversight)


def test_an_oversight_is_seen_on_the_board(reviews):
    """What each is, by its definition."""
    found = set()
    for result in reviews:
        for move in result.moves:
            before = Board.from_moves(result.board.moves[: move.ply], SMALL)
            after = before.after(move.column)
            loses = not after.is_over() and bool(after.winning_columns())
            found.add(move.oversight)
            if move.column in move.best:
                assert move.oversight is None
            elif before.winning_columns():
                assert (move.oversight, move.kind in ("missed win", "blunder")) == ("overlooked win", True)
            else:
                assert (move.oversight is not None) == loses
                assert move.kind == "blunder" or not loses
                if loses:
                    assert (move.oversight == "unblocked threat") == bool(before.threatened_columns())
                    assert move.refutation[0] in after.winning_columns()
    assert len(found) == 4


@pytest.mark.parametrize(
    ("before", "after", "best", "kind", "accuracy"),
    [
        (0, -5, (1,), "mistake", 0.5),
        (5, 0, (1,), "missed win", 0.5),
        (5, -1, (1,), "blunder", 0.0),
        (5, 4, (1,), "good", 0.95),
        (5, 1, (1,), "inaccuracy", 0.8),
        (-1, -15, (1,), "inaccuracy", 0.5),
        (-3, -3, (0, 1), "best", 1.0),
    ],
)
def test_accuracy_of_a_move(before, after, best, kind, accuracy):
    one, two = ((1 + np.sign(score)) / 2 for score in (before, after))
    assert MoveReview(3, 1, 0, best, before, after, one, two, kind).accuracy == pytest.approx(accuracy)


def test_players_get_the_mean_of_their_moves(result):
    for player in (0, 1):
        mine = [move for move in result.moves if move.player == player]
        assert result.accuracy(player) == pytest.approx(100 * sum(move.accuracy for move in mine) / len(mine))
        assert result.lost_half_points(player) == sum(move.lost_half_points for move in mine)
        assert sum(result.counts(player).values()) == len(mine)
    # what one player loses and never gets back shows in the result
    lost = result.lost_half_points(1) - result.lost_half_points(0)
    start, end = result.moves[0], result.board.outcome()
    assert 2 * start.value_before + lost == {0: 2, None: 1, 1: 0}[end.winner if end else None]


def test_turning_points_have_a_line_that_keeps_the_result_and_one_that_punishes_them(result):
    """Best play instead of the move, and after it."""
    assert any(move.refutation for move in result.moves)
    for move in result.moves:
        if move not in result.turning_points:
            assert move.line == move.refutation == ()
            continue
        for ply, line in ((move.ply, move.line), (move.ply + 1, move.refutation)):
            board = Board.from_moves(result.board.moves[:ply], SMALL)
            for column in line:
                assert column in solve(board).best
                board.push(column)
            assert len(line) == module.LINE_PLIES or board.is_over()


def test_a_game_may_start_anywhere_and_be_columns(result):
    assert review([int(digit) - 1 for digit in GAME], rules=SMALL) == result
    start = Board.from_array([[0] * 5, [0] * 5, [0, 1, 0, 2, 0], [1, 2, 1, 2, 0]], SMALL)
    start.push(4)
    result = review(start)
    assert len(result.moves) == 1
    assert result.to_dict()["start"] == "5/5/1x1o1/xoxo1 x 5x4x4"


def test_large_boards_are_searched():
    game = [3, 3, 4, 4, 5, 5, 6]
    result = review(game, rules=Rules(20, 14), simulations=300)
    assert not result.is_exact
    assert [move.score_before for move in result.moves] == [None] * 7
    assert result.moves[-1].kind == "best"  # it wins
    assert result.moves[-1].value_after == 1
    assert result.moves[3].kind in ("mistake", "blunder")  # it allows an open three
    assert 0 <= result.accuracy(1) < result.accuracy(0) <= 100
    assert review(game, rules=Rules(20, 14), simulations=300) == result


def test_exact_scores_begin_where_the_nodes_for_the_game_end(monkeypatch):
    """The limit is for all positions together, also those that would be solved with what is left of it."""
    start = 4
    board = Board.from_pons(GAME[:start], SMALL)
    board = Board.from_fen(board.to_fen())
    for digit in GAME[start:]:
        board.push(int(digit) - 1)
    whole = review(board, book=False)
    assert (whole.is_exact, whole.exact_from) == (True, start)
    found, limits = [whole], (10_000, 1000, 100, 10)
    for nodes in limits:
        monkeypatch.setattr(module, "SOLVER_NODES", {"native": nodes, "pure": nodes})
        found.append(review(board, book=False, simulations=20))
    begins = [result.exact_from for result in found]
    assert begins == sorted(begins)
    assert len(set(begins)) > 2
    for result in found:
        assert [move.is_exact for move in result.moves] == [move.ply >= result.exact_from for move in result.moves]
        assert result.to_dict()["exact_from"] == result.exact_from
    for result, nodes in zip(found[1:], limits, strict=True):
        solver = Solver(SMALL, book=False)
        assert sum(solver.solve(board).nodes for board in positions_from(result)) <= nodes


def positions_from(result):
    """The positions before the moves with exact scores, the last one first."""
    board = result.board.copy()
    while board.ply > result.exact_from:
        board.pop()
        yield board


def searched(monkeypatch, best, played, visits=1000, reply=0.0):
    """The review of a move of column 3, where a search finds these values of column 5, the best one, and of column 3.

    visits: of column 3; the best has 1000. reply: the value of the position after the move, for the other player.
    """

    class Search:
        def __init__(self, *_, **__):
            pass

        def search(self, board, **_):
            stats = partial(MoveStats, visits=1000, value=0.0, prior=None, lower=-99, upper=99, empty=280)
            moves = {column: stats(column) for column in board.legal_columns}
            moves[5] = stats(5, value=reply if board.ply else best)
            if not board.ply:
                moves[3] = stats(3, visits=visits, value=played)
            known = Verdict(-99, 99, 280)
            return SearchResult(board, 5, moves[5].value, None, known, 1, 1, 0.0, (5,), tuple(moves.values()))

    monkeypatch.setattr(module, "Engine", Search)
    (move,) = review([3], rules=Rules(20, 14)).moves
    return move


@pytest.mark.parametrize(
    ("loss", "below", "kind"),
    [(0.1, "good", "inaccuracy"), (0.25, "inaccuracy", "mistake"), (0.5, "mistake", "blunder")],
)
def test_kinds_follow_from_the_loss_of_value(monkeypatch, loss, below, kind):
    """A kind begins at its border; what the review says of a blunder on a large board, too."""
    assert searched(monkeypatch, loss, 0.0).kind == kind
    assert searched(monkeypatch, math.nextafter(loss, 0), 0.0).kind == below


def test_a_move_that_was_hardly_searched_has_the_value_of_the_next_search(monkeypatch):
    """With less than a fiftieth of the visits of the best."""
    assert searched(monkeypatch, 0.9, 0.2, visits=20, reply=0.25).value_after == 0.2
    assert searched(monkeypatch, 0.9, 0.2, visits=19, reply=0.25).value_after == 0.75


test_bad_arguments = refused(
    (lambda: review("44x"), NotationError, "character 3"),
    (lambda: review("12121211"), IllegalMoveError, "the game is over"),
    (lambda: review([3, 9]), IllegalMoveError, "column must be 0 to 6, not 9"),
    (lambda: review(7), TypeError, "moves must be"),
    (lambda: review("44", simulations=0), ValueError, "simulations must be at least 1"),
    (lambda: review("44", book=3), TypeError, "book must be True"),
)


def test_progress(result):
    calls = []
    assert review(GAME, rules=SMALL, on_progress=lambda *numbers: calls.append(numbers)) == result
    assert sorted(set(calls)) == [(done, len(GAME)) for done in range(len(GAME))]
    assert calls == sorted(calls)
    with pytest.raises(TypeError, match="on_progress"):
        review(GAME, rules=SMALL, on_progress=3)
