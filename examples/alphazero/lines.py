"""The small network of the package, and how it learns: c4mcts evaluates it in integers, in microseconds.

It has the layers of c4mcts.PolicyValueNetwork, whose features are lines of four and columns (patterns.py, and
docs/internals/network.md). Learning is in single precision, with NumPy and the sparse matrices of SciPy.
"""

import io
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from c4mcts import PolicyValueNetwork
from c4mcts.evaluators import NetworkEvaluator

from .configuration import Configuration
from .patterns import COLUMN_ROWS, LINE_ROWS, SHARED, patterns
from .replay import Batch

Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]

HIDDEN, CONTEXT, SECOND = 32, 16, 16  # numbers of the position; of them seen by each move; of the second layer
UNIT = 64  # what 1 is as an integer
TOP = 255 / UNIT  # numbers of a layer lie between 0 and this
MAX_WEIGHT = 127 / UNIT
SHAPES = {  # of the weights, and the deviation of the first ones; features begin with 0, so those never seen stay 0
    "position": ((LINE_ROWS + COLUMN_ROWS, HIDDEN + CONTEXT), 0.0),
    "bias": ((HIDDEN + CONTEXT,), 0.0),
    "second": ((HIDDEN, SECOND), 0.2),
    "second_bias": ((SECOND,), 0.0),
    "value": ((SECOND,), 0.3),
    "value_bias": ((1,), 0.0),
    "moves": ((2 * LINE_ROWS + COLUMN_ROWS, CONTEXT), 0.0),
    "move": ((CONTEXT,), 0.5),
}


class Inputs:
    """The features of n positions and of their m moves, as matrices with a 1 for each feature."""

    def __init__(self, planes: npt.NDArray[np.float32]) -> None:
        found = patterns(planes)
        self.open = found.moves[..., -1] >= 0  # (n, 7)
        self.position = _matrix(found.position, LINE_ROWS + COLUMN_ROWS)
        self.moves = _matrix(found.moves[self.open], 2 * LINE_ROWS + COLUMN_ROWS)
        self.row = np.nonzero(self.open)[0]  # (m,): the position of each move


def _matrix(rows: npt.NDArray[np.int32], width: int) -> csr_matrix:
    """A matrix with a 1 in each of these columns, by row."""
    known = rows >= 0
    ends = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
    columns = rows[known]
    return csr_matrix((np.ones(len(columns), np.float32), columns, ends), (len(rows), width))


def forward(weights: Weights, inputs: Inputs) -> dict[str, Floats]:
    """All layers. "logits": (n, 7), -inf for full columns; "value": (n,), before the sigmoid."""
    sums = inputs.position @ weights["position"] + weights["bias"]
    hidden = np.clip(sums[:, :HIDDEN], 0, TOP)
    second_sums = hidden @ weights["second"] + weights["second_bias"]
    second = np.clip(second_sums, 0, TOP)
    move_sums = inputs.moves @ weights["moves"] + sums[inputs.row, HIDDEN:]
    moves = np.clip(move_sums, 0, TOP)
    logits = np.full(inputs.open.shape, -np.inf, moves.dtype)
    logits[inputs.open] = moves @ weights["move"]
    layers = {"sums": sums, "hidden": hidden, "second_sums": second_sums, "second": second}
    value = second @ weights["value"] + weights["value_bias"]
    return layers | {"move_sums": move_sums, "moves": moves, "logits": logits, "value": value}


def gradients(weights: Weights, inputs: Inputs, batch: Batch) -> tuple[Weights, tuple[float, float]]:
    """The gradients of the weights, and the losses of policy and value: means over the rows, by their weights.

    Both losses are cross-entropies; that of the value takes it as the probability of a win.
    """
    layers = forward(weights, inputs)
    share = (batch.weight / batch.weight.sum()).astype(np.float32)
    shifted = layers["logits"] - layers["logits"].max(axis=1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    wins = (batch.value + 1) / 2
    losses = (
        -float(share @ np.where(inputs.open, batch.policy * np.where(inputs.open, logs, 0), 0).sum(axis=1)),
        float(share @ (np.logaddexp(0, layers["value"]) - wins * layers["value"])),
    )
    # derivatives by the outputs, then back from layer to layer
    logits = (share[:, None] * (np.exp(logs) - batch.policy))[inputs.open]
    value = share * (1 / (1 + np.exp(-layers["value"])) - wins)
    moves = np.outer(logits, weights["move"]) * _moves_with_its_sum(layers["move_sums"])
    second = np.outer(value, weights["value"]) * _moves_with_its_sum(layers["second_sums"])
    hidden = (second @ weights["second"].T) * _moves_with_its_sum(layers["sums"][:, :HIDDEN])
    begins = np.flatnonzero(np.diff(inputs.row, prepend=-1))
    sums = np.hstack([hidden, np.add.reduceat(moves, begins)])
    found = {
        "position": inputs.position.T @ sums,
        "bias": sums.sum(axis=0),
        "second": layers["hidden"].T @ second,
        "second_bias": second.sum(axis=0),
        "value": layers["second"].T @ value,
        "value_bias": value.sum(keepdims=True),
        "moves": inputs.moves.T @ moves,
        "move": layers["moves"].T @ logits,
    }
    return {name: array.astype(np.float32) for name, array in found.items()}, losses


def _moves_with_its_sum(sums: Floats) -> npt.NDArray[np.bool_]:
    """Whether a number between 0 and TOP changes with its sum."""
    return (sums > 0) & (sums < TOP)


def integers(weights: Weights) -> dict[str, npt.NDArray[np.integer]]:
    """The weights as PolicyValueNetwork takes them."""
    position, moves = weights["position"], weights["moves"]
    arrays = {
        "lines": position[:LINE_ROWS][SHARED],
        "columns": position[LINE_ROWS:],
        "bias": weights["bias"],
        "second": weights["second"].T,
        "second_bias": weights["second_bias"] * UNIT,
        "value": weights["value"],
        "value_bias": weights["value_bias"] * UNIT,
        "through": moves[:LINE_ROWS][SHARED],
        "above": moves[LINE_ROWS : 2 * LINE_ROWS][SHARED],
        "landing": moves[2 * LINE_ROWS :],
        "move": weights["move"],
    }
    kinds = {name: np.int32 if "bias" in name else np.int8 for name in arrays}
    return {name: np.rint(array.astype(float) * UNIT).astype(kinds[name]) for name, array in arrays.items()}


class Lines:
    """The network with its optimiser, Adam (Kingma and Ba 2015): a Learner (see networks.py)."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        draw = np.random.default_rng(configuration.seed)
        self._weights: Weights = {
            name: (scale * draw.standard_normal(shape)).astype(np.float32) for name, (shape, scale) in SHAPES.items()
        }
        self._weights["bias"] += np.float32(0.5)
        self._weights["second_bias"] += np.float32(0.5)
        self._means = {name: np.zeros_like(array) for name, array in self._weights.items()}
        self._squares = {name: np.zeros_like(array) for name, array in self._weights.items()}
        self._steps = 0

    def evaluator(self) -> NetworkEvaluator:
        """The network as it is now."""
        return PolicyValueNetwork(integers(self._weights))

    def learn(self, batches: Iterable[tuple[float, Batch]]) -> tuple[float, float]:
        """Take a step for each batch, with this share of the learning rate. Returns the mean losses: policy, value."""
        seen = []
        for share, batch in batches:
            slopes, losses = gradients(self._weights, Inputs(batch.planes), batch)
            seen.append(losses)
            self._step(slopes, share * self._configuration.learning_rate)
        policy, value = np.mean(seen, axis=0) if seen else (0.0, 0.0)
        return float(policy), float(value)

    def _step(self, slopes: Weights, rate: float) -> None:
        self._steps += 1
        rate *= (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps)
        for name, weights in self._weights.items():
            mean, square, slope = self._means[name], self._squares[name], slopes[name]
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope * slope - square)
            decay = np.float32(rate * self._configuration.weight_decay)
            weights -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8)) + decay * weights
            if "bias" not in name:
                np.clip(weights, -MAX_WEIGHT, MAX_WEIGHT, out=weights)

    def state(self) -> bytes:
        """Weights and moments."""
        buffer = io.BytesIO()
        kept = {"": self._weights, "mean_": self._means, "square_": self._squares}
        arrays = {f"{prefix}{name}": array for prefix, found in kept.items() for name, array in found.items()}
        np.savez(buffer, steps=self._steps, **arrays)
        return buffer.getvalue()

    def restore(self, state: bytes) -> None:
        """Take what `state` returned."""
        with np.load(io.BytesIO(state)) as arrays:
            self._steps = int(arrays["steps"])
            for prefix, found in (("", self._weights), ("mean_", self._means), ("square_", self._squares)):
                found.update({name: arrays[f"{prefix}{name}"] for name in SHAPES})
