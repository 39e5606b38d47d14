"""Evaluators that run a network: a PyTorch module, an ONNX model, a JAX function, or a function of NumPy.

>>> import numpy as np
>>> from c4mcts.evaluators import NumpyEvaluator
>>> def linear(weights, planes):
...     sums = planes.reshape(len(planes), -1) @ weights["dense"]
...     return sums[:, 1:], np.tanh(sums[:, 0])
>>> evaluator = NumpyEvaluator(linear, {"dense": np.zeros((84, 8), np.float32)})
>>> priors, values = evaluator(np.zeros((1, 2, 6, 7), np.float32), np.ones((1, 7), bool))
>>> priors.shape, float(values[0])
((1, 7), 0.0)

Each imports its package when it is created.
"""

from .jax import JaxEvaluator
from .network import NetworkEvaluator
from .numpy import NumpyEvaluator
from .onnx import OnnxEvaluator
from .torch import TorchEvaluator

__all__ = ["JaxEvaluator", "NetworkEvaluator", "NumpyEvaluator", "OnnxEvaluator", "TorchEvaluator"]
