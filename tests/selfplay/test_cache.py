"""The cache of a pool: what the evaluator has answered is not asked again, and games are the same."""

from functools import partial

import numpy as np
import pytest
from evaluators import fingerprint
from pools import PUCT, SMALL, answer, new_pool, played, same

from c4mcts import Board, Rules
from c4mcts._backend import load

pytestmark = pytest.mark.native

PLAY = partial(new_pool, PUCT, start=SMALL, simulations=20, concurrent=8, seed=7)
MANY = 1_000_000


def asked(pool, evaluator=fingerprint):
    """The planes of all leaves that a pool asks for, as bytes, batch by batch, and its games."""
    batches = []
    while (batch := pool.gather()) is not None:
        batches.append([row.tobytes() for row in batch.planes[: batch.count]])
        pool.complete(*answer(batch, evaluator))
    return batches, dict(pool.finished())


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("start", [SMALL, Board(Rules(9, 8, 3)), Board(Rules(2, 40, 3))], ids=repr)
def test_a_position_is_asked_for_once(start, groups):
    """With room for all answers no position is asked for twice, and none that plain games don't ask for."""
    options = {"games": 20, "start": start, "groups": groups, "simulations": 12}
    plain, games = asked(PLAY(**options))
    batches, found = asked(PLAY(**options, cache=MANY))
    assert same(found, games)
    leaves = [leaf for batch in batches for leaf in batch]
    assert len(leaves) == len(set(leaves))
    assert set(leaves) == {leaf for batch in plain for leaf in batch}
    assert len(leaves) < sum(map(len, plain))


def test_a_small_cache_forgets():
    """Not more than it may keep: the most recent answers are there, older ones are asked for again."""
    options = {"games": 20}
    numbers = []
    games = played(PLAY(**options))
    for cache in (0, 1, 3, 30, 300, MANY):
        batches, found = asked(PLAY(**options, cache=cache))
        assert same(found, games)
        numbers.append(sum(map(len, batches)))
    assert min(numbers[:2]) > min(numbers) == numbers[-1]


def test_leaves_of_one_batch_share_a_row():
    """All games begin with the same position: one row for all of them, of the first game."""
    batch = PLAY(games=8, cache=1).gather()
    assert (batch.count, len(batch.planes)) == (1, 8)
    assert batch.rows.tolist() == [0] + [-1] * 7


def test_answers_can_be_forgotten():
    """After a change of the evaluator the next batch asks again."""
    pool = PLAY(games=2, concurrent=1, simulations=4, cache=MANY)
    first = pool.gather().planes[0].copy()
    asked_again = False
    while (batch := pool.gather() if not pool.waiting else pool.waiting[0]) is not None:
        asked_again |= np.array_equal(batch.planes[0], first) and bool(pool.finished())
        pool.complete(*answer(batch))
        pool.clear_cache()
    assert asked_again


def test_misuse_of_native_code_is_an_error():
    """Calls from Python in any wrong order read nothing outside of an array."""
    answers, game = load("native").answers, load("native").game
    for limit, width, rows in [(0, 7, 1), (-1, 7, 1), (1 << 60, 7, 1), (4, 0, 1), (4, 65, 1), (4, 7, 0)]:
        with pytest.raises(ValueError, match="must be"):
            answers.Answers(limit, width, rows)
    with pytest.raises(ValueError, match="the answers are for another board"):
        game.SelfPlayGame(Rules(), PUCT.settings, (0, 1), None).prepare(None, np.zeros(0), answers.Answers(4, 5, 1))
    pool = PLAY(games=1, concurrent=2, cache=10, simulations=12, leaves_per_tree=4)
    native = pool._pool
    priors, values = answer(pool.gather())
    full = sum(0b1111 << 5 * column for column in range(5))
    for name, arguments, words in (
        ("start", (1, 9, 0, 0, 1, 1, b"", -1), "drawn must be 0 to 4096, not -1"),
        ("start", (1, 9, 0, full, 1, 1, b"", 0), "discs must be 0 to 19, not 20"),
        ("start", (1, 9, 0, 0, 1, 1, bytes(21), 0), "the number of moves must be 0 to 20, not 21"),
        ("gather", (-1, []), "group must be 0 to 0, not -1"),
        ("gather", (1, []), "group must be 0 to 0, not 1"),
    ):
        with pytest.raises(ValueError, match=words):
            getattr(native, name)(*arguments)
    with pytest.raises(ValueError, match="the leaves of a game are gathered by its pool"):
        native.game(0).gather(4)
    pool.complete(priors, values)
    with pytest.raises(ValueError, match="nothing waits for an evaluation"):
        native.complete(0, priors, values)
