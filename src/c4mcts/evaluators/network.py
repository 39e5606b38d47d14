"""NetworkEvaluator: what all evaluators with a network have in common."""

import hashlib
import importlib
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..search.evaluators import Answer, Pending

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Planes = npt.NDArray[np.float32]
Legal = npt.NDArray[np.bool_]
Outputs = tuple[Any, Any]  # what a network returns: logits (n, width) and values (n,) or (n, 1)
Finish = Callable[[], Outputs]  # waits for a network

ILLEGAL = np.float32(-1e30)  # the logit of an illegal column; finite, so that a row without legal ones gives no NaN


class NetworkEvaluator(ABC):
    """An evaluator whose network gives logits of the columns, (n, width), and values, (n,) or (n, 1) in [-1, 1].

    Calling it returns priors, float32 (n, width), the softmax of the logits over the legal columns and 0 for all
    others, and the values, float32 (n,), for the player to move. `submit` does the same in the background.

    Whether the answer for a position depends on the rest of its batch is up to the network. Most libraries round
    differently for different batch sizes.

    Raises ValueError if the outputs of the network have other shapes, and what the network raises.
    """

    def __init__(self, is_async: bool) -> None:
        self._is_async = is_async  # whether `_begin` returns before the network is done
        self._worker: tuple[int, ThreadPoolExecutor] | None = None  # a process, and its thread for `submit`

    @abstractmethod
    def _begin(self, planes: Planes) -> Finish:
        """Start the network on a batch."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """SHA-256 of the names, types, shapes and numbers of the weights. Not of the code that uses them."""

    def __call__(self, planes: Planes, legal: Legal) -> Answer:
        """Priors and values of a batch: see Evaluator in c4mcts.search.evaluators."""
        planes, legal = arguments(planes, legal)
        return answer(self._begin(planes)(), legal)

    def submit(self, planes: Planes, legal: Legal) -> Pending:
        """Start to evaluate a batch, and return a pending answer, whose `result()` waits for it.

        A network that can't do so by itself, such as one on a CPU, works in a thread of the evaluator, one batch after
        the other. The arrays must not be changed before the result is there.
        """
        if not self._is_async:
            return self._thread().submit(self, planes, legal)
        planes, legal = arguments(planes, legal)
        return _Started(self._begin(planes), legal)

    def _thread(self) -> "ThreadPoolExecutor":
        """An executor with one thread; a forked process needs its own."""
        if self._worker is None or self._worker[0] != os.getpid():
            from concurrent.futures import ThreadPoolExecutor

            self._worker = os.getpid(), ThreadPoolExecutor(1, "c4mcts-evaluator")
        return self._worker[1]


class _Started:
    """A batch whose network has been started."""

    def __init__(self, finish: Finish, legal: Legal) -> None:
        self._finish = finish
        self._legal = legal
        self._answer: Answer | None = None

    def result(self) -> Answer:
        """Wait for the answer."""
        if self._answer is None:
            self._answer = answer(self._finish(), self._legal)
        return self._answer


def arguments(planes: Any, legal: Any) -> tuple[Planes, Legal]:
    """The arguments of an evaluator as arrays of the right types. ValueError for wrong shapes."""
    planes, legal = np.ascontiguousarray(planes, np.float32), np.asarray(legal, np.bool_)
    if planes.ndim != 4 or legal.ndim != 2 or len(planes) != len(legal):
        raise ValueError(
            f"an evaluator needs planes of shape (n, 2, height, width) or (n, height, width, 1) and legal columns of "
            f"shape (n, width), not {planes.shape} and {legal.shape}"
        )
    return planes, legal


def pair(outputs: Any) -> Outputs:
    """The two outputs of a network. ValueError for another number of them."""
    if not (isinstance(outputs, tuple | list) and len(outputs) == 2):
        many = f" of {len(outputs)}" if isinstance(outputs, tuple | list) else ""
        raise ValueError(f"the network must return (logits, values), not a {type(outputs).__name__}{many}")
    return outputs[0], outputs[1]


def answer(outputs: Any, legal: Legal) -> Answer:
    """Priors and values from the outputs of a network. ValueError for wrong shapes, TypeError if not numbers."""
    logits, values = map(_floats, pair(outputs))
    if logits.shape != legal.shape:
        raise ValueError(f"the network's logits must have the shape {legal.shape}, not {logits.shape}")
    if values.shape not in ((len(legal),), (len(legal), 1)):
        raise ValueError(f"the network's values must have the shape ({len(legal)},), not {values.shape}")
    logits = np.where(legal, logits, ILLEGAL)
    priors = np.exp(logits - logits.max(axis=1, keepdims=True))
    return priors / priors.sum(axis=1, keepdims=True), values.reshape(-1)


def _floats(output: Any) -> npt.NDArray[np.float32]:
    """An output in single precision. TypeError if not of real numbers; NumPy would drop the imaginary part."""
    if np.iscomplexobj(output):
        raise TypeError("the network must return real numbers, not complex ones")
    try:
        return np.asarray(output, np.float32)
    except OverflowError:
        raise ValueError("the network has returned an integer that is too large for a float") from None


def fingerprint_of(weights: Iterable[tuple[str, str, tuple[int, ...], bytes]]) -> str:
    """The SHA-256 of weights in a fixed order: names, types, shapes, numbers."""
    digest = hashlib.sha256()
    for name, kind, shape, data in weights:
        digest.update(json.dumps([name, kind, list(shape), len(data)]).encode())
        digest.update(data)
    return digest.hexdigest()


def described(name: str, array: Any) -> tuple[str, str, tuple[int, ...], bytes]:
    """An array for `fingerprint_of`: the same on every machine."""
    values = np.asarray(array)
    little = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
    return name, values.dtype.name, values.shape, little.tobytes()


def required(module: str, user: str, package: str) -> Any:
    """Import a module of an optional package. ImportError that says what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"{user} needs {module}, which can't be imported ({error}): pip install {package}") from error
