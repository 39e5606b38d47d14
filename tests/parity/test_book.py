"""The book's twins: the same values, the same scores, and the same trees of a search that uses it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import random_board
from strategies import RULES
from trees import require_whole

from c4mcts import Engine, Rules, SearchParams, build_book
from c4mcts._backend import load
from c4mcts.rules import word_count
from c4mcts.solver.bitboards import Positions, bitboards_of, words_of
from c4mcts.solver.book_building import unfinished_positions
from c4mcts.solver.static_function import mixed, static_arrays

WIDE = [
    Rules(8, 8),
    Rules(5, 12, 3),
    Rules(16, 7, 3),
    Rules(2, 63, 2),
    Rules(42, 2, 3),
    Rules(10, 7, 4, diagonals=False),
]
FIT = [rules for rules in RULES if rules.width * (rules.height + 1) <= 64] + WIDE


def function_of(keys, scores, name):
    return load(name).static_function.StaticFunction(*static_arrays(keys, scores))


def book_scores(name, rules, plies, keys, scores, *lines):
    return load(name).book_for(rules).BookScores(rules, plies, function_of(keys, scores, name), *lines)


def words_of_both(positions):
    """The bitboards as BookScores wants them."""
    return [words_of(bitboards, positions.rules).ravel() for bitboards in (positions.own, positions.mask)]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 400), st.integers(1, 40), st.booleans(), st.integers(0, 2**32))
def test_functions_have_the_values_that_they_were_made_of(size, kinds, wide, seed):
    """And equal ones for other keys."""
    chance = np.random.default_rng(seed)
    shape = (2,) if wide else ()
    keys = np.unique(chance.integers(0, 2**64, (size, *shape), dtype=np.uint64), axis=0)
    values = (chance.geometric(0.3, len(keys)).clip(max=kinds) - kinds // 2).astype(np.int8)
    native, pure = (function_of(keys, values, name) for name in ("native", "pure"))
    for each in (native, pure):
        assert [each.value(key) for key in bitboards_of(keys).tolist()] == values.tolist()
    others = bitboards_of(chance.integers(0, 2**64, (50, *shape), dtype=np.uint64)).tolist()
    assert [native.value(key) for key in others] == [pure.value(key) for key in others]


def test_keys_with_equal_hashes_have_values_of_their_own():
    """The hash of a key of two words is that of the lower one XOR the mixed higher one."""
    chance = np.random.default_rng(4)
    high = np.unique(chance.integers(1, 2**64, 200, dtype=np.uint64))
    low = mixed(high) ^ np.arange(len(high), dtype=np.uint64) // np.uint64(2)  # pairs with one hash
    values = chance.integers(-3, 4, len(high)).astype(np.int8)
    for name in ("native", "pure"):
        function = function_of(np.stack([low, high], axis=1), values, name)
        keys = [one | other << 64 for one, other in zip(low.tolist(), high.tolist(), strict=True)]
        assert [function.value(key) for key in keys] == values.tolist()


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


@pytest.mark.parametrize("rules", FIT, ids=str)
def test_a_position_and_its_mirror_image_share_a_key(rules):
    plies = max(n for n in range(rules.cells + 1) if math.comb(rules.width + n, n) * 2**n < 40_000)
    function = np.zeros(1, np.uint64), np.zeros(1, np.int8)
    books = [book_scores(name, rules, plies, *function) for name in ("native", "pure")]
    for positions in unfinished_positions(rules, plies):
        image = positions.mirrored()
        keys = positions.canonical_keys().tolist()
        for book in books:
            assert book.keys_of(*words_of_both(positions)) == book.keys_of(*words_of_both(image)) == keys
        assert len(set(keys)) == len(keys)


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from([Rules(), Rules(8, 7), Rules(5, 4, 3), Rules(1, 63, 5), Rules(8, 8), Rules(16, 7), Rules(2, 63)]),
    st.integers(0, 2**128 - 1),
    st.integers(0, 2**128 - 1),
    st.booleans(),
)
def test_any_two_numbers_are_safe(rules, own, mask, inside):
    """Bits that are not a position have no score."""
    bits = 64 * word_count(rules)
    own, mask = own >> 128 - bits, mask >> 128 - bits
    numbers = sorted({own | mask, own, mask, own + mask & (1 << bits) - 1})
    keys = words_of(np.array(numbers, np.uint64 if bits == 64 else object), rules)
    function, lines = (
        (keys, np.full(len(keys), 2, np.int8)),
        (rules.cells, keys.ravel(), np.arange(len(keys), dtype=np.int8)),
    )
    books = [book_scores(name, rules, 4, *function, *lines) for name in ("native", "pure")]
    arrays = words_of_both(Positions.of(rules, [own & mask if inside else own], [mask]))
    native, pure = (book.scores_of(*arrays) for book in books)
    assert native == pure


@pytest.mark.parametrize("name", ["native", "pure"])
def test_unfit_arguments_are_refused(name):
    book = load(name).book.BookScores
    function = function_of(np.zeros(1, np.uint64), np.zeros(1, np.int8), name)
    with pytest.raises(ValueError, match="at most 128 bits, not 12x10x4"):
        load(name).book_for(Rules(8, 8)).BookScores(Rules(12, 10), 1, function)
    with pytest.raises(ValueError, match="plies must be 0 to 42, not 43"):
        book(Rules(), 43, function)
    with pytest.raises(ValueError, match="same length"):
        book(Rules(), 1, function).keys_of(bytes(8), bytes(16))
    with pytest.raises(ValueError, match="there are 2 words of keys for 1 scores of lines"):
        book(Rules(), 1, function, 9, bytes(16), bytes(1))
    wide = load(name).book_for(Rules(8, 8)).BookScores
    with pytest.raises(ValueError, match="there are 1 words of keys for 1 scores of lines"):
        wide(Rules(8, 8), 1, function, 9, bytes(8), bytes(1))
    with pytest.raises(ValueError, match="same length, in steps of 2, not 3 and 3"):
        wide(Rules(8, 8), 1, function).scores_of(bytes(24), bytes(24))
    with pytest.raises(ValueError, match="last_ply must be 1 to 42, not 0"):
        book(Rules(), 1, function, 0)


@pytest.mark.parametrize(
    ("rules", "plies", "lines"),
    [
        (Rules(5, 4), 6, None),
        (Rules(4, 5, 3, False), 5, None),
        (Rules(5, 4), 3, 12),
        (Rules(8, 8, 3), 3, 7),
    ],
    ids=str,
)
def test_searches_with_a_book_grow_equal_trees(rules, plies, lines):
    book = build_book(rules, plies, lines=lines)
    generator = np.random.default_rng(5)
    params = SearchParams.preset("perfect")
    for _ in range(8):
        board = random_board(rules, generator.integers(plies + 3), generator)
        engines = [Engine(params, seed=1, backend=name, book=book) for name in ("native", "pure")]
        results = [engine.search(board, simulations=80) for engine in engines]
        assert np.array_equal(*(engine.tree() for engine in engines))
        assert {**results[0].to_dict(), "seconds": 0} == {**results[1].to_dict(), "seconds": 0}
        for engine in engines:
            require_whole(engine)
