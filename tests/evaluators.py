"""Evaluators for tests: deterministic, and without rounding in single and double precision."""

import numpy as np


def fingerprint(planes, legal):
    """Priors and values computed from a hash of the planes: whole numbers and quarters, which are exact."""
    flat = planes.reshape(len(planes), -1).astype(np.int64)
    number = flat @ (np.arange(flat.shape[1], dtype=np.int64) ** 2 % 97 + 1)
    priors = (number[:, None] * (np.arange(legal.shape[1]) + 3)) % 13 + 1.0
    return priors, (number % 9 - 4) / 4.0


def uniform(planes, legal):
    """Equal priors for all moves, value 0 for all positions."""
    return np.ones(legal.shape), np.zeros(len(legal))


def spread(planes, legal):
    """Priors and values from a hash of the planes, of which hardly two are equal: for trees of other programs.

    Works on the arrays of NumPy and of JAX.
    """
    flat = planes.reshape(len(planes), -1).astype("int64")
    number = flat @ np.array([(7919 * i * i + 101 * i + 13) % 10007 for i in range(flat.shape[1])])
    shares = (number[:, None] * np.array([(2741 * i + 877) % 5003 for i in range(legal.shape[1])]) + 911) % 4001
    return (shares + 40.0) ** 2, (number * 3571 % 7919) / 3960.0 - 1.0
