"""solve_many: many positions at once. tests/executors has what it does in processes and on Dask."""

import random

import numpy as np
import pytest
from random_boards import random_board
from refusals import refused

from c4mcts import Board, NotationError, Rules, build_book, solve, solve_many
from c4mcts._backend import _warn_of_size
from c4mcts.solver.book import NO_SCORE, shipped_book


def late_boards(count, seed=1, rules=None, empty=14):
    """Boards with few empty cells, which are solved in no time."""
    rules, chance = rules or Rules(), random.Random(seed)
    return [random_board(rules, rules.cells - empty, chance) for _ in range(count)]


def arrays_of(boards):
    return tuple(np.array([getattr(board, name) for board in boards], np.uint64) for name in ("own", "mask"))


def words_of(boards, words=2):
    """As arrays_of, for larger boards."""
    each = [[[value >> 64 * i & 2**64 - 1 for i in range(words)] for value in (b.own, b.mask)] for b in boards]
    return tuple(np.array(each, np.uint64).swapaxes(0, 1))


def equal(one, other):
    return all(np.array_equal(*pair) for pair in zip(one, other, strict=True))


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(7, 6, 4, False), Rules(6, 5, 3), Rules(9, 6), Rules(8, 8), Rules(16, 7)], ids=str
)
def test_scores_are_those_of_solve(rules, backend):
    boards = late_boards(12, rules=rules, empty=12)
    found = solve_many(boards, columns=True, backend=backend)
    for i, board in enumerate(boards):
        alone = solve(board, backend=backend)
        assert found.scores[i] == alone.score
        assert [None if score == NO_SCORE else score for score in found.columns[i].tolist()] == [*alone.columns]
    assert found.errors == {}
    assert (found.scores.dtype, found.columns.shape) == (np.int8, (12, rules.width))
    plain = solve_many(boards, backend=backend)
    assert np.array_equal(plain.scores, found.scores)
    assert plain.columns.shape == (12, 0)


@pytest.mark.native
def test_larger_boards_are_solved_after_a_warning():
    """Of three words. One warning, and only where something has to be solved."""
    _warn_of_size.cache_clear()
    rules = Rules(13, 9)
    boards = late_boards(6, rules=rules, empty=10)
    over = Board.from_moves([0, 1, 0, 1, 0, 1, 0], rules)
    assert solve_many([over]).errors == {0: "the game is over"}
    with pytest.warns(RuntimeWarning, match="more than 128 bits.* solved by the pure-Python backend") as caught:
        found = solve_many(boards)
    assert len(caught) == 1
    assert found.scores.tolist() == [solve(board, columns=False).score for board in boards]
    assert equal(found, solve_many(words_of(boards, 3), rules=rules))


def test_strings_and_arrays_are_boards_too():
    boards = late_boards(10)
    strings = [board.to_pons() for board in boards]
    assert equal(solve_many(boards), solve_many(strings))
    assert equal(solve_many(boards), solve_many(arrays_of(boards)))
    small = late_boards(10, rules=Rules(5, 4), empty=8)
    assert equal(solve_many(small), solve_many(arrays_of(small), rules=Rules(5, 4)))
    assert equal(solve_many(small), solve_many((board.to_pons() for board in small), rules=Rules(5, 4)))
    wide = late_boards(10, rules=Rules(8, 8))
    assert equal(solve_many(wide), solve_many(words_of(wide), rules=Rules(8, 8)))


@pytest.mark.parametrize("rules", [Rules(), Rules(8, 8)], ids=str)
def test_duplicates_and_mirror_images_are_searched_once(rules):
    boards = late_boards(5, rules=rules)
    told = []
    many = [*boards, *boards, *(board.mirror() for board in boards)]
    found = solve_many(many, columns=True, progress=lambda done, total: told.append(total))
    assert set(told) == {5}
    alone = solve_many(boards, columns=True)
    assert np.array_equal(found.scores, np.tile(alone.scores, 3))
    assert np.array_equal(found.nodes, np.tile(alone.nodes, 3))
    assert np.array_equal(found.columns[5:10], alone.columns)
    assert np.array_equal(found.columns[10:], alone.columns[:, ::-1])


def test_finished_games_are_reported_and_the_rest_is_solved():
    boards = late_boards(6)
    won = Board.from_pons("1212121")
    drawn = late_boards(1, rules=Rules(7, 6, 9), empty=1)[0]
    drawn.push(drawn.legal_columns[0])
    found = solve_many([won, *boards, won], columns=True)
    assert found.errors == {0: "the game is over", 7: "the game is over"}
    assert np.array_equal(found.scores[1:7], solve_many(boards).scores)
    assert found.scores[0] == NO_SCORE
    assert (found.columns[0] == NO_SCORE).all()
    assert solve_many([drawn]).errors == {0: "the game is over"}


def test_no_boards():
    found = solve_many([], columns=True)
    assert (found.scores.shape, found.columns.shape, found.nodes.shape) == ((0,), (0, 7), (0,))


def test_a_book_answers_at_once():
    rules = Rules(5, 4)
    book = build_book(rules, 6)
    boards = late_boards(60, rules=rules, empty=14) + late_boards(40, rules=rules, empty=15, seed=2)
    for columns in (False, True):
        known = solve_many(boards, columns=columns, book=book)
        alone = solve_many(boards, columns=columns, book=False)
        assert np.array_equal(known.scores, alone.scores)
        assert columns is False or np.array_equal(known.columns, alone.columns)
        decided = [board.ply + columns <= 6 for board in boards]
        assert (known.nodes[decided] == 0).all()
        assert known.nodes.sum() < alone.nodes.sum()


BOARD = Board.from_pons("44")
OWN, MASK = arrays_of([BOARD])
test_bad_arguments = refused(
    (lambda: solve_many(["44", "4x"]), ValueError, r"boards\[1\]: character 2, 'x', is not a column"),
    (lambda: solve_many(["44", Board(Rules(5, 4))]), ValueError, r"boards\[1\] has the rules 5x4x4, not 7x6x4"),
    (lambda: solve_many([Board(Rules(20, 14))]), ValueError, "boards must have at most 252 cells, not 20x14x4"),
    (lambda: solve_many((OWN, MASK), rules=Rules(8, 8)), TypeError, r"uint64 of shape \(n, 2\) for 8x8x4"),
    (lambda: solve_many(words_of([BOARD]), rules=Rules()), TypeError, r"of shape \(n,\) for 7x6x4, not .*\(1, 2\)"),
    (lambda: solve_many((np.uint64([[2, 0]]),) * 2, rules=Rules(8, 8)), ValueError, "not a position of 8x8x4: 0x2"),
    (lambda: solve_many((np.uint64([[0, 128]]),) * 2, rules=Rules(8, 8)), ValueError, "0x800000000000000000"),
    (lambda: solve_many([Board(Rules(8, 8))], book=shipped_book()), ValueError, "book must be for 8x8x4"),
    (lambda: solve_many((OWN, MASK[:0])), ValueError, "same length, not 1 and 0"),
    (lambda: solve_many((OWN, MASK.astype(int))), TypeError, "mask must be an array of uint64"),
    (lambda: solve_many((OWN, MASK << np.uint64(1))), ValueError, r"own\[0\] and mask\[0\] are not a position"),
)


def test_the_scores_in_the_lines_of_a_test_file_are_returned():
    lines = ["7422341735647741166133573473 3", "4 2", "23163416124767223154467471272"]
    found = solve_many(lines)
    assert found.expected.tolist() == [3, 2, NO_SCORE]
    assert (found.scores == solve_many([line.split()[0] for line in lines]).scores).all()
    with pytest.raises(NotationError, match=r"boards\[0\]: '4 2' could be the moves 42"):
        solve_many(lines[1:])
