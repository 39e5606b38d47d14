"""A pool of games, used in any order and with any options: the same games as a plain one plays; and what it refuses.

That its games are those of an Engine is a test of tests/parity.
"""

import gc
from functools import cache, partial

import numpy as np
import pytest
from fuzz.files import one_line
from fuzz.values import VALUES
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from pools import PUCT, SMALL, answer, new_pool, played, same
from refusals import refused_by

from c4mcts import Board, GameOverError, GumbelParams, UctParams
from c4mcts.selfplay import PlayParams

pytestmark = pytest.mark.native

PLAY = partial(new_pool, params=PUCT, start=SMALL, simulations=20, seed=7)
GAMES = 12
ALL = PlayParams(
    full_share=0.4, fast_simulations=6, openings=["1", "2"], opening_plies=(0, 3), opening_moves="policy",
    resign_value=-0.2, resign_moves=2, after_proof="stop",
)  # fmt: skip
KINDS = [(params, play) for params in (PUCT, GumbelParams(batch_size=1)) for play in (None, ALL)]


@cache
def expected(kind):
    """The games of a pool that plays one after the other."""
    params, play = KINDS[kind]
    return played(PLAY(params=params, play=play, games=GAMES, concurrent=1))


def read_only(array):
    array.flags.writeable = False
    return array


def strided(array):
    wide = np.full([3 * side for side in array.shape], np.nan, np.float32)
    part = wide[tuple(slice(None, None, -3) for _ in array.shape)]
    part[...] = array
    return part


class Liar(np.ndarray):
    """A subclass whose operators lie."""

    def __array_finalize__(self, _):
        gc.collect(0)

    def __eq__(self, _):
        return True

    __hash__ = None


MEMORY = [  # the same answers
    *(lambda array, kind=kind: array.astype(kind) for kind in (np.float32, np.float64, np.float16)),
    lambda array: np.frombuffer(b"\0" + array.tobytes(), np.uint8)[1:].view(np.float32).reshape(array.shape),
    lambda array: np.frombuffer(bytearray(array.tobytes()), np.float32).reshape(array.shape),
    lambda array: np.ma.masked_array(array, array > 0),
    lambda array: array.view(Liar),
    np.asfortranarray,
    read_only,
    strided,
]


def put(array, place, value):
    array[place] = value
    return array


WRONG = [  # change of priors and values, the error and its words; at a place (row of the last leaf, legal column)
    (lambda p, v, at: (p.astype(complex), v), TypeError, "priors must be an array of numbers, not "),
    (lambda p, v, at: (p[:-1], v), ValueError, r"priors must have the shape \(\d+, 5\), not \(\d+, 5\)"),
    (lambda p, v, at: (p, v[:, None, None]), ValueError, r"values must have the shape \(\d+,\), not \(\d+, 1, 1\)"),
    (lambda p, v, at: (put(np.ones_like(p), at, np.nan), v), ValueError, r"priors\[\d, \d\] must be finite .* nan"),
    (lambda p, v, at: (put(p, at, -0.5), v), ValueError, r"priors\[\d, \d\] must be .* at least 0, not -0.5"),
    (lambda p, v, at: (put(p.astype(float), at, 1e300), v), ValueError, r"priors\[\d, \d\] must be finite .* inf"),
    (lambda p, v, at: (p, put(v, at[0], np.nan)), ValueError, r"values\[\d\] must lie in \[-1, 1\], not nan"),
    (lambda p, v, at: (p, put(v, at[0], 1.5)), ValueError, r"values\[\d\] must lie in \[-1, 1\], not 1.5"),
]
HOSTILE = [  # answers that may be refused, or taken as what they say
    lambda array: array.astype(">f4"),
    lambda array: array.view(np.int32),
    lambda array: array.view([("x", np.float32)]),
    lambda array: array.astype(object),
    lambda array: array[:0],
    lambda array: array.T[..., None],
    lambda array: np.broadcast_to(array.flat[0], array.shape),
    lambda array: np.broadcast_to(array.flat[0], (2**20, 2**20)),
    lambda array: array.tolist(),
    memoryview,
    *(lambda array, value=value: value() for value in VALUES.values()),
]


class AnyPool(RuleBasedStateMachine):
    """Calls of a pool in any order: right and wrong ones, with answers in any kind of memory."""

    @initialize(
        kind=st.integers(0, len(KINDS) - 1),
        groups=st.integers(1, 3),
        slots=st.integers(1, 5),
        threads=st.integers(1, 3),
        pad=st.booleans(),
        cache=st.sampled_from([0, 1, 40, 100_000]),
        given=st.booleans(),
    )
    def begin(self, kind, groups, slots, threads, pad, cache, given):
        params, play = KINDS[kind]
        options = {"concurrent": groups * slots, "groups": groups, "threads": threads, "pad": pad, "cache": cache}
        self.memory = [(np.empty((slots, 2, 4, 5), np.float32), np.empty((slots, 5), bool)) for _ in range(groups)]
        if given:
            options["buffers"] = self.memory
        self.pool = PLAY(params=params, play=play, games=GAMES, **options)
        self.kind, self.pad, self.slots, self.given = kind, pad, slots, given
        self.answers, self.found, self.is_spoilt = [], {}, False

    @rule(overwritten=st.booleans())
    def gather(self, overwritten):
        if len(self.answers) == self.pool.groups:
            with pytest.raises(ValueError, match="gather needs a free batch: complete the one that waits first"):
                self.pool.gather()
            return
        batch = self.pool.gather()
        if batch is None:
            return
        rows = len(batch.rows)
        assert batch.planes.shape == (rows, 2, 4, 5)
        assert batch.legal.shape == (rows, 5)
        assert rows == (self.slots if self.pad else batch.count)
        assert (batch.rows[: batch.count] >= 0).all()
        assert (batch.rows[batch.count :] == -1).all()
        assert not batch.planes[batch.count :].any()
        assert batch.legal[batch.count :].all(), "padding is the empty board"
        assert self.given == any(np.shares_memory(batch.planes, planes) for planes, _ in self.memory)
        priors, values = answer(batch)
        priors[~batch.legal] = np.nan  # full columns and padding don't matter
        priors[batch.count :], values[batch.count :] = -1, np.inf
        last = batch.count - 1
        self.answers.append((priors, values, (last, batch.legal[last].argmax())))
        if overwritten:
            batch.planes[:], batch.legal[:], batch.rows[:] = np.nan, False, 99

    @rule(memory=st.tuples(st.sampled_from(MEMORY), st.sampled_from(MEMORY)))
    def complete(self, memory):
        if not self.answers:
            with pytest.raises(ValueError, match="complete needs a batch that waits: call gather first"):
                self.pool.complete(np.ones((2, 5), np.float32), np.zeros(2, np.float32))
            return
        priors, values, _ = self.answers.pop(0)
        given = [change(part) for change, part in zip(memory, (priors, values), strict=True)]
        self.pool.complete(*given)
        for part, number in zip(given, (np.nan, 7), strict=True):  # they have been read
            if part.flags.writeable:
                part[:] = number

    @rule(wrong=st.sampled_from(WRONG))
    def wrong_answer(self, wrong):
        """Nothing changes: the batch still waits for its answer, and none is kept."""
        if self.answers:
            spoil, error, words = wrong
            priors, values, place = self.answers[0]
            with pytest.raises(error, match=words):
                self.pool.complete(*spoil(priors.copy(), values.copy(), place))

    @rule(change=st.sampled_from(HOSTILE), is_priors=st.booleans())
    def hostile_answer(self, change, is_priors):
        """It is taken, or refused in one line or for want of memory."""
        if self.answers:
            priors, values, _ = self.answers[0]
            given = (change(priors.copy()), values) if is_priors else (priors, change(values.copy()))
            try:
                self.pool.complete(*given)
            except (TypeError, ValueError) as error:
                one_line(error)
            except MemoryError:
                pass  # a range of 10^12 numbers
            else:
                self.answers.pop(0)
                self.is_spoilt = True

    @rule()
    def finished(self):
        new = self.pool.finished()
        assert self.found.keys().isdisjoint(dict(new))
        self.found.update(new)

    @rule()
    def clear_cache(self):
        self.pool.clear_cache()

    @invariant()
    def as_many_wait(self):
        assert len(self.pool.waiting) == len(self.answers)

    def teardown(self):
        while self.answers or (batch := self.pool.gather()) is not None:
            priors, values, _ = self.answers.pop(0) if self.answers else (*answer(batch), None)
            self.pool.complete(priors, values)
        self.finished()
        games = expected(self.kind)
        assert self.found.keys() == games.keys() if self.is_spoilt else same(self.found, games)
        assert self.pool.gather() is None
        assert repr(self.pool) == f"<c4mcts.selfplay.Pool, {GAMES} of {GAMES} games finished>"


TestAnyPool = AnyPool.TestCase
TestAnyPool.settings = settings(max_examples=40, stateful_step_count=50, deadline=None)


def test_games_can_be_chosen_by_number():
    every = played(PLAY(games=6))
    assert same(played(PLAY(games=[5, 2])), {n: every[n] for n in (2, 5)})
    assert not same(played(PLAY(games=6, seed=8)), every)
    assert PLAY(games=1).seed == 7
    assert PLAY(games=1, seed=None).seed != PLAY(games=1, seed=None).seed


def test_rounding_may_leave_the_interval():
    """Single precision may make 1 + 1e-7 of a value of 1."""
    games = [
        played(PLAY(games=2), lambda planes, legal, top=top: (np.ones(legal.shape), np.full(len(planes), top)))
        for top in (1, 1 + 1.2e-7)
    ]
    assert all(np.array_equal(games[0][n].visits, games[1][n].visits) for n in range(2))


@pytest.mark.parametrize("name", ["gather", "complete", "finished", "clear_cache"])
def test_a_second_call_meanwhile_is_an_error(name):
    pool = PLAY(games=2, concurrent=2, groups=2)
    arguments = answer(pool.gather()) if name == "complete" else ()
    with pool._lock, pytest.raises(RuntimeError, match="this pool is at work in another thread"):
        getattr(pool, name)(*arguments)


PLANES, LEGAL = np.zeros((4, 2, 4, 5), np.float32), np.zeros((4, 5), np.bool_)


test_what_is_refused = refused_by(
    partial(new_pool, params=PUCT, games=2, simulations=10, start=SMALL, concurrent=4),
    ({"params": UctParams()}, ValueError, "needs PuctParams or GumbelParams, not UctParams"),
    ({"params": PUCT.changed(temperature=1.0)}, ValueError, "temperature=0, not 1.0"),
    ({"games": [1, 1]}, ValueError, "games must be .* different"),
    ({"games": [-1]}, ValueError, "games must be 0 to 2147483647, not -1"),
    ({"concurrent": 0}, ValueError, "concurrent must be"),
    ({"simulations": 10**7}, ValueError, "simulations must be 1 to 1000000"),
    ({"start": Board.from_pons("1212121")}, GameOverError, "start: the game is over"),
    ({"leaves_per_tree": 0}, ValueError, "leaves_per_tree must be"),
    ({"leaves_per_tree": 1 << 16, "concurrent": 100}, ValueError, "concurrent must be 1 to 16, not 100"),
    ({"groups": 17}, ValueError, "groups must be 1 to 16, not 17"),
    ({"groups": 5, "concurrent": 4}, ValueError, "groups must be 1 to 4, not 5"),
    ({"groups": 3, "concurrent": 4}, ValueError, "concurrent must be a multiple of the number of groups, 3, not 4"),
    ({"openings": ["1212121"]}, ValueError, r"openings\[0\] must be moves after which the game is not over"),
    ({"full_share": 0.5, "fast_simulations": 11}, ValueError, "fast_simulations must be at most simulations, 10,"),
    ({"cache": 1 << 60}, ValueError, "cache must be 0 to"),
    ({"pad": 1}, TypeError, "pad must be True or False"),
    ({"threads": 0}, ValueError, "threads must be"),
    ({"backend": "pure"}, ValueError, "backend must be native for a Pool, not pure: generate plays the games with"),
    ({"buffers": []}, ValueError, "buffers must be a pair of arrays for each of 1 groups"),
    ({"buffers": [(np.zeros(3),)]}, ValueError, "buffers must be a pair"),
    ({"buffers": [(None, LEGAL)]}, TypeError, "planes must be an array, not None"),
    ({"buffers": [(PLANES.astype(float), LEGAL)]}, ValueError, r"float32 of shape \(4, 2, 4, 5\), not float64"),
    ({"buffers": [(PLANES[:3], LEGAL)]}, ValueError, r"planes must be .*, not float32 of shape \(3, 2, 4, 5\)"),
    ({"buffers": [(np.asfortranarray(PLANES), LEGAL)]}, ValueError, "planes must be C-contiguous"),
    ({"buffers": [(PLANES, read_only(LEGAL.copy()))]}, ValueError, "legal must be C-contiguous, aligned and write"),
    ({"buffers": [(PLANES[:2], LEGAL[:2]), (PLANES[:2], LEGAL[2:])], "groups": 2}, ValueError, "share memory"),
)
