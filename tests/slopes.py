"""Slopes of losses, from differences, to compare gradients with."""

import numpy as np

STEP = 1e-6


def slope_of(loss, weights, name, place):
    """How fast a loss, a function of all weights, changes with one number of the array `name`."""
    losses = []
    for step in (STEP, -STEP):
        moved = weights[name].copy()
        moved[place] += step
        losses.append(loss({**weights, name: moved}))
    return (losses[0] - losses[1]) / (2 * STEP)


def drawn_weights(seed):
    """Weights of the network of the package, in double precision."""
    from alphazero.layers import SHAPES

    draw = np.random.default_rng(seed)
    scale = {"position": 0.1, "moves": 0.15, "value_second": 0.3, "move_second": 0.3}
    return {name: draw.normal(scale=scale.get(name, 0.5), size=shape) for name, (shape, _) in SHAPES.items()}
