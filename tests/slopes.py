"""Slopes of losses, from differences, to compare gradients with."""

import numpy as np
import pytest

STEP = 1e-6


def require_slopes(slopes, loss, weights):
    """Check how fast a loss, a function of all weights, changes with the number of each array that counts most."""
    for name, array in weights.items():
        place = np.unravel_index(np.abs(slopes[name]).argmax(), array.shape)
        assert abs(slopes[name][place]) > 1e-4, name
        losses = []
        for step in (STEP, -STEP):
            moved = array.copy()
            moved[place] += step
            losses.append(loss({**weights, name: moved}))
        assert (losses[0] - losses[1]) / (2 * STEP) == pytest.approx(slopes[name][place], rel=1e-3), name


def drawn_weights(seed):
    """Weights of the network of the package, in double precision."""
    from alphazero.layers import SHAPES

    draw = np.random.default_rng(seed)
    scale = {"position": 0.1, "moves": 0.15, "value_second": 0.3, "move_second": 0.3}
    return {name: draw.normal(scale=scale.get(name, 0.5), size=shape) for name, (shape, _) in SHAPES.items()}
