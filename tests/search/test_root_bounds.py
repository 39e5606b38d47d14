"""RootBounds: what is certain of the columns of a position."""

import random

import pytest

from c4mcts import Board, Engine, Rules, build_book, solve
from c4mcts.search.root_bounds import RootBounds

SMALL = Rules(5, 4, 4)


def test_a_position_gives_bounds_without_a_search():
    winning = RootBounds.of(Board.from_pons("112233"))
    assert winning.forced == (3,)
    assert winning.columns[3] == (18, 18)
    assert winning.proof() == winning.proof(3) == ("win", 1)
    assert winning.proof(0) == (None, None)
    threatened = RootBounds.of(Board.from_pons("1122336"))
    assert (threatened.forced, threatened.proof()) == ((3,), (None, None))
    assert RootBounds.of(Board()).forced == ()


def test_bounds_of_a_position_hold_and_are_tight():
    """No column scores beyond them, and one that does not win at once may still reach the upper one."""
    chance = random.Random(2)
    reached = {"lower": 0, "upper": 0}
    for _ in range(150):
        board = unfinished_board(chance, chance.randrange(8, 20))
        columns, wins = solve(board).columns, board.winning_columns()
        for column, (lower, upper) in RootBounds.of(board).columns.items():
            assert lower <= columns[column] <= upper
            assert lower < upper or column in wins or board.ply == 19, "a win, or the last disc"
            assert lower == upper or column not in wins
            if column not in wins and lower < upper:
                reached["lower"] += columns[column] == lower
                reached["upper"] += columns[column] == upper
    assert min(reached.values()) > 0


def unfinished_board(chance, ply, rules=SMALL):
    """A random position with so many discs."""
    while True:
        board = Board(rules)
        while not board.is_over() and board.ply < ply:
            board.push(chance.choice(board.legal_columns))
        if not board.is_over():
            return board


@pytest.mark.parametrize("checks", [True, False])
def test_a_book_narrows_the_bounds(checks):
    """To exact scores before its last ply; from above at that ply, where only the position is in it; later no more."""
    book, chance = build_book(SMALL, 6), random.Random(3)
    for ply in (0, 3, book.last_ply - 1, book.last_ply, book.last_ply + 1):
        for _ in range(8):
            board = unfinished_board(chance, ply)
            solution = solve(board)
            bounds, plain = RootBounds.of(board, book, checks), RootBounds.of(board, None, checks)
            for column, (lower, upper) in bounds.columns.items():
                assert lower <= solution.columns[column] <= upper
                assert ply >= book.last_ply or lower == upper or solution.columns[column] == plain.columns[column][1]
            if ply <= book.last_ply:
                assert max(upper for _, upper in bounds.columns.values()) == solution.score
            else:
                assert bounds == plain


def test_bounds_are_values():
    bounds = RootBounds.of(Board())
    narrowed = bounds.narrowed(3, (0, 5)).narrowed(3, (-2, 1))
    assert narrowed.columns[3] == (0, 1)
    assert bounds == RootBounds.of(Board())
    assert narrowed.contradicts(3, (2, 4))
    assert not narrowed.contradicts(3, (1, 4))
    assert narrowed.narrowed(3, (2, 4)).columns[3] == (2, 4)


def test_proofs_from_elsewhere_narrow_a_column():
    bounds = RootBounds.of(Board())
    assert bounds.with_proof(2, "win", 7).proof() == ("win", 7)
    assert bounds.with_proof(2, "draw", 42).proof(2) == ("draw", 42)
    assert bounds.with_proof(2, "loss", 8).proof(2) == ("loss", 8)
    assert bounds.with_proof(2, None, None) is bounds
    for column in range(7):
        bounds = bounds.with_proof(column, "loss", 4 + 2 * column)
    assert bounds.proof() == ("loss", 16)


def test_reading_a_tree_changes_nothing(backend):
    engine = Engine(seed=1, backend=backend)
    engine.search(Board.from_pons("45461667"), simulations=10)
    known = engine._tree._bounds
    reader = engine._tree.reader()
    assert reader.bounds() == reader.bounds()
    reader.result(0, simulations=0, nodes=0, seconds=0.0)
    assert engine._tree._bounds is known


@pytest.mark.parametrize("moves", ["744475", "353174531455", "34455344713"], ids=str)
def test_a_lost_game_is_made_as_long_as_possible(moves):
    """The distance of a lost column is an upper bound: of equals the one known to last so long is played."""
    board = Board.from_pons(moves)
    solution = solve(board)
    result = Engine(seed=1).search(board, simulations=3_000_000)
    assert (result.proof, result.distance) == ("loss", solution.distance)
    assert result.column in solution.best
    assert len(solution.best) < len(board.legal_columns)
