"""RootMoves: what is certain of the moves of a position, which one is played, and their weights in the policy."""

import math
import random

import pytest
from random_boards import random_board

from c4mcts import Board, MoveStats, Rules, SearchResult, UctParams, Verdict, build_book, solve
from c4mcts._backend import load
from c4mcts._layout import DRAWN, LOST, NOT_LOST, NOT_WON, UNKNOWN, WON, win_score
from c4mcts.search.root_moves import RootMoves, best_first, position_verdict

SMALL = Rules(5, 4, 4)


def moves_of(text=""):
    return RootMoves(load(), Board.from_pons(text))


def found(column, visits, value=None, weight=None):
    return MoveStats(column, visits, value, None, -21, 21, 42, (column,), weight=weight)


def narrow(moves, column, proof, distance, bound):
    """Narrow the bounds of a column on the empty board by what is proven of it."""
    if proof is not None:
        score = win_score(42, distance)
        most = score if bound == "exact" else 21
        moves.narrow(column, {"win": (score, most), "draw": (0, 0), "loss": (-most, -score)}[proof])


def test_bounds_of_a_position_hold_and_are_tight():
    """No column scores beyond them, and one that does not win at once may still reach the upper one."""
    chance = random.Random(2)
    reached = {"lower": 0, "upper": 0}
    for _ in range(150):
        board = random_board(SMALL, chance.randrange(8, 20), chance)
        columns, wins = solve(board).columns, board.winning_columns()
        for column, (lower, upper) in RootMoves(load(), board).bounds().items():
            assert lower <= columns[column] <= upper
            assert lower < upper or column in wins or board.ply == 19, "a win, or the last disc"
            assert lower == upper or column not in wins
            if column not in wins and lower < upper:
                reached["lower"] += columns[column] == lower
                reached["upper"] += columns[column] == upper
    assert min(reached.values()) > 0


@pytest.mark.parametrize("checks", [True, False])
def test_a_book_narrows_the_bounds(checks):
    """To exact scores before its last ply; from above at that ply, where only the position is in it; later no more."""
    book, chance, backend = build_book(SMALL, 6), random.Random(3), load("pure")
    for ply in (0, 3, book.last_ply - 1, book.last_ply, book.last_ply + 1):
        for _ in range(8):
            board = random_board(SMALL, ply, chance)
            solution = solve(board)
            bounds = RootMoves(backend, board, checks=checks, book=book).bounds()
            plain = RootMoves(backend, board, checks=checks).bounds()
            for column, (lower, upper) in bounds.items():
                assert lower <= solution.columns[column] <= upper
                assert ply >= book.last_ply or lower == upper or solution.columns[column] == plain[column][1]
            if ply <= book.last_ply:
                assert max(upper for _, upper in bounds.values()) == solution.score
            else:
                assert bounds == plain


def test_distances_follow_from_scores_and_the_winner_makes_the_last_move():
    for plies in range(1, 43):
        score = win_score(42, plies)
        verdict = Verdict(score, score, 42) if plies % 2 else Verdict(-score, -score, 42)
        assert str(verdict) == f"{verdict.proof} in {plies}"
        assert verdict.after_move().distance == plies - 1


def test_the_position_is_exact_if_its_best_column_is():
    def losses(*bounds):
        moves = RootMoves(load(), Board())
        for column, bound in enumerate(bounds):
            narrow(moves, column, "loss", 4 + 2 * column, bound)
        return str(position_verdict(moves.moves()))

    assert losses(*["exact"] * 7) == losses(*["at most"] * 6, "exact") == "loss in 16"
    assert losses(*["exact"] * 6, "at most") == "loss in <= 16"
    moves = RootMoves(load(), Board())
    narrow(moves, 2, "win", 9, "exact")
    assert str(position_verdict(moves.moves())) == "win in <= 9", "another column may win sooner"


def test_the_best_move_is_shown_first():
    """The chosen one, then by what is proven, exact distances before the others, then by visits."""
    moves = moves_of()
    for column, proof in {
        0: ("loss", 8, "at most"),
        1: ("loss", 8, "exact"),
        2: ("win", 9, "at most"),
        3: ("loss", 10, "exact"),
        4: ("win", 7, "exact"),
    }.items():
        narrow(moves, column, *proof)
    moves.set_statistics(found(6, 5, 0.5))
    assert [move.column for move in best_first(moves.moves())] == [4, 2, 6, 5, 3, 1, 0]
    assert [move.column for move in best_first(moves.moves(), 5)] == [5, 4, 2, 6, 3, 1, 0]


def test_nodes_are_ranked_by_proofs_then_by_visits():
    line_order = load("pure").proofs.line_order
    best_first = [(WON + 1, 0), (WON + 3, 9), (UNKNOWN, 9), (DRAWN, 8), (NOT_WON, 7), (NOT_LOST, 6), (LOST + 4, 0)]
    best_first.append((LOST + 2, 9))
    for order in (best_first, best_first[::-1]):
        assert sorted(order, key=lambda node: line_order(*node), reverse=True) == best_first
    assert line_order(WON + 3, 1) == line_order(WON + 3, 2)


@pytest.mark.parametrize(
    ("temperature", "weights"),
    [
        (0, [0, 1, 0, 1]),
        (1e-300, [0, 1, 0, 1]),
        (0.5, [0.0625, 1, 0, 1]),
        (1, [0.25, 1, 0, 1]),
        (2, [0.5, 1, 0, 1]),
        (math.inf, [1, 1, 1, 1]),
    ],
)
def test_the_policy_has_powers_of_the_visits(temperature, weights):
    lost = [found(column, 9)._replace(upper=-win_score(42, 4)) for column in range(4, 7)]
    visited = [found(column, visits, 0.5) for column, visits in enumerate([1, 4, 0, 4])]
    for moves, shares in (([move._replace(visits=0) for move in visited], [1] * 4), (visited, weights)):
        result = SearchResult(Board(), 1, 0.5, 0.5, Verdict(-21, 21, 42), 9, 8, 0.1, (1,), (*moves, *lost))
        assert result.policy(temperature).tolist() == pytest.approx([*(s / sum(shares) for s in shares), 0, 0, 0])


def test_a_finished_game_has_no_moves():
    moves = moves_of("1122334")
    assert moves.bounds() == {}
    with pytest.raises(ValueError, match="there are no moves: the game is over"):
        moves.choose(UctParams().settings, 0)
