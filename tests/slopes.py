"""Slopes of losses, from differences, to compare gradients with."""

STEP = 1e-6


def slope_of(loss, weights, name, place):
    """How fast a loss, a function of all weights, changes with one number of the array `name`."""
    losses = []
    for step in (STEP, -STEP):
        moved = weights[name].copy()
        moved[place] += step
        losses.append(loss({**weights, name: moved}))
    return (losses[0] - losses[1]) / (2 * STEP)
