"""The small network of the package as a learner: c4mcts evaluates it in integers, in microseconds.

It has the layers of c4mcts.PolicyValueNetwork (layers.py), whose features are lines of four and columns (patterns.py).
"""

import io
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from c4mcts import PolicyValueNetwork
from c4mcts.evaluators import NetworkEvaluator

from .configuration import Configuration
from .layers import SHAPES, Adam, Inputs, Weights, backward, forward, fresh, integers
from .patterns import COLUMN_ROWS, LINE_ROWS, patterns
from .replay import Batch


class Seen(NamedTuple):
    """What the network sees of n positions with m moves, and which columns the moves are."""

    inputs: Inputs
    open: npt.NDArray[np.bool_]  # (n, 7), m of them true


def seen(planes: npt.NDArray[np.float32]) -> Seen:
    """The features of unfinished positions. planes: (n, 2, 6, 7), as an evaluator gets them."""
    found = patterns(planes)
    is_open = found.moves[..., -1] >= 0
    first = np.concatenate([[0], np.cumsum(is_open.sum(axis=1))])
    position = _matrix(found.position, LINE_ROWS + COLUMN_ROWS)
    return Seen(Inputs(position, _matrix(found.moves[is_open], 2 * LINE_ROWS + COLUMN_ROWS), first), is_open)


def _matrix(rows: npt.NDArray[np.int32], width: int) -> csr_matrix:
    """A matrix with a 1 in each of these columns, by row."""
    known = rows >= 0
    ends = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
    columns = rows[known]
    return csr_matrix((np.ones(len(columns), np.float32), columns, ends), (len(rows), width))


def gradients(weights: Weights, here: Seen, batch: Batch) -> tuple[Weights, tuple[float, float]]:
    """The gradients of the weights, and the losses of policy and value: means over the rows, by their weights.

    Both losses are cross-entropies; the value is taken as the probability of a win.
    """
    layers = forward(weights, here.inputs)
    share = (batch.weight / batch.weight.sum()).astype(np.float32)
    logits = np.full(here.open.shape, -np.inf, layers["logits"].dtype)
    logits[here.open] = layers["logits"]
    shifted = logits - logits.max(axis=1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    wins = (batch.value + 1) / 2
    losses = (
        -float(share @ np.where(here.open, batch.policy * np.where(here.open, logs, 0), 0).sum(axis=1)),
        float(share @ (np.logaddexp(0, layers["value"]) - wins * layers["value"])),
    )
    by_logits = (share[:, None] * (np.exp(logs) - batch.policy))[here.open]
    by_value = share * (1 / (1 + np.exp(-layers["value"])) - wins)
    return backward(weights, here.inputs, layers, by_logits, by_value), losses


class Lines:
    """The network with its optimiser: a Learner (see networks.py)."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._adam = Adam(fresh(configuration.seed))

    def evaluator(self) -> NetworkEvaluator:
        """The network as it is now."""
        return PolicyValueNetwork(integers(self._adam.weights))

    def learn(self, batches: Iterable[tuple[float, Batch]]) -> tuple[float, float]:
        """Take a step for each batch, with this share of the learning rate. Returns the mean losses: policy, value."""
        found = []
        for share, batch in batches:
            slopes, losses = gradients(self._adam.weights, seen(batch.planes), batch)
            found.append(losses)
            rate = self._adam.next_rate(share * self._configuration.learning_rate)
            self._adam.step(slopes, rate, rate * self._configuration.weight_decay)
        policy, value = np.mean(found, axis=0) if found else (0.0, 0.0)
        return float(policy), float(value)

    def state(self) -> bytes:
        """Weights and moments."""
        buffer = io.BytesIO()
        arrays = {f"{prefix}{name}": array for prefix, kept in self._arrays() for name, array in kept.items()}
        np.savez(buffer, steps=self._adam.steps, **arrays)
        return buffer.getvalue()

    def restore(self, state: bytes) -> None:
        """Take what `state` returned."""
        with np.load(io.BytesIO(state)) as arrays:
            self._adam.steps = int(arrays["steps"])
            for prefix, kept in self._arrays():
                kept.update({name: arrays[f"{prefix}{name}"] for name in SHAPES})

    def _arrays(self) -> tuple[tuple[str, Weights], ...]:
        """What is kept, by the beginning of its names."""
        return ("", self._adam.weights), ("mean_", self._adam.means), ("square_", self._adam.squares)
