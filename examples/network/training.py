"""Training: gradient descent on the labels, in single precision."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from alphazero.layers import Adam, Floats, Inputs, Weights, backward, forward, fresh
from alphazero.patterns import COLUMN_ROWS, LINE_ROWS, SHARED
from scipy.sparse import csr_matrix, vstack

from c4mcts._backend import load
from c4mcts._layout import NETWORK_ARRAYS

from .labels import Labels

BATCH = 2048
RATE = 3e-3
DECAY = 3e-4  # of the weights at each step, at the full rate
POLICY_SHARE = 0.7  # of the loss


class Samples(NamedTuple):
    """Features and targets of n positions with m moves in all."""

    inputs: Inputs
    policy: Floats  # (m,)
    is_exact: npt.NDArray[np.bool_]  # (n,)
    value: Floats  # (n,)
    times: npt.NDArray[np.intp]  # (n,): how often an epoch has it

    def __len__(self) -> int:
        return len(self.value)

    def chosen(self, rows: npt.NDArray[np.intp]) -> "Samples":
        """Some of the positions."""
        before = self.inputs
        sizes = np.diff(before.first)[rows]
        first = np.concatenate([[0], np.cumsum(sizes)])
        moves = np.repeat(before.first[rows] - first[:-1], sizes) + np.arange(first[-1])
        inputs = Inputs(before.position[rows], before.moves[moves], first)
        return Samples(inputs, self.policy[moves], self.is_exact[rows], self.value[rows], self.times[rows])


def samples_of(labels: Labels, times: int | npt.NDArray[np.intp] = 1) -> Samples:
    """The features of labelled positions. times: how often an epoch has them, or each of them."""
    zeros = {name: np.zeros(np.prod(shape), int) for name, shape in NETWORK_ARRAYS.items()}
    network = load("native").network.Network(labels.rules, zeros)
    position_rows, move_rows = np.arange(LINE_ROWS + COLUMN_ROWS), np.arange(2 * LINE_ROWS + COLUMN_ROWS)
    position_rows[:LINE_ROWS] = move_rows[:LINE_ROWS] = SHARED
    move_rows[LINE_ROWS : 2 * LINE_ROWS] = LINE_ROWS + SHARED
    found: list[npt.NDArray[np.intp]] = []
    moves: list[npt.NDArray[np.intp]] = []
    sizes = []
    for own, mask in zip(labels.own, labels.mask, strict=True):
        here, after = network.features(own, mask)
        found.append(np.array(here, np.int32))
        moves += [np.array(move, np.int32) for move in after]
        sizes.append(len(after))
    height, width = labels.rules.height, labels.rules.width
    tops = np.array(
        [[not mask >> column * (height + 1) + height - 1 & 1 for column in range(width)] for mask in labels.mask]
    )
    first = np.concatenate([[0], np.cumsum(sizes)])
    inputs = Inputs(_matrix(found, position_rows), _matrix(moves, move_rows), first)
    return Samples(inputs, labels.policy[tops], labels.is_exact, labels.value, np.full(len(first) - 1, times))


def _matrix(rows: list[npt.NDArray[np.int32]], canonical: npt.NDArray[np.intp]) -> csr_matrix:
    """A matrix with the numbers of times that each feature occurs."""
    ends = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    columns = canonical[np.concatenate(rows)].astype(np.int32)
    return csr_matrix((np.ones(len(columns), np.float32), columns, ends), (len(rows), len(canonical)))


def joined(parts: list[Samples]) -> Samples:
    """All positions of several boards."""
    every = [part.inputs for part in parts]
    sizes = np.concatenate([np.diff(one.first) for one in every])
    inputs = Inputs(
        vstack([one.position for one in every], "csr"),
        vstack([one.moves for one in every], "csr"),
        np.concatenate([[0], np.cumsum(sizes)]),
    )
    return Samples(inputs, *(np.concatenate([part[i] for part in parts]) for i in (1, 2, 3, 4)))


def shares(logits: Floats, first: npt.NDArray[np.intp]) -> Floats:
    """The softmax over the moves of each position."""
    sizes = np.diff(first)
    powers = np.exp(logits - np.repeat(np.maximum.reduceat(logits, first[:-1]), sizes))
    return powers / np.repeat(np.add.reduceat(powers, first[:-1]), sizes)


def gradients(weights: Weights, some: Samples) -> tuple[Weights, float]:
    """The gradient of the mean loss of some positions, and the loss."""
    layers, n = forward(weights, some.inputs), len(some)
    first, sizes = some.inputs.first, np.diff(some.inputs.first)
    priors = shares(layers["logits"], first)
    # of exact labels, the probability of all good moves together counts
    good = priors * some.policy
    total = np.repeat(np.maximum(np.add.reduceat(good, first[:-1]), 1e-9), sizes)
    is_exact = np.repeat(some.is_exact, sizes)
    target = np.where(is_exact, good / total, some.policy)
    found = 1 / (1 + np.exp(-layers["value"]))
    loss = -float(np.mean(some.value * np.log(found + 1e-7) + (1 - some.value) * np.log(1 - found + 1e-7)))
    loss -= POLICY_SHARE * float(np.sum(target * np.log(np.where(is_exact, total, priors) + 1e-9))) / n
    logits = (priors - target) * np.float32(POLICY_SHARE / n)
    return backward(weights, some.inputs, layers, logits, (found - some.value) / np.float32(n)), loss


def batches(times: npt.NDArray[np.intp], epochs: int, seed: int) -> Iterator[tuple[float, npt.NDArray[np.intp]]]:
    """The share of the training that is over, and the positions of the next batch."""
    rows = np.repeat(np.arange(len(times)), times)
    draw, per_epoch = np.random.default_rng(seed), len(rows) // BATCH
    for epoch in range(epochs):
        order = draw.permutation(rows)
        for i in range(per_epoch):
            yield (epoch + i / per_epoch) / epochs, np.sort(order[i * BATCH : (i + 1) * BATCH])


def trained(samples: Samples, epochs: int, seed: int, report: bool = True) -> Weights:
    """Weights after some epochs, at a rate that falls to 0."""
    adam, mean = Adam(fresh(seed)), 0.0
    for number, (done, rows) in enumerate(batches(samples.times, epochs, seed)):
        slopes, loss = gradients(adam.weights, samples.chosen(rows))
        share = min(1.0, (number + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * done))
        adam.step(slopes, adam.next_rate(share * RATE), share * DECAY)
        mean += (loss - mean) / min(number + 1, 100)
        if report and number % 200 == 0:
            print(f"{100 * done:5.1f} %  loss {mean:.4f}", flush=True)
    return adam.weights
