"""A pool of games: the same games as engines play alone, whichever others are played with them; and what it refuses."""

import math
import threading
from functools import partial

import numpy as np
import pytest
from evaluators import fingerprint, uniform
from pools import PUCT, SMALL, answer, new_pool, played, same
from variants import variant

from c4mcts import Board, Engine, GameOverError, GumbelParams, Rules, UctParams
from c4mcts._layout import POSITION_FIELDS
from c4mcts.search.tree import ESTIMATE, NODE
from c4mcts.selfplay import NO_PROOF

pytestmark = pytest.mark.native

PLAY = partial(new_pool, params=PUCT, start=SMALL, simulations=20, seed=7)
GUMBEL = GumbelParams(batch_size=1)


# the games of engines


@pytest.mark.parametrize(
    "params",
    [
        PUCT,
        PUCT.changed(proofs=False),
        PUCT.changed(proofs=False, checks=False, choice="value"),
        variant(PUCT.changed(tie_break="random", choice="visits_only", root_noise=None), prove_draws=False),
        variant(PUCT.changed(rewards=(1, 0.5, 0), tie_break="random"), mean_backup=True, equal_start=True),
        variant(PUCT.changed(rewards=(3, 1, 0), keep_tree=False, choice="value"), signed_planes=True),
        PUCT.changed(max_nodes=30, first_play=math.inf, exploration=0.3),
        PUCT.changed(forced_visits=2.0, root_policy_temperature=1.25),
        PUCT.changed(exploration_base=30.0, first_play_reduction=0.25, root_policy_temperature=0.8, proofs=False),
        GUMBEL,
        GUMBEL.changed(proofs=False, checks=False, max_num_considered_actions=3),
        variant(GUMBEL.changed(gumbel_scale=0.0, tie_break="random"), mean_backup=True, prove_draws=False),
        GUMBEL.changed(max_nodes=30, value_scale=1.0, maxvisit_init=10.0),
        PUCT.changed(max_nodes=1),
        PUCT.changed(choice="secure", proofs=False),
    ],
    ids=repr,
)
@pytest.mark.parametrize("start", [SMALL, Board.from_moves([3, 3, 2, 2], Rules(6, 5)), Board(Rules(9, 8, 3))], ids=repr)
def test_games_are_those_of_an_engine(params, start):
    """Position by position: what the search found, and what it played after the moves that are drawn."""
    games = 4
    plies = 3
    pool = new_pool(params, games=games, concurrent=3, simulations=25, temperature_plies=plies, seed=3, start=start)
    for number, record in played(pool).items():
        engine = Engine(params, seed=np.random.SeedSequence(3).spawn(number + 1)[number], evaluator=fingerprint)
        board = start.copy()
        for ply, column in enumerate(record.columns):
            result = engine.search(board, simulations=25)
            stats = {move.column: move for move in result.moves}
            for other in range(board.rules.width):
                move = stats.get(other)
                assert record.visits[ply, other] == (move.visits if move else 0)
                value = np.nan if move is None or move.value is None else 2 * move.value - 1
                np.testing.assert_equal(record.q[ply, other], np.float32(value))
                prior = np.nan if result.moves[0].prior is None else move.prior if move else 0
                np.testing.assert_equal(record.prior[ply, other], np.float32(prior))
            np.testing.assert_allclose(record.policy[ply], result.policy(), atol=1e-6)
            assert record.value[ply] == pytest.approx(2 * result.root_value - 1, abs=1e-6)
            assert record.proof[ply] == {"win": 1, "draw": 0, "loss": -1, None: NO_PROOF}[result.proof]
            assert record.simulations[ply] == result.simulations
            assert record.raw_value[ply] == raw_value(board, params)
            if ply >= plies:
                assert column == result.column
            else:
                assert record.policy[ply, column] > 0
            board.push(column)
        assert board.outcome().winner == record.winner
        assert (record.opening, record.weight.tolist()) == (0, [1.0] * len(record.columns))


def raw_value(board, params):
    """What the evaluator says of a position."""
    seen = []

    def evaluator(planes, legal):
        priors, values = fingerprint(planes, legal)
        seen.append(values[0])
        return priors, values

    Engine(params, evaluator=evaluator).search(board, simulations=1)
    return np.float32(seen[0])


@pytest.mark.parametrize("leaves", [1, 4])
def test_trees_are_those_of_an_engine(leaves):
    """Node by node, after each batch of a whole game; with several leaves a tree as with that batch size."""
    params = PUCT.changed(batch_size=leaves)
    pool = new_pool(params, games=1, concurrent=3, simulations=16, leaves_per_tree=leaves, seed=5, start=SMALL)
    engine = Engine(params, seed=np.random.SeedSequence(5).spawn(1)[0], evaluator=fingerprint)
    board, compared = SMALL.copy(), 0
    columns = np.dtype([*POSITION_FIELDS, ("rest", "V80")])
    while (batch := pool.gather()) is not None:
        for column in np.frombuffer(pool._pool.game(0).positions(), columns)["column"][board.ply :]:
            engine.search(board, simulations=16)
            board.push(column)
        pool.complete(*answer(batch))
        if leaves > 1:
            continue
        game = pool._pool.game(0)
        nodes = np.frombuffer(game.rows(0, game.used()), NODE)
        estimates = np.frombuffer(game.estimates(0, game.used()), ESTIMATE)
        fresh = Engine._unpacked(engine._packed(), "auto", 1, fingerprint)
        while True:
            fresh.search(board, simulations=1)
            tree = fresh.tree()
            if tree["visits"][0] >= nodes["visits"][0]:
                break
        for name in NODE.names:
            assert np.array_equal(tree[name], nodes[name]), name
        for name in ESTIMATE.names:
            assert np.array_equal(tree[name], estimates[name]), name
        compared += 1
    assert compared > 100 or leaves > 1
    [(_, record)] = pool.finished()
    board, engine = SMALL.copy(), Engine(params, seed=np.random.SeedSequence(5).spawn(1)[0], evaluator=fingerprint)
    for ply, column in enumerate(record.columns):
        result = engine.search(board, simulations=16)
        assert [move.visits for move in result.moves] == record.visits[ply][board.legal_columns].tolist()
        board.push(column)


# the same games however they are played


@pytest.mark.parametrize("concurrent", [1, 7, 256])
@pytest.mark.parametrize("more", [{}, {"groups": 2}, {"pad": False}], ids=str)
@pytest.mark.parametrize("params", [PUCT, GUMBEL], ids=["puct", "gumbel"])
def test_games_do_not_depend_on_how_many_there_are(concurrent, more, params):
    games = 60
    expected = played(PLAY(params=params, games=games, concurrent=4))
    assert len(expected) == games
    groups = 1 if "groups" not in more else 7 if concurrent == 7 else min(2, concurrent)
    options = {**more, "groups": groups}
    assert same(played(PLAY(params=params, games=games, concurrent=concurrent, **options)), expected)


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("params", [PUCT, GUMBEL], ids=["puct", "gumbel"])
def test_games_do_not_depend_on_threads(threads, params):
    expected = played(PLAY(params=params, games=40, concurrent=9))
    assert same(played(PLAY(params=params, games=40, concurrent=9, threads=threads)), expected)
    assert same(played(PLAY(params=params, games=40, concurrent=2, threads=threads)), expected)


def test_games_can_be_chosen_by_number():
    expected = played(PLAY(games=6))
    some = played(PLAY(games=[5, 2]))
    assert same(some, {n: expected[n] for n in (2, 5)})
    assert not same(played(PLAY(games=6, seed=8)), expected)


def test_two_batches_wait_at_once_and_are_completed_in_order():
    pool = PLAY(games=12, concurrent=6, groups=2)
    waiting, most = [], 0
    while True:
        batch = pool.gather() if len(waiting) < 2 else None
        if batch is not None:
            waiting.append(answer(batch))
            most = max(most, len(waiting))
        if batch is None or len(waiting) == 2:
            if not waiting:
                break
            pool.complete(*waiting.pop(0))
    assert most == 2
    assert same(dict(pool.finished()), played(PLAY(games=12)))


def test_what_happens_between_two_batches_does_not_matter():
    """A batch whose arrays are overwritten, and an answer that changes after it was taken."""
    pool = PLAY(games=5)
    while (batch := pool.gather()) is not None:
        priors, values = answer(batch)
        batch.planes[:] = np.nan
        batch.legal[:] = False
        batch.rows[:] = 99
        pool.complete(priors, values)
        priors[:], values[:] = np.nan, 7
    assert same(dict(pool.finished()), played(PLAY(games=5)))


# batches


def test_a_batch_shows_each_leaf_and_its_game():
    pool = PLAY(games=3, concurrent=5)
    batch = pool.gather()
    assert (batch.planes.shape, batch.planes.dtype) == ((5, 2, 4, 5), np.float32)
    assert (batch.legal.shape, batch.legal.dtype) == ((5, 5), np.bool_)
    assert batch.rows.tolist() == [0, 1, 2, -1, -1]
    assert batch.count == 3
    assert not batch.planes.any()
    assert batch.legal.all(), "the empty board, in the padding too"
    pool.complete(*answer(batch))
    batch = pool.gather()
    assert batch.planes[:3].sum(axis=(1, 2, 3)).tolist() == [1, 1, 1]
    assert not batch.planes[3:].any()


def test_padding_keeps_the_shape_to_the_end():
    padded = PLAY(games=5, concurrent=3)
    sizes, counts = set(), set()
    while (batch := padded.gather()) is not None:
        sizes.add(len(batch.planes))
        counts.add(batch.count)
        assert (batch.rows[: batch.count] >= 0).all()
        assert (batch.rows[batch.count :] == -1).all()
        padded.complete(*answer(batch))
    assert (sizes, counts) == ({3}, {1, 2, 3})
    lean = PLAY(games=5, concurrent=3, pad=False)
    while (batch := lean.gather()) is not None:
        assert len(batch.planes) == len(batch.legal) == len(batch.rows) == batch.count
        lean.complete(*answer(batch))


def test_several_leaves_of_a_tree():
    pool = PLAY(games=2, concurrent=2, leaves_per_tree=4)
    counts = []
    while (batch := pool.gather()) is not None:
        assert len(batch.planes) == 8
        counts.append(np.bincount(batch.rows[: batch.count]).max())
        pool.complete(*answer(batch))
    assert max(counts) == 4
    assert len(pool.finished()) == 2


def test_arrays_of_the_caller_are_filled():
    mine = [(np.empty((3, 2, 4, 5), np.float32), np.empty((3, 5), np.bool_)) for _ in range(2)]
    pool = PLAY(games=7, concurrent=6, groups=2, buffers=mine)
    batches = [pool.gather(), pool.gather()]
    for batch, (planes, legal) in zip(batches, mine, strict=True):
        assert np.shares_memory(batch.planes, planes)
        assert np.shares_memory(batch.legal, legal)
    for batch in batches:
        pool.complete(*answer(batch))
    assert same(played(pool), played(PLAY(games=7)))
    assert np.from_dlpack(batches[0].planes).shape == (3, 2, 4, 5)


def test_answers_may_be_views_and_read_only():
    def odd(planes, legal):
        priors, values = fingerprint(planes, legal)
        wide = np.zeros((len(priors), 2 * priors.shape[1]), np.float32)
        wide[:, ::2] = priors
        backwards = np.ascontiguousarray(values[::-1], np.float32)
        backwards.flags.writeable = False
        return wide[:, ::2], backwards[::-1]

    pool = PLAY(games=3)
    while (batch := pool.gather()) is not None:
        pool.complete(*odd(batch.planes, batch.legal))
    assert same(dict(pool.finished()), played(PLAY(games=3)))


# moves that are drawn


def test_the_first_plies_are_drawn_from_the_policy():
    start, games = Board(Rules(4, 4)), 400
    call = partial(new_pool, PUCT, start=start, games=games, simulations=30, temperature_plies=1, seed=3)

    def first(**options):
        records = played(call(**options)).values()
        return np.array([r.policy[0] for r in records]), np.array([r.columns[0] for r in records])

    policy, column = first(temperature=1.0)
    shares = np.bincount(column, minlength=4) / games
    assert np.abs(shares - policy.mean(axis=0)).max() < 4 * 0.5 / math.sqrt(games)  # four standard errors
    policy, column = first(temperature=0.0)
    assert (policy[np.arange(games), column] == policy.max(axis=1)).all()
    policy, column = first(temperature=math.inf)
    assert np.abs(np.bincount(column, minlength=4) / games - 0.25).max() < 4 * math.sqrt(0.25 * 0.75 / games)
    policy, column = first(temperature=0.5)
    weights = policy.astype(float) ** 2
    expected = (weights / weights.sum(axis=1, keepdims=True)).mean(axis=0)
    assert np.abs(np.bincount(column, minlength=4) / games - expected).max() < 4 * 0.5 / math.sqrt(games)


# wrong answers


@pytest.mark.parametrize(
    ("spoil", "error", "words"),
    [
        (lambda p, v: (p.astype(int), v), TypeError, "priors must be an array of floats, not of int64"),
        (lambda p, v: (p, v.astype(complex)), TypeError, "values must be an array of floats, not of complex128"),
        (lambda p, v: (p.tolist(), v), TypeError, r"priors must be an array of floats, not \[\["),
        (lambda p, v: (None, v), TypeError, "priors must be an array of floats, not None"),
        (lambda p, v: (Tensor(), v), TypeError, "priors must be an array of floats, not .*: a tensor needs .detach()"),
        (lambda p, v: (p, put(v.astype(float), 2, 1e300)), ValueError, r"values\[2\] must lie in \[-1, 1\], not inf"),
        (lambda p, v: (p[:-1], v), ValueError, r"priors must have the shape \(4, 5\), not \(3, 5\)"),
        (lambda p, v: (p[:, :4], v), ValueError, r"priors must have the shape \(4, 5\), not \(4, 4\)"),
        (lambda p, v: (p, v[:, None]), ValueError, r"values must have the shape \(4,\), not \(4, 1\)"),
        (lambda p, v: (put(p, (2, 1), np.nan), v), ValueError, r"priors\[2, 1\] must be finite .*, not nan"),
        (lambda p, v: (put(p, (1, 0), -0.5), v), ValueError, r"priors\[1, 0\] must be .* at least 0, not -0.5"),
        (lambda p, v: (put(p, (0, 4), np.inf), v), ValueError, r"priors\[0, 4\] must be finite .*, not inf"),
        (lambda p, v: (p, put(v, 2, np.nan)), ValueError, r"values\[2\] must lie in \[-1, 1\], not nan"),
        (lambda p, v: (p, put(v, 0, 1.5)), ValueError, r"values\[0\] must lie in \[-1, 1\], not 1.5"),
        (lambda p, v: (p, put(v, 1, -np.inf)), ValueError, r"values\[1\] must lie in \[-1, 1\], not -inf"),
    ],
)
def test_a_wrong_answer_changes_nothing(spoil, error, words):
    """The same batch can be completed again, and the games are what they would have been."""
    pool = PLAY(games=3, concurrent=4)
    steps = 0
    while (batch := pool.gather()) is not None:
        right = answer(batch)
        steps += 1
        if steps in (1, 5) and batch.count == 3:
            with pytest.raises(error, match=words):
                pool.complete(*spoil(right[0].copy(), right[1].copy()))
        pool.complete(*right)
    assert same(dict(pool.finished()), played(PLAY(games=3)))


class Tensor:
    """As one of PyTorch that requires gradients."""

    def detach(self):
        raise AssertionError("whoever computes gradients decides where they end")

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")


@pytest.mark.parametrize("kind", [np.float64, np.float16, ">f4"])
def test_answers_of_other_precisions(kind):
    """They count as the float32 numbers that are nearest to them."""

    def games(convert):
        pool = PLAY(games=3, concurrent=4)
        while (batch := pool.gather()) is not None:
            priors, values = answer(batch)
            pool.complete(convert(priors), convert(values))
        return dict(pool.finished())

    given = games(lambda array: array.astype(kind))
    assert same(given, games(lambda array: array.astype(kind).astype(np.float32)))


def put(array, place, value):
    array[place] = value
    return array


def test_what_stands_in_padding_and_full_columns_does_not_matter():
    pool = PLAY(games=3, concurrent=4)
    while (batch := pool.gather()) is not None:
        priors, values = answer(batch)
        priors[~batch.legal] = np.nan
        priors[batch.count :], values[batch.count :] = -1, np.inf
        pool.complete(priors, values)
    assert same(dict(pool.finished()), played(PLAY(games=3)))


def test_rounding_may_leave_the_interval():
    """Single precision may make 1 + 1e-7 of a value of 1."""

    def high(planes, legal):
        return np.ones(legal.shape), np.full(len(planes), 1 + 1.2e-7)

    def one(planes, legal):
        return np.ones(legal.shape), np.ones(len(planes))

    games = [played(PLAY(games=2), evaluator) for evaluator in (high, one)]
    assert all(np.array_equal(games[0][n].visits, games[1][n].visits) for n in range(2))


# calls in the wrong order


def test_batches_are_gathered_and_completed_in_turn():
    pool = PLAY(games=2, concurrent=2)
    with pytest.raises(ValueError, match="complete needs a batch that waits: call gather first"):
        pool.complete(np.ones((2, 5), np.float32), np.zeros(2, np.float32))
    batch = pool.gather()
    with pytest.raises(ValueError, match="gather needs a free batch: complete the one that waits first"):
        pool.gather()
    pool.complete(*answer(batch))
    with pytest.raises(ValueError, match="complete needs a batch"):
        pool.complete(*answer(batch))
    assert len(played(pool)) == 2
    assert pool.gather() is None
    assert pool.gather() is None
    assert pool.finished() == []


def test_a_second_call_meanwhile_is_an_error():
    pool = PLAY(games=2)
    with pool._lock, pytest.raises(RuntimeError, match="this pool is at work in another thread"):
        pool.gather()
    assert len(played(pool)) == 2


def test_calls_in_threads_do_no_harm():
    """In any order, a call works or raises; afterwards all games end."""
    pool = PLAY(games=200, concurrent=50, threads=2)
    found, errors = [], []

    def work():
        for _ in range(300):
            try:
                batch = pool.gather()
                if batch is None:
                    return
                pool.complete(np.ones((50, 5), np.float32), np.zeros(50, np.float32))
                found.extend(pool.finished())
            except (RuntimeError, ValueError) as error:
                errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while pool.waiting:
        pool.complete(np.ones((50, 5), np.float32), np.zeros(50, np.float32))
    found += played(pool, uniform).items()
    assert sorted(number for number, _ in found) == list(range(200))


# arguments

HUGE = 10**30


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"params": "alphazero"}, TypeError, "params must be a SearchParams"),
        ({"params": UctParams()}, ValueError, "needs PuctParams or GumbelParams, not UctParams"),
        ({"params": PUCT.changed(temperature=1.0)}, ValueError, "temperature=0, not 1.0"),
        ({"games": 0}, ValueError, "games must be"),
        ({"games": HUGE}, ValueError, "games must be"),
        ({"games": None}, TypeError, "games must be an integer, not None"),
        ({"games": 2.0}, TypeError, "games must be an integer, not 2.0"),
        ({"games": "12"}, TypeError, "games must be"),
        ({"games": [1, 1]}, ValueError, "games must be .* different"),
        ({"games": [-1]}, ValueError, "games must be 0 to 2147483647, not -1"),
        ({"games": [2**31]}, ValueError, "games must be 0 to"),
        ({"games": [0.5]}, TypeError, "games must be an integer"),
        ({"concurrent": 0}, ValueError, "concurrent must be"),
        ({"concurrent": HUGE}, ValueError, "concurrent must be"),
        ({"concurrent": "8"}, TypeError, "concurrent must be"),
        ({"simulations": 0}, ValueError, "simulations must be"),
        ({"simulations": HUGE}, ValueError, "simulations must be"),
        ({"simulations": None}, TypeError, "simulations must be"),
        ({"start": 4453}, TypeError, "start must be a Board"),
        ({"start": Board.from_pons("1212121")}, GameOverError, "start: the game is over"),
        ({"temperature": -1}, ValueError, "temperature must be at least 0"),
        ({"temperature": math.nan}, ValueError, "temperature must be a number"),
        ({"temperature_plies": -1}, ValueError, "temperature_plies must be at least 0"),
        ({"temperature_plies": None}, TypeError, "temperature_plies must be an integer"),
        ({"leaves_per_tree": 0}, ValueError, "leaves_per_tree must be"),
        ({"leaves_per_tree": 1 << 20}, ValueError, "leaves_per_tree must be"),
        ({"leaves_per_tree": 1 << 16, "concurrent": 100}, ValueError, "concurrent must be 1 to 16, not 100"),
        ({"seed": -1}, ValueError, "seed must be at least 0"),
        ({"seed": "x"}, TypeError, "seed must be an integer"),
        ({"groups": 0}, ValueError, "groups must be"),
        ({"groups": 17}, ValueError, "groups must be 1 to 16, not 17"),
        ({"groups": 5, "concurrent": 4}, ValueError, "groups must be 1 to 4, not 5"),
        ({"groups": 3, "concurrent": 4}, ValueError, "concurrent must be a multiple of the number of groups, 3, not 4"),
        ({"batches": 4}, TypeError, "batches must be a BatchParams, not 4"),
        ({"pad": 1}, TypeError, "pad must be True or False"),
        ({"backend": "c"}, ValueError, "backend must be"),
        ({"threads": 0}, ValueError, "threads must be"),
        ({"backend": "pure"}, ValueError, "backend must be native for a Pool, not pure: generate plays the games with"),
        ({"buffers": 3}, TypeError, "buffers must be a pair of arrays"),
        ({"buffers": []}, ValueError, "buffers must be a pair of arrays for each of 1 groups"),
        ({"buffers": [(np.zeros(3),)]}, ValueError, "buffers must be a pair"),
        ({"buffers": [(None, None)]}, TypeError, "planes must be an array, not None"),
    ],
)
def test_what_is_refused(changes, error, words):
    params = changes.pop("params", PUCT)
    if "batches" not in changes:
        changes = {"concurrent": 4, **changes}
    with pytest.raises(error, match=words):
        new_pool(params, **{"games": 2, "simulations": 10, **changes})


def good_buffers():
    return np.zeros((4, 2, 4, 5), np.float32), np.zeros((4, 5), np.bool_)


@pytest.mark.parametrize(
    ("index", "change", "words"),
    [
        (0, lambda a: a.astype(float), r"planes must be float32 of shape \(4, 2, 4, 5\), not float64"),
        (0, lambda a: a[:3], r"planes must be .*, not float32 of shape \(3, 2, 4, 5\)"),
        (0, lambda a: np.asfortranarray(a), "planes must be C-contiguous"),
        (0, lambda a: np.broadcast_to(a[:1], a.shape), "planes must be C-contiguous"),
        (1, lambda a: a.astype(np.uint8), r"legal must be bool of shape \(4, 5\), not uint8"),
        (1, lambda a: put_flags(a), "legal must be C-contiguous, aligned and writeable"),
    ],
)
def test_wrong_buffers_are_refused(index, change, words):
    pair = list(good_buffers())
    pair[index] = change(pair[index])
    with pytest.raises(ValueError, match=words):
        PLAY(games=2, concurrent=4, buffers=[tuple(pair)])


def put_flags(array):
    array.flags.writeable = False
    return array


def test_buffers_that_overlap_are_refused():
    planes, legal = np.zeros((2, 2, 4, 5), np.float32), np.zeros((2, 5), np.bool_)
    with pytest.raises(ValueError, match="buffers must not share memory"):
        PLAY(games=2, concurrent=4, groups=2, buffers=[(planes, legal), (planes, legal.copy())])


def test_a_pool_shows_how_far_it_is():
    pool = PLAY(games=3)
    assert repr(pool) == "<c4mcts.selfplay.Pool, 0 of 3 games finished>"
    played(pool)
    assert repr(pool) == "<c4mcts.selfplay.Pool, 3 of 3 games finished>"
    assert pool.seed == 7
    assert PLAY(games=1, seed=None).seed != PLAY(games=1, seed=None).seed


def test_large_boards():
    """The kernel for boards of more than 64 bits, and many columns."""
    start = Board(Rules(20, 14, 4))
    games = 3
    pool = new_pool(PUCT, start=start, games=games, simulations=8, seed=1)
    for record in played(pool).values():
        board = start.copy()
        for column in record.columns:
            board.push(column)
        assert board.outcome().winner == record.winner
