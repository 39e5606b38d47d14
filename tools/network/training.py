"""Training: gradient descent on the labels, in single precision, and the weights as integers."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from c4mcts import _layout
from c4mcts._backend import load
from c4mcts._layout import COLUMN_ROWS, CONTEXT, HIDDEN, LINE_ROWS, MAX_NUMBER, NETWORK_ARRAYS, SECOND

from .labels import Labels

Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]

BATCH = 2048
RATE = 3e-3
DECAY = 1e-6  # of the weights, at each step
UNIT = 1 << _layout.UNIT_BITS
TOP = MAX_NUMBER / UNIT  # of the numbers of a layer
MAX_WEIGHT = 127 / UNIT
POLICY_SHARE = 0.7  # of the loss


class Samples(NamedTuple):
    """Features and targets of n positions with m moves in all."""

    position: csr_matrix  # (n, LINE_ROWS + COLUMN_ROWS)
    moves: csr_matrix  # (m, 2 * LINE_ROWS + COLUMN_ROWS)
    first: npt.NDArray[np.intp]  # (n + 1,): where the moves of a position begin
    policy: Floats  # (m,)
    is_exact: npt.NDArray[np.bool_]  # (n,)
    value: Floats  # (n,)

    def __len__(self) -> int:
        return len(self.value)

    def chosen(self, rows: npt.NDArray[np.intp]) -> "Samples":
        """Some of the positions."""
        sizes = np.diff(self.first)[rows]
        first = np.concatenate([[0], np.cumsum(sizes)])
        moves = np.repeat(self.first[rows] - first[:-1], sizes) + np.arange(first[-1])
        return Samples(
            self.position[rows], self.moves[moves], first, self.policy[moves], self.is_exact[rows], self.value[rows]
        )


def canonical_rows() -> npt.NDArray[np.intp]:
    """By row of a line: the row that is trained in its place, which for horizontal lines may be that of the mirror."""
    rows = np.arange(LINE_ROWS)
    code = rows & 255
    mirrored = (code & 3) << 6 | (code >> 2 & 3) << 4 | (code >> 4 & 3) << 2 | code >> 6
    is_horizontal = (rows >> 8) // 3 < 2
    return np.where(is_horizontal, rows - code + np.minimum(code, mirrored), rows)


def samples_of(labels: Labels) -> Samples:
    """The features of labelled positions."""
    zeros = {name: np.zeros(np.prod(shape), int) for name, shape in NETWORK_ARRAYS.items()}
    network = load("native").network.Network(labels.rules, zeros)
    lines = canonical_rows()
    position_rows, move_rows = np.arange(LINE_ROWS + COLUMN_ROWS), np.arange(2 * LINE_ROWS + COLUMN_ROWS)
    position_rows[:LINE_ROWS] = move_rows[:LINE_ROWS] = lines
    move_rows[LINE_ROWS : 2 * LINE_ROWS] = LINE_ROWS + lines
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
    return Samples(
        _matrix(found, position_rows),
        _matrix(moves, move_rows),
        np.concatenate([[0], np.cumsum(sizes)]),
        labels.policy[tops],
        labels.is_exact,
        labels.value,
    )


def _matrix(rows: list[npt.NDArray[np.int32]], canonical: npt.NDArray[np.intp]) -> csr_matrix:
    """A matrix with the numbers of times that each feature occurs."""
    ends = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    columns = canonical[np.concatenate(rows)].astype(np.int32)
    return csr_matrix((np.ones(len(columns), np.float32), columns, ends), (len(rows), len(canonical)))


def joined(parts: list[Samples]) -> Samples:
    """All positions of several boards."""
    from scipy.sparse import vstack

    sizes = np.concatenate([np.diff(part.first) for part in parts])
    return Samples(
        vstack([part.position for part in parts], "csr"),
        vstack([part.moves for part in parts], "csr"),
        np.concatenate([[0], np.cumsum(sizes)]),
        *(np.concatenate([part[i] for part in parts]) for i in (3, 4, 5)),
    )


def fresh(seed: int) -> Weights:
    """Weights to begin with: zeros for the features, so that those that never occur stay 0."""
    draw = np.random.default_rng(seed)
    shapes = {
        "position": ((LINE_ROWS + COLUMN_ROWS, HIDDEN + CONTEXT), 0.0),
        "bias": ((HIDDEN + CONTEXT,), 0.0),
        "second": ((HIDDEN, SECOND), 0.2),
        "second_bias": ((SECOND,), 0.0),
        "value": ((SECOND,), 0.3),
        "value_bias": ((1,), 0.0),
        "moves": ((2 * LINE_ROWS + COLUMN_ROWS, CONTEXT), 0.0),
        "move": ((CONTEXT,), 0.5),
    }
    weights = {
        name: (scale * draw.standard_normal(shape)).astype(np.float32) for name, (shape, scale) in shapes.items()
    }
    weights["bias"] += 0.5
    weights["second_bias"] += 0.5
    return weights


def forward(weights: Weights, some: Samples) -> dict[str, Floats]:
    """All numbers of the network: logits of the moves, and the value before the sigmoid."""
    sums = some.position @ weights["position"] + weights["bias"]
    hidden = np.clip(sums[:, :HIDDEN], 0, TOP)
    second_sums = hidden @ weights["second"] + weights["second_bias"]
    second = np.clip(second_sums, 0, TOP)
    value = second @ weights["value"] + weights["value_bias"]
    move_sums = some.moves @ weights["moves"] + np.repeat(sums[:, HIDDEN:], np.diff(some.first), axis=0)
    moves = np.clip(move_sums, 0, TOP)
    return {
        "sums": sums,
        "hidden": hidden,
        "second_sums": second_sums,
        "second": second,
        "value": value,
        "move_sums": move_sums,
        "moves": moves,
        "logits": moves @ weights["move"],
    }


def shares(logits: Floats, first: npt.NDArray[np.intp]) -> Floats:
    """The softmax over the moves of each position."""
    sizes = np.diff(first)
    powers = np.exp(logits - np.repeat(np.maximum.reduceat(logits, first[:-1]), sizes))
    return powers / np.repeat(np.add.reduceat(powers, first[:-1]), sizes)


def gradients(weights: Weights, some: Samples) -> tuple[Weights, float]:
    """The gradient of the mean loss of some positions, and the loss."""
    numbers, n, sizes = forward(weights, some), len(some), np.diff(some.first)
    priors = shares(numbers["logits"], some.first)
    # of exact labels, the probability of all good moves together counts
    good = priors * some.policy
    total = np.repeat(np.maximum(np.add.reduceat(good, some.first[:-1]), 1e-9), sizes)
    is_exact = np.repeat(some.is_exact, sizes)
    target = np.where(is_exact, good / total, some.policy)
    logits = (priors - target) * np.float32(POLICY_SHARE / n)
    found = 1 / (1 + np.exp(-numbers["value"]))
    value = (found - some.value) / np.float32(n)
    loss = -float(np.mean(some.value * np.log(found + 1e-7) + (1 - some.value) * np.log(1 - found + 1e-7)))
    loss -= POLICY_SHARE * float(np.sum(target * np.log(priors + 1e-9))) / n
    grads: Weights = {"move": numbers["moves"].T @ logits}
    moves = np.outer(logits, weights["move"])
    moves *= _is_between(numbers["move_sums"])
    grads["moves"] = some.moves.T @ moves
    grads["value"] = numbers["second"].T @ value
    grads["value_bias"] = value.sum(keepdims=True)
    second = np.outer(value, weights["value"]) * _is_between(numbers["second_sums"])
    grads["second"], grads["second_bias"] = numbers["hidden"].T @ second, second.sum(axis=0)
    hidden = (second @ weights["second"].T) * _is_between(numbers["sums"][:, :HIDDEN])
    sums = np.hstack([hidden, np.add.reduceat(moves, some.first[:-1])])
    grads["position"], grads["bias"] = some.position.T @ sums, sums.sum(axis=0)
    return grads, loss


def _is_between(sums: Floats) -> npt.NDArray[np.bool_]:
    """Whether a number changes with its sum."""
    return (sums > 0) & (sums < TOP)


class Adam:
    """Kingma and Ba, "Adam: a method for stochastic optimization" (2015)."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._first = {name: np.zeros_like(array) for name, array in weights.items()}
        self._second = {name: np.zeros_like(array) for name, array in weights.items()}
        self._steps = 0

    def step(self, grads: Weights, rate: float) -> None:
        self._steps += 1
        rate *= np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for name, grad in grads.items():
            first, second, weight = self._first[name], self._second[name], self._weights[name]
            first += np.float32(0.1) * (grad - first)
            second += np.float32(0.001) * (grad * grad - second)
            weight -= np.float32(rate) * first / (np.sqrt(second) + np.float32(1e-8)) + np.float32(DECAY) * weight
            if "bias" not in name:
                np.clip(weight, -MAX_WEIGHT, MAX_WEIGHT, out=weight)


def batches(count: int, epochs: int, seed: int) -> Iterator[tuple[float, npt.NDArray[np.intp]]]:
    """The share of the training that is over, and the positions of the next batch."""
    draw, per_epoch = np.random.default_rng(seed), count // BATCH
    for epoch in range(epochs):
        order = draw.permutation(count)
        for i in range(per_epoch):
            yield (epoch + i / per_epoch) / epochs, np.sort(order[i * BATCH : (i + 1) * BATCH])


def trained(samples: Samples, epochs: int, seed: int, report: bool = True) -> Weights:
    """Weights after some epochs, at a rate that falls to 0."""
    weights = fresh(seed)
    adam, mean = Adam(weights), 0.0
    for number, (done, rows) in enumerate(batches(len(samples), epochs, seed)):
        grads, loss = gradients(weights, samples.chosen(rows))
        adam.step(grads, RATE * min(1.0, (number + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * done)))
        mean += (loss - mean) / min(number + 1, 100)
        if report and number % 200 == 0:
            print(f"{100 * done:5.1f} %  loss {mean:.4f}", flush=True)
    return weights


def quantised(weights: Weights) -> dict[str, npt.NDArray[np.integer]]:
    """The weights as integers, in the layout of the backends. OverflowError for those that don't fit."""
    lines = canonical_rows()
    position, moves = weights["position"], weights["moves"]
    arrays = {
        "lines": position[:LINE_ROWS][lines],
        "columns": position[LINE_ROWS:],
        "bias": weights["bias"],
        "second": weights["second"].T,
        "second_bias": weights["second_bias"] * UNIT,
        "value": weights["value"],
        "value_bias": weights["value_bias"] * UNIT,
        "through": moves[:LINE_ROWS][lines],
        "above": moves[LINE_ROWS : 2 * LINE_ROWS][lines],
        "landing": moves[2 * LINE_ROWS :],
        "move": weights["move"],
    }
    found: dict[str, npt.NDArray[np.integer]] = {}
    for name, array in arrays.items():
        numbers = np.rint(array.astype(np.float64) * UNIT)
        kind = np.dtype(np.int32 if "bias" in name else np.int8)
        limits = np.iinfo(kind)
        if not (numbers >= limits.min).all() or not (numbers <= limits.max).all():  # NaN is neither
            raise OverflowError(f"{name} does not fit into {kind}: {numbers.min():g} to {numbers.max():g}")
        found[name] = np.ascontiguousarray(numbers.astype(kind))
    return found
