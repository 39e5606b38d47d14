"""A small network of NumPy with one hidden layer, and how it learns: to try the program without PyTorch.

It learns by stochastic gradient descent with momentum. Its state, like its gradients, is a dictionary of arrays.
"""

import io
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from c4mcts.evaluators import NetworkEvaluator, NumpyEvaluator

from .configuration import Configuration
from .replay import Batch
from .threats import ALL, DISCS, check_planes, with_threats

CELLS, COLUMNS = 42, 7
MOMENTUM = 0.9

Weights = dict[str, npt.NDArray[np.float32]]


def apply(weights: Weights, planes: npt.NDArray[np.float32]) -> tuple[np.ndarray, np.ndarray]:
    """Planes (n, 2, 6, 7) in; logits (n, 7) and values (n,) in [-1, 1] out."""
    outputs = hidden_layer(weights, planes) @ weights["last"]
    return outputs[:, :COLUMNS], np.tanh(outputs[:, COLUMNS])


def hidden_layer(weights: Weights, planes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The neurons of the hidden layer, (n, neurons), rectified."""
    found: npt.NDArray[np.float32] = np.maximum(inputs(weights, planes) @ weights["first"] + weights["bias"], 0)
    return found


def inputs(weights: Weights, planes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """What the first layer takes, (n, cells): the planes, with the threats if it has weights for them."""
    if len(weights["first"]) > planes[0].size:
        planes = with_threats(planes)
    return planes.reshape(len(planes), -1)


def gradients(weights: Weights, batch: Batch) -> tuple[Weights, tuple[float, float]]:
    """The gradients of the weights, and the losses of policy and value: means over the rows, by their weights."""
    hidden = hidden_layer(weights, batch.planes)
    outputs = hidden @ weights["last"]
    logits, values = outputs[:, :COLUMNS], np.tanh(outputs[:, COLUMNS])
    shifted = logits - logits.max(axis=1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    share = batch.weight / batch.weight.sum()
    losses = float(share @ -(batch.policy * logs).sum(axis=1)), float(share @ (values - batch.value) ** 2)
    wrong = np.empty_like(outputs)  # the derivatives by the outputs
    wrong[:, :COLUMNS] = share[:, None] * (np.exp(logs) - batch.policy)
    wrong[:, COLUMNS] = share * 2 * (values - batch.value) * (1 - values**2)
    back = wrong @ weights["last"].T * (hidden > 0)
    return {"first": inputs(weights, batch.planes).T @ back, "bias": back.sum(axis=0), "last": hidden.T @ wrong}, losses


class Dense:
    """The network with its optimiser: a Learner (see networks.py)."""

    def __init__(self, configuration: Configuration) -> None:
        draw, size = np.random.default_rng(configuration.seed), configuration.channels
        self._configuration = configuration
        cells = CELLS * (ALL if configuration.threats else DISCS)
        self._weights: Weights = {
            "first": draw.normal(scale=(1 / CELLS) ** 0.5, size=(cells, size)).astype(np.float32),
            "bias": np.zeros(size, np.float32),
            "last": draw.normal(scale=0.1 * size**-0.5, size=(size, COLUMNS + 1)).astype(np.float32),
        }
        self._momenta = {name: np.zeros_like(array) for name, array in self._weights.items()}

    def evaluator(self) -> NetworkEvaluator:
        """The network as it is now."""
        return NumpyEvaluator(apply, {name: array.copy() for name, array in self._weights.items()})

    def learn(self, batches: Iterable[tuple[float, Batch]]) -> tuple[float, float]:
        """Take a step for each batch, with this share of the learning rate. Returns the mean losses: policy, value."""
        decay, seen = self._configuration.weight_decay, []
        for share, batch in batches:
            slopes, losses = gradients(self._weights, batch)
            seen.append(losses)
            for name, weights in self._weights.items():
                momentum = self._momenta[name]
                momentum *= MOMENTUM
                momentum += slopes[name] + decay * weights
                weights -= np.float32(share * self._configuration.learning_rate) * momentum
        policy, value = np.mean(seen, axis=0) if seen else (0.0, 0.0)
        return float(policy), float(value)

    def state(self) -> bytes:
        """Weights and momenta."""
        buffer = io.BytesIO()
        np.savez(buffer, **self._weights, **{f"momentum_{name}": array for name, array in self._momenta.items()})
        return buffer.getvalue()

    def restore(self, state: bytes) -> None:
        """Take what `state` returned."""
        with np.load(io.BytesIO(state)) as arrays:
            check_planes(len(arrays["first"]) // CELLS, self._configuration.threats)
            self._weights = {name: arrays[name] for name in self._weights}
            self._momenta = {name: arrays[f"momentum_{name}"] for name in self._weights}
