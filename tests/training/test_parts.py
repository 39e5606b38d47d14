"""Parts of examples/alphazero that need no PyTorch: batches, the network of NumPy, tables, error rates, matches."""

import numpy as np
import pytest
from alphazero import evaluation
from alphazero.configuration import PRESETS, ConfigurationError
from alphazero.dense import Dense, gradients
from alphazero.labels import labelled
from alphazero.networks import learner_of
from alphazero.replay import FINAL_RATE, Batch, batch_of, batches
from alphazero.threats import with_threats
from slopes import require_slopes

from c4mcts import Rules, SearchParams, solve
from c4mcts.selfplay import PlayParams, exact_positions, generate, label
from c4mcts.selfplay.rows import planes_of_words

TINY = PRESETS["tiny"]


@pytest.fixture(scope="module")
def games():
    """Games of two calls."""
    one, other = (generate(3, SearchParams.preset("uct"), simulations=20, seed=number) for number in range(2))
    return one + other


def test_an_epoch_has_each_position_once(games):
    data = games
    numbers = np.arange(len(data), dtype=np.float32) / len(data)  # as values, to see which rows come
    size = 16
    found = list(batches(data, numbers, size=size, epochs=2, draw=np.random.default_rng(1)))
    steps = len(data) // size
    assert len(found) == 2 * steps
    for epoch in (found[:steps], found[steps:]):
        seen = np.concatenate([batch.value for _, batch in epoch])
        assert len(np.unique(seen)) == size * steps
    shares = [share for share, _ in found]
    assert shares[0] == 1
    assert shares[-1] == pytest.approx(FINAL_RATE)
    assert shares == sorted(shares, reverse=True)


def test_rows_without_weight_are_left_out():
    params, play = SearchParams.preset("alphazero"), PlayParams(full_share=0.5, fast_simulations=2)
    data = generate(4, params, simulations=4, play=play, evaluator=Dense(TINY).evaluator(), seed=1)
    assert 0 < (data.weight == 0).sum() < len(data)
    found = batches(data, data.mixed_value(0), size=len(data), epochs=1, draw=np.random.default_rng(1))
    assert [len(batch.weight) for _, batch in found] == [(data.weight > 0).sum()]


def test_mirrored_rows_are_those_of_the_mirror_image(games):
    data = games
    rows = np.arange(len(data))
    flipped = rows % 3 == 0
    found = batch_of(data, data.mixed_value(0.5), rows, flipped)
    whole, image = (
        batch_of(one, data.mixed_value(0.5), rows, np.zeros(len(data), bool)) for one in (data, data.mirror())
    )
    for name in Batch._fields:
        one = getattr(found, name)
        assert np.array_equal(one[flipped], getattr(image, name)[flipped])
        assert np.array_equal(one[~flipped], getattr(whole, name)[~flipped])
        assert one.dtype == np.float32
        assert one.flags.c_contiguous


@pytest.mark.native  # the pure solver takes too long
def test_labelled_games_have_exact_targets():
    params, play = SearchParams.preset("alphazero"), PlayParams(full_share=0.5, fast_simulations=2)
    data = generate(8, params, simulations=4, play=play, evaluator=Dense(TINY).evaluator(), seed=1)
    scores = label(data, data.ply >= 16, columns=True).scores
    found = labelled(data, scores)
    late = data.ply >= 16
    assert late.any()
    assert not late.all()
    assert (found.weight[late] == 1).all()
    assert np.array_equal(found.weight[~late], data.weight[~late])
    for row in np.flatnonzero(late):
        solution = solve(data.board(row), columns=True)
        assert found.outcome[row] == found.value[row] == np.sign(solution.score)
        keeping = [score is not None and np.sign(score) == np.sign(solution.score) for score in solution.columns]
        assert ((found.policy[row] > 0) == keeping).all()
        assert found.policy[row].sum() == pytest.approx(1)
        best = [score == solution.score for score in solution.columns]
        assert np.ptp(found.policy[row][best]) == 0
        assert found.policy[row][best].min() == found.policy[row].max()
    for name in ("value", "policy"):
        assert np.array_equal(getattr(found, name)[~late], getattr(data, name)[~late])
    for game in range(data.games):
        rows = np.flatnonzero(data.game == game)
        first = rows[data.ply[rows] >= 16][:1]
        for row in rows[data.ply[rows] < 16]:
            if len(first):
                same_player = (data.ply[first[0]] - data.ply[row]) % 2 == 0
                assert found.outcome[row] == (found.outcome[first[0]] if same_player else -found.outcome[first[0]])
            else:
                assert found.outcome[row] == data.outcome[row], "a short game ends as it did"


def test_threats_are_the_empty_cells_that_complete_a_line(games):
    planes = np.unique(games.planes, axis=0).astype(np.float32)
    found = with_threats(planes)
    assert np.array_equal(found[:, :2], planes)
    assert found[:, 2:].any(axis=(0, 2, 3)).all(), "threats of both players"
    lines = [
        [(row + step * down, column + step * right) for step in range(4)]
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        for row in range(6)
        for column in range(7)
        if row + 3 * down < 6 and 0 <= column + 3 * right < 7
    ]
    assert len(lines) == 69
    for discs, threats in zip(planes, found[:, 2:], strict=True):
        expected = np.zeros((2, 6, 7))
        for player in range(2):
            for line in lines:
                free = [cell for cell in line if not discs[player][cell]]
                if len(free) == 1 and not discs[:, free[0][0], free[0][1]].any():
                    expected[player][free[0]] = 1
        assert np.array_equal(threats, expected)


@pytest.mark.parametrize("network", ["dense", "resnet"])
@pytest.mark.parametrize("threats", [True, False])
def test_a_saved_network_with_other_planes_is_refused(network, threats):
    if network == "resnet":
        pytest.importorskip("torch")
    saved = TINY.changed(network=network, channels=4, blocks=1, threats=threats)
    other = learner_of(saved.changed(threats=not threats))
    planes, wanted = (4, 2) if threats else (2, 4)
    with pytest.raises(ConfigurationError, match=f"the saved network has {planes} planes, not {wanted}"):
        other.restore(learner_of(saved).state())


@pytest.mark.parametrize("inputs", [84, 168], ids=["discs", "threats"])
def test_gradients_are_those_of_the_losses(inputs):
    draw = np.random.default_rng(1)
    weights = {
        "first": draw.normal(scale=0.3, size=(inputs, 5)),
        "bias": draw.normal(size=5),
        "last": draw.normal(size=(5, 8)),
    }
    policy = draw.dirichlet(np.ones(7), 6)
    batch = Batch(draw.integers(0, 2, (6, 2, 6, 7)), policy, draw.uniform(-1, 1, 6), draw.uniform(0.1, 2, 6))
    slopes, _ = gradients(weights, batch)
    require_slopes(slopes, lambda moved: sum(gradients(moved, batch)[1]), weights)


@pytest.mark.parametrize("network", ["dense", "lines"])
def test_it_learns_and_its_state_is_all(games, network):
    if network == "lines":
        pytest.importorskip("scipy")
    configuration = TINY.changed(network=network)
    learner = learner_of(configuration)
    before = learner.evaluator()

    def steps(seed):
        draw = np.random.default_rng(seed)
        return batches(games, games.mixed_value(0.5), size=16, epochs=10, draw=draw)

    first, second = learner.learn(steps(1)), learner.learn(steps(2))
    assert sum(second) < sum(first)
    assert before.fingerprint == learner_of(configuration).evaluator().fingerprint, "an evaluator does not change"
    assert before.fingerprint != learner.evaluator().fingerprint
    other = learner_of(configuration.changed(seed=5))
    other.restore(learner.state())
    assert other.learn(steps(3)) == learner.learn(steps(3))
    assert other.evaluator().fingerprint == learner.evaluator().fingerprint
    assert other.state() == learner.state()


class Perfect:
    """Answers with the exact scores of the test positions, which it finds by their planes."""

    def __init__(self, tests):
        planes = planes_of_words(tests.own, tests.mask, Rules()).astype(np.float32)
        self.best = {row.tobytes(): scores for row, scores in zip(planes, tests.scores, strict=True)}

    def __call__(self, planes, legal):
        priors = np.full(legal.shape, 0.5, np.float32)
        for row, plane in enumerate(planes):
            scores = self.best.get(plane.tobytes())
            if scores is not None:
                priors[row] = scores == scores.max()
        return priors, np.zeros(len(planes), np.float32)


def test_the_best_moves_are_no_errors_and_the_worst_are():
    tests = exact_positions().chosen(150)
    found = evaluation.evaluate(Perfect(tests), TINY.changed(positions=150, searches=(), match_games=0))
    lines = found["errors"]
    assert {line["player"] for line in lines} == {"policy"}
    assert [line["errors"] for line in lines] == [0] * len(lines)
    assert lines[0]["score_loss"] == 0
    assert lines[0]["high"] < 0.03
    assert lines[0]["positions"] == sum(line["positions"] for line in lines[1:]) == 150
    worst = np.where(tests.legal, tests.scores, 127).argmin(axis=1)
    lines = evaluation.errors("worst", worst, tests)
    assert [line["share"] for line in lines] == [1] * len(lines)
    assert lines[0]["score_loss"] > 1
