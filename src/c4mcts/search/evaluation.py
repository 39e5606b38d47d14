"""Evaluators: functions that give the values of positions and the priors of moves, such as neural networks."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from .._validation import an_instance, function
from ..rules import Rules
from .network import PolicyValueNetwork, require_rules
from .params import NetworkParams, SearchParams

# (planes, legal) -> (priors, values); see Engine. The answers may be anything that np.asarray accepts.
Evaluator = Callable[[npt.NDArray[np.float32], npt.NDArray[np.bool_]], tuple[Any, Any]]
Evaluate = Callable[[Any, Any], tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]
Answer = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]  # priors (n, width), values (n,)
Arrays = tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]  # a batch: planes and legal columns
MAX_PRIOR = 1e300  # so that sums of priors are finite
TWO_ARRAYS = "the evaluator must return (priors, values), two arrays of numbers"
TOLERANCE = 1e-6  # how far a value may lie outside [-1, 1], for rounding in single precision


class Started:
    """A batch that is being evaluated; `result` waits for it, once."""

    def __init__(self, finish: Callable[[], Answer]) -> None:
        self.result = cache(finish)


def an_evaluator(evaluator: Any) -> Evaluator:
    """Check that the value is a function, and no module of PyTorch. TypeError."""
    if hasattr(evaluator, "state_dict") and hasattr(evaluator, "named_parameters"):
        text = f"evaluator must be a function of NumPy arrays, not a {type(evaluator).__name__}"
        raise TypeError(f"{text}: wrap it in c4mcts.evaluators.TorchEvaluator")
    result: Evaluator = function("evaluator", evaluator)
    return result


def suitable_evaluator(
    evaluator: Evaluator | None, params: SearchParams, threads: int, rules: Rules | None = None
) -> None:
    """Check an evaluator. TypeError, or ValueError if it does not suit the other arguments."""
    if evaluator is None:
        if params.needs_evaluator:
            raise ValueError(f"evaluator: a search with {type(params).__name__} needs an evaluator")
        return
    an_evaluator(evaluator)
    if isinstance(params, NetworkParams):
        an_instance("evaluator", evaluator, PolicyValueNetwork, "a PolicyValueNetwork with NetworkParams")
    elif not params.needs_evaluator:
        raise ValueError(f"an evaluator needs PuctParams or GumbelParams, not {type(params).__name__}")
    elif threads > 1:
        raise ValueError(f"threads must be 1 with an evaluator, which gets batches, not {threads}")
    if isinstance(evaluator, PolicyValueNetwork) and rules is not None:
        require_rules(rules, evaluator)


def checked(evaluator: Evaluator, rules: Rules, signed: bool) -> Evaluate:
    """Wrap an evaluator for a searcher: a function that shapes its arguments and checks its answers.

    The function takes flat sequences: the numbers of the planes, and whether each column is legal, position by
    position. It raises ValueError for answers of the wrong shape, priors of legal columns that are negative or above
    MAX_PRIOR, and values outside [-1, 1], and anything the evaluator raises.
    """
    if isinstance(evaluator, PolicyValueNetwork):
        require_rules(rules, evaluator)
    height, width = rules.height, rules.width
    shape = (-1, height, width, 1) if signed else (-1, 2, height, width)

    def evaluate(planes: Any, legal: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        planes = np.asarray(planes, dtype=np.float32).reshape(shape)
        legal = np.array(legal, dtype=np.bool_).reshape(-1, width)
        # the evaluator may change its arrays
        priors, values = shaped(evaluator(planes, legal.copy()), legal.shape)
        priors, values = (np.require(part, np.float64, ["C", "A", "E"]) for part in (priors, values))
        wrong = legal & ~((priors >= 0) & (priors <= MAX_PRIOR))
        if wrong.any():
            raise ValueError(f"the evaluator's priors must lie in [0, {MAX_PRIOR}], not {priors[wrong][0]}")
        wrong = ~(np.abs(values) <= 1 + TOLERANCE)
        if wrong.any():
            raise ValueError(f"the evaluator's values must lie in [-1, 1], not {values[wrong][0]}")
        return priors, np.clip(values.reshape(-1), -1.0, 1.0)

    return evaluate


def shaped(answer: Any, shape: tuple[int, ...]) -> Any:
    """The two arrays of an answer to a batch whose legal columns have this shape. ValueError for other shapes."""
    priors, values = parts = [np.asarray(part) for part in pair_of(answer)]
    if any(part.dtype.kind not in "fiub" for part in parts):
        raise ValueError(f"{TWO_ARRAYS}, not of {priors.dtype} and {values.dtype}")
    if priors.shape != shape:
        raise ValueError(f"the evaluator's priors must have the shape {shape}, not {priors.shape}")
    if values.shape not in (shape[:1], (shape[0], 1)):
        raise ValueError(f"the evaluator's values must have the shape ({shape[0]},), not {values.shape}")
    return priors, values


def pair_of(answer: Any) -> tuple[Any, Any]:
    """The two parts of an answer. ValueError."""
    try:
        priors, values = answer
    except (TypeError, ValueError) as error:
        raise ValueError(f"{TWO_ARRAYS}: {error}") from error
    return priors, values
