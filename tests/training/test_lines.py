"""The small network of the package, trained by examples/alphazero: what it sees, computes and learns."""

import io

import numpy as np
import pytest

pytest.importorskip("scipy")

from alphazero.configuration import PRESETS
from alphazero.layers import SHAPES, TOP, UNIT, forward, integers
from alphazero.lines import Lines, gradients, seen
from alphazero.patterns import COLUMN_ROWS, LINE_ROWS, NONE, patterns
from alphazero.replay import Batch, batches
from slopes import drawn_weights, require_slopes

from c4mcts import Board, PolicyValueNetwork, SearchParams
from c4mcts.board.positions import planes_of
from c4mcts.selfplay import generate

CONFIGURATION = PRESETS["tiny"].changed(network="lines", batch=64)


@pytest.fixture(scope="module")
def games():
    return generate(6, SearchParams.preset("uct"), simulations=10, seed=4)


def whole_weights(seed):
    """Weights that are whole numbers once they are integers, so that nothing is rounded."""
    return {name: (np.rint(array * UNIT) / UNIT).astype(np.float32) for name, array in drawn_weights(seed).items()}


def some_planes(games):
    planes = games.planes.astype(np.float32)
    assert set(games.ply.tolist()) >= set(range(25)), "early and late positions"
    return planes, planes[:, :, 0].sum(axis=1) == 0


def test_it_computes_what_the_package_computes(games):
    planes, legal = some_planes(games)
    weights = whole_weights(1)
    here = seen(planes)
    layers = forward(weights, here.inputs)
    priors, values = PolicyValueNetwork(integers(weights))(planes, legal)
    assert np.array_equal(here.open, legal)
    powers = np.zeros(legal.shape)
    powers[legal] = np.exp(layers["logits"])
    # the package rounds sums of the second layer down and reads exponentials from a table
    assert np.abs(powers / powers.sum(axis=1, keepdims=True) - priors).max() < 0.01
    assert np.abs(2 / (1 + np.exp(-layers["value"])) - 1 - values).max() < 0.1
    assert np.ptp(values) > 0.5
    assert np.ptp(priors) > 0.4


def test_mirror_images_look_alike(games):
    """The rows of a position are those of its mirror image, and the rows of a move those of the mirrored move."""
    planes, _ = some_planes(games)
    one, other = patterns(planes), patterns(np.ascontiguousarray(planes[..., ::-1]))
    assert np.array_equal(np.sort(one.position), np.sort(other.position))
    assert np.array_equal(np.sort(one.moves), np.sort(other.moves[:, ::-1]))
    assert one.position.max() < LINE_ROWS + COLUMN_ROWS
    assert one.moves.max() < 2 * LINE_ROWS + COLUMN_ROWS
    assert min(one.position.min(), one.moves.min()) == NONE


def test_a_full_column_has_no_rows():
    found = patterns(planes_of([Board.from_pons("111111")]).astype(np.float32))
    assert (found.moves[0, 0] == NONE).all()
    assert (found.moves[0, 1:, -1] >= 2 * LINE_ROWS).all()
    assert (found.position[0, 69:] == NONE).tolist() == [True] + [False] * 6


def test_gradients_are_those_of_the_losses(games):
    planes, legal = some_planes(games)
    chosen = np.arange(5, 65, 10)
    draw = np.random.default_rng(2)
    policy = draw.random((6, 7)) * legal[chosen]
    policy /= policy.sum(axis=1, keepdims=True)
    batch = Batch(planes[chosen], policy, draw.uniform(-1, 1, 6), draw.uniform(0.1, 2, 6))
    # a little away from whole numbers, so that no sum lies where the slope changes
    weights = {name: array + draw.normal(scale=1e-3, size=array.shape) for name, array in whole_weights(3).items()}
    here = seen(batch.planes)
    slopes, _ = gradients(weights, here, batch)
    require_slopes(slopes, lambda moved: sum(gradients(moved, here, batch)[1]), weights)


def test_weights_stay_within_what_integers_hold(games):
    learner = Lines(CONFIGURATION.changed(learning_rate=1.0))
    draw = np.random.default_rng(1)
    learner.learn(batches(games, games.mixed_value(0.5), size=32, epochs=8, draw=draw))
    with np.load(io.BytesIO(learner.state())) as arrays:
        weights = {name: arrays[name] for name in SHAPES}
    PolicyValueNetwork(integers(weights))
    assert max(np.abs(array).max() for name, array in weights.items() if "bias" not in name) < TOP
