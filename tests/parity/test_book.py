"""The book's twins: the same places in the table, the same scores, and the same trees of a search that uses it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import RULES

from c4mcts import Board, Engine, Rules, SearchParams, build_book
from c4mcts._backend import load
from c4mcts.solver.book import entries_of
from c4mcts.solver.book_building import unfinished_positions

SMALL = [rules for rules in RULES if rules.width * (rules.height + 1) <= 64]


def twins(rules, plies, table):
    return [load(name).book.BookScores(rules, plies, table) for name in ("native", "pure")]


@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_each_position_has_a_place_of_its_own(rules):
    """Up to mirror images, and the same in both backends."""
    plies = max(n for n in range(rules.cells + 1) if math.comb(rules.width + n, n) * 2**n < 40_000)
    size = entries_of(rules, plies)[-1]
    books = twins(rules, plies, np.zeros(size, np.int8))
    for n, positions in enumerate(unfinished_positions(rules, plies)[: plies + 1]):
        indices, pure = ([*book.indices(positions.own, positions.mask)] for book in books)
        assert indices == pure
        assert len(set(indices)) == len(positions)
        starts = entries_of(rules, plies)
        assert all(starts[n] <= index < starts[n + 1] for index in indices)
        image = positions.mirrored()
        assert books[0].indices(image.own, image.mask) == indices


def test_the_table_has_no_room_for_more():
    """Without mirror images and rules of the game each way to place the discs has its own index, and none is unused."""
    rules = Rules(3, 2, 9)
    pure = load("pure").book
    book = pure.BookScores(rules, 4, bytes(entries_of(rules, 4)[-1]))
    for n in range(5):
        ranks = set()
        for mask in range(1 << 9):
            for own in range(1 << 9):
                if pure.is_position(book.geometry, own, mask) and mask.bit_count() == n:
                    ranks.add(pure.rank(book, own, mask))
        assert ranks == set(range(book.starts[n + 1] - book.starts[n]))


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([Rules(), Rules(8, 7), Rules(5, 4, 3), Rules(1, 63, 5)]),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**64 - 1),
    st.booleans(),
)
def test_any_two_numbers_are_safe(rules, own, mask, inside):
    """Bits that don't describe a position have no index and no score."""
    plies = 4
    table = np.full(entries_of(rules, plies)[-1], 7, np.int8)
    keys = np.unique(np.array([own | mask, own, mask, own + mask & 2**64 - 1], np.uint64))
    lines = rules.cells, keys, np.arange(len(keys), dtype=np.int8)
    books = [load(name).book.BookScores(rules, plies, table, *lines) for name in ("native", "pure")]
    arrays = np.array([own & mask if inside else own], np.uint64), np.array([mask], np.uint64)
    native, pure = ((book.indices(*arrays), book.scores_of(*arrays)) for book in books)
    assert native == pure


@pytest.mark.parametrize("name", ["native", "pure"])
def test_wrong_tables_are_refused(name):
    book = load(name).book.BookScores
    with pytest.raises(ValueError, match="the scores must be 8 bytes, not 7"):
        book(Rules(), 1, bytes(7))
    with pytest.raises(ValueError, match="at most 64 bits"):
        book(Rules(8, 8), 1, bytes(8))
    with pytest.raises(ValueError, match="plies must be 0 to 42, not 43"):
        book(Rules(), 43, b"")
    with pytest.raises(ValueError, match="same length"):
        book(Rules(), 1, bytes(8)).indices(bytes(8), bytes(16))
    with pytest.raises(ValueError, match="there are 2 keys and 1 scores of lines"):
        book(Rules(), 1, bytes(8), 9, bytes(16), bytes(1))
    with pytest.raises(ValueError, match="last_ply must be 1 to 42, not 0"):
        book(Rules(), 1, bytes(8), 0)


@pytest.mark.parametrize(
    ("rules", "plies", "lines"),
    [(Rules(5, 4), 6, None), (Rules(4, 4), 16, None), (Rules(4, 5, 3, False), 5, None), (Rules(5, 4), 3, 12)],
    ids=str,
)
def test_searches_with_a_book_grow_equal_trees(rules, plies, lines):
    book = build_book(rules, plies, lines=lines)
    generator = np.random.default_rng(5)
    params = SearchParams.preset("perfect")
    for _ in range(25):
        board = Board(rules)
        for _ in range(generator.integers(plies + 3)):
            board.push(generator.choice(board.legal_columns))
            if board.is_over():
                board.pop()
                break
        engines = [Engine(params, seed=1, backend=name, book=book) for name in ("native", "pure")]
        results = [engine.search(board, simulations=150) for engine in engines]
        assert np.array_equal(*(engine.tree() for engine in engines))
        assert results[0].moves == results[1].moves
        assert (results[0].proof, results[0].distance, results[0].pv) == (
            results[1].proof,
            results[1].distance,
            results[1].pv,
        )
        for engine in engines:
            engine._check()
