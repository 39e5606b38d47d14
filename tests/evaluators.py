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
