"""Batches from the games of the last generations."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from c4mcts.selfplay import SelfPlay

FINAL_RATE = 0.1  # share of the learning rate in the last batch


class Batch(NamedTuple):
    """n positions, float32, contiguous."""

    planes: npt.NDArray[np.float32]  # (n, 2, 6, 7): see SelfPlay.planes
    policy: npt.NDArray[np.float32]  # (n, 7): sum 1
    value: npt.NDArray[np.float32]  # (n,): in [-1, 1]
    weight: npt.NDArray[np.float32]  # (n,): share in the losses


def batches(
    data: SelfPlay,
    value: npt.NDArray[np.float32],
    *,
    size: int,
    epochs: int,
    draw: np.random.Generator,
    rows: npt.NDArray[np.intp] | None = None,
    advance: Callable[[int, int], object] = lambda done, total: None,
) -> Iterator[tuple[float, Batch]]:
    """The positions in random order, `epochs` times: batches with a share of the learning rate, from 1 to FINAL_RATE.

    Half of the positions of a batch, drawn anew each time, have left and right exchanged. value: (len(data),), the
    target. rows: the positions to use, by default those with a weight above 0. Those that do not fill a
    batch are left for the next epoch, unless there are fewer than `size` in all. advance: called with the numbers of
    batches so far and in all.
    """
    rows = np.flatnonzero(data.weight > 0) if rows is None else rows
    steps = max(1, len(rows) // size)
    for epoch in range(epochs):
        order = draw.permutation(rows)
        for step in range(steps):
            # sorted, since neighbours are in the same page of a file
            chosen = np.sort(order[step * size : (step + 1) * size])
            progress = (epoch * steps + step) / max(1, epochs * steps - 1)
            advance(epoch * steps + step, epochs * steps)
            yield 1 - (1 - FINAL_RATE) * progress, batch_of(data, value, chosen, draw.random(len(chosen)) < 0.5)
    advance(epochs * steps, epochs * steps)


def batch_of(
    data: SelfPlay, value: npt.NDArray[np.float32], rows: npt.NDArray[np.intp], flipped: npt.NDArray[np.bool_]
) -> Batch:
    """These rows; flipped: (len(rows),), where left and right are exchanged."""
    planes, policy, target = data.training(mirror=False, value=value, rows=rows)
    planes[flipped] = planes[flipped][..., ::-1]
    policy[flipped] = policy[flipped][:, ::-1]
    return Batch(planes, policy, target, np.asarray(data.weight[rows], np.float32))
