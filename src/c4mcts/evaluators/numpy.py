"""NumpyEvaluator: a network written with NumPy, or any function of arrays."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from .._validation import function
from .network import Finish, NetworkEvaluator, Outputs, Planes, described, fingerprint_of


class NumpyEvaluator(NetworkEvaluator):
    """A function apply(weights, planes) -> (logits, values) as an evaluator; see NetworkEvaluator.

    weights: arrays, also nested in dicts and lists. They are not copied: a change of them changes the fingerprint.
    """

    def __init__(self, apply: Callable[[Any, Planes], Outputs], weights: Any) -> None:
        super().__init__(is_async=False)
        self._apply = function("apply", apply)
        self._weights = weights

    def _begin(self, planes: Planes) -> Finish:
        outputs = self._apply(self._weights, planes)
        return lambda: outputs

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the weights, in the order of their names."""
        leaves = sorted(_leaves("", self._weights), key=itemgetter(0))
        return fingerprint_of(described(name, leaf) for name, leaf in leaves)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._apply, self._weights)


def _leaves(name: str, weights: Any) -> Iterator[tuple[str, Any]]:
    """The arrays in nested dicts and lists, and their paths."""
    if isinstance(weights, Mapping):
        pairs = list(weights.items())
    elif isinstance(weights, Sequence) and not isinstance(weights, str | bytes):
        pairs = list(enumerate(weights))
    else:
        yield name, np.asarray(weights)
        return
    for key, value in pairs:
        yield from _leaves(f"{name}/{key}", value)
