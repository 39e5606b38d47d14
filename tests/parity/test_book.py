"""The book's twins: the same values, the same scores, and the same trees of a search that uses it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import RULES

from c4mcts import Board, Engine, Rules, SearchParams, build_book
from c4mcts._backend import load
from c4mcts.solver.book_building import unfinished_positions
from c4mcts.solver.static_function import static_arrays

SMALL = [rules for rules in RULES if rules.width * (rules.height + 1) <= 64]


def function_of(keys, scores, name):
    return load(name).static_function.StaticFunction(*static_arrays(keys, scores))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 400), st.integers(1, 40), st.integers(0, 2**32))
def test_functions_have_the_values_that_they_were_made_of(size, kinds, seed):
    """And equal ones for other keys."""
    chance = np.random.default_rng(seed)
    keys = np.unique(chance.integers(0, 2**64, size, dtype=np.uint64))
    values = (chance.geometric(0.3, len(keys)).clip(max=kinds) - kinds // 2).astype(np.int8)
    native, pure = (function_of(keys, values, name) for name in ("native", "pure"))
    assert [native.value(key) for key in keys.tolist()] == [pure.value(key) for key in keys.tolist()] == values.tolist()
    others = chance.integers(0, 2**64, 50, dtype=np.uint64).tolist()
    assert [native.value(key) for key in others] == [pure.value(key) for key in others]


def test_functions_do_not_depend_on_the_order_and_are_small():
    """At most 2 % above the entropy of the values."""
    chance = np.random.default_rng(1)
    keys = np.unique(chance.integers(0, 2**64, 5000, dtype=np.uint64))
    values = chance.choice(np.array([0, 1, 2, 3], np.int8), len(keys), p=[0.5, 0.25, 0.125, 0.125])
    order = chance.permutation(len(keys))
    one, other = static_arrays(keys, values), static_arrays(keys[order], values[order])
    assert all(map(np.array_equal, one, other))
    bits = np.array([1, 2, 3, 3])[values].sum()  # of the code words, here exactly what the values tell
    assert sum(array.nbytes for array in one) * 8 < 1.03 * bits


@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_a_position_and_its_mirror_image_share_a_key(rules):
    plies = max(n for n in range(rules.cells + 1) if math.comb(rules.width + n, n) * 2**n < 40_000)
    function = np.zeros(1, np.uint64), np.zeros(1, np.int8)
    books = [load(name).book.BookScores(rules, plies, function_of(*function, name)) for name in ("native", "pure")]
    for positions in unfinished_positions(rules, plies):
        image = positions.mirrored()
        keys = positions.canonical_keys().tolist()
        for book in books:
            assert book.keys_of(positions.own, positions.mask) == book.keys_of(image.own, image.mask) == keys
        assert len(set(keys)) == len(keys)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([Rules(), Rules(8, 7), Rules(5, 4, 3), Rules(1, 63, 5)]),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**64 - 1),
    st.booleans(),
)
def test_any_two_numbers_are_safe(rules, own, mask, inside):
    """Bits that are not a position have no score."""
    keys = np.unique(np.array([own | mask, own, mask, own + mask & 2**64 - 1], np.uint64))
    function, lines = (keys, np.full(len(keys), 2, np.int8)), (rules.cells, keys, np.arange(len(keys), dtype=np.int8))
    books = [load(name).book.BookScores(rules, 4, function_of(*function, name), *lines) for name in ("native", "pure")]
    arrays = np.array([own & mask if inside else own], np.uint64), np.array([mask], np.uint64)
    native, pure = (book.scores_of(*arrays) for book in books)
    assert native == pure


@pytest.mark.parametrize("name", ["native", "pure"])
def test_unfit_arguments_are_refused(name):
    book = load(name).book.BookScores
    function = function_of(np.zeros(1, np.uint64), np.zeros(1, np.int8), name)
    with pytest.raises(ValueError, match="at most 64 bits"):
        book(Rules(8, 8), 1, function)
    with pytest.raises(ValueError, match="plies must be 0 to 42, not 43"):
        book(Rules(), 43, function)
    with pytest.raises(ValueError, match="same length"):
        book(Rules(), 1, function).keys_of(bytes(8), bytes(16))
    with pytest.raises(ValueError, match="there are 2 keys and 1 scores of lines"):
        book(Rules(), 1, function, 9, bytes(16), bytes(1))
    with pytest.raises(ValueError, match="last_ply must be 1 to 42, not 0"):
        book(Rules(), 1, function, 0)


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
