"""The layers of c4mcts.PolicyValueNetwork in single precision: what they compute, how they learn, and their integers.

docs/internals/network.md describes them. With NumPy and the sparse matrices of SciPy.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from .patterns import COLUMN_ROWS, LINE_ROWS, SHARED

Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]

HIDDEN, SECOND = 32, 16  # numbers of the first layer and of the second, both for the value and for the moves
UNIT = 64  # what 1 is as an integer
TOP = 255 / UNIT  # numbers of a layer lie between 0 and this
MAX_WEIGHT = 127 / UNIT
SHAPES = {  # of the weights, and the deviation of the first ones; features begin with 0, so those never seen stay 0
    "position": ((LINE_ROWS + COLUMN_ROWS, 2 * HIDDEN), 0.0),  # for the value, then for the moves
    "bias": ((2 * HIDDEN,), 0.0),
    "value_second": ((HIDDEN, SECOND), 0.2),
    "value_second_bias": ((SECOND,), 0.0),
    "value": ((SECOND,), 0.3),
    "value_bias": ((1,), 0.0),
    "moves": ((2 * LINE_ROWS + COLUMN_ROWS, HIDDEN), 0.0),
    "move_second": ((HIDDEN, SECOND), 0.3),
    "move_second_bias": ((SECOND,), 0.0),
    "move": ((SECOND,), 0.5),
}


class Inputs(NamedTuple):
    """The features of n positions and of their m moves, as matrices with the number of times that each occurs."""

    position: csr_matrix  # (n, LINE_ROWS + COLUMN_ROWS)
    moves: csr_matrix  # (m, 2 * LINE_ROWS + COLUMN_ROWS)
    first: npt.NDArray[np.intp]  # (n + 1,): where the moves of a position begin; each has at least one


def fresh(seed: int) -> Weights:
    """Weights to begin with."""
    draw = np.random.default_rng(seed)
    weights = {
        name: (scale * draw.standard_normal(shape)).astype(np.float32) for name, (shape, scale) in SHAPES.items()
    }
    for name in ("bias", "value_second_bias", "move_second_bias"):
        weights[name] += np.float32(0.5)
    return weights


def forward(weights: Weights, inputs: Inputs) -> dict[str, Floats]:
    """All layers. "logits": (m,), of the moves; "value": (n,), before the sigmoid."""
    sums = inputs.position @ weights["position"] + weights["bias"]
    move_sums = inputs.moves @ weights["moves"] + np.repeat(sums[:, HIDDEN:], np.diff(inputs.first), axis=0)
    layers = {"value_sums": sums[:, :HIDDEN], "move_sums": move_sums}
    for name in ("value", "move"):
        hidden = np.clip(layers[f"{name}_sums"], 0, TOP)
        layers[f"{name}_second_sums"] = hidden @ weights[f"{name}_second"] + weights[f"{name}_second_bias"]
    value, logits = (np.clip(layers[f"{name}_second_sums"], 0, TOP) @ weights[name] for name in ("value", "move"))
    return layers | {"logits": logits, "value": value + weights["value_bias"]}


def backward(weights: Weights, inputs: Inputs, layers: dict[str, Floats], logits: Floats, value: Floats) -> Weights:
    """The derivatives of a loss by the weights, from those by the outputs of `forward`, which gave `layers`.

    logits: (m,); value: (n,).
    """
    found, of_sums = {}, []
    for name, output in (("value", value), ("move", logits)):
        sums, second_sums = layers[f"{name}_sums"], layers[f"{name}_second_sums"]
        second = np.outer(output, weights[name]) * _moves_with_its_sum(second_sums)
        found[name] = np.clip(second_sums, 0, TOP).T @ output
        found[f"{name}_second"] = np.clip(sums, 0, TOP).T @ second
        found[f"{name}_second_bias"] = second.sum(axis=0)
        of_sums.append(second @ weights[f"{name}_second"].T * _moves_with_its_sum(sums))
    hidden, moves = of_sums
    position = np.hstack([hidden, np.add.reduceat(moves, inputs.first[:-1])])
    found |= {
        "position": inputs.position.T @ position,
        "bias": position.sum(axis=0),
        "moves": inputs.moves.T @ moves,
        "value_bias": value.sum(keepdims=True),
    }
    return {name: array.astype(np.float32) for name, array in found.items()}


def _moves_with_its_sum(sums: Floats) -> npt.NDArray[np.bool_]:
    """Whether a number between 0 and TOP changes with its sum."""
    return (sums > 0) & (sums < TOP)


class Adam:
    """Weights that learn. Kingma and Ba, "Adam: a method for stochastic optimization" (2015)."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.means = {name: np.zeros_like(array) for name, array in weights.items()}
        self.squares = {name: np.zeros_like(array) for name, array in weights.items()}
        self.steps = 0

    def next_rate(self, rate: float) -> float:
        """The rate of the next step with the correction of the moments, which begin with 0 (section 2)."""
        steps = self.steps + 1
        return rate * math.sqrt(1 - 0.999**steps) / (1 - 0.9**steps)

    def step(self, slopes: Weights, rate: float, decay: float) -> None:
        """One step. rate: see next_rate. decay: the share by which weights get smaller.

        Weights, but for biases, stay within what signed bytes hold.
        """
        self.steps += 1
        for name, slope in slopes.items():
            weights, mean, square = self.weights[name], self.means[name], self.squares[name]
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope * slope - square)
            weights -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8)) + np.float32(decay) * weights
            if "bias" not in name:
                np.clip(weights, -MAX_WEIGHT, MAX_WEIGHT, out=weights)


def integers(weights: Weights) -> dict[str, npt.NDArray[np.integer]]:
    """The weights as PolicyValueNetwork takes them. OverflowError for those that don't fit, or are NaN."""
    position, moves = weights["position"], weights["moves"]
    arrays = {
        "lines": position[:LINE_ROWS][SHARED],
        "columns": position[LINE_ROWS:],
        "bias": weights["bias"],
        "value_second": weights["value_second"].T,
        "value_second_bias": weights["value_second_bias"] * UNIT,
        "value": weights["value"],
        "value_bias": weights["value_bias"] * UNIT,
        "through": moves[:LINE_ROWS][SHARED],
        "above": moves[LINE_ROWS : 2 * LINE_ROWS][SHARED],
        "landing": moves[2 * LINE_ROWS :],
        "move_second": weights["move_second"].T,
        "move_second_bias": weights["move_second_bias"] * UNIT,
        "move": weights["move"],
    }
    return {name: _rounded(name, array, np.int32 if "bias" in name else np.int8) for name, array in arrays.items()}


def _rounded(name: str, array: Floats, kind: type[np.integer]) -> npt.NDArray[np.integer]:
    numbers, limits = np.rint(array.astype(float) * UNIT), np.iinfo(kind)
    if not (numbers >= limits.min).all() or not (numbers <= limits.max).all():  # NaN is neither
        raise OverflowError(f"{name} must fit into {kind.__name__}, not go from {numbers.min():g} to {numbers.max():g}")
    return np.ascontiguousarray(numbers.astype(kind))
