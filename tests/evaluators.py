"""Evaluators for tests: deterministic, exact in single and double precision, and different for every position."""

import numpy as np


def fingerprint(planes, legal):
    """Priors and values from a number made of the planes: whole numbers and quarters, so that no rounding differs."""
    flat = planes.reshape(len(planes), -1).astype(np.int64)
    number = flat @ (np.arange(flat.shape[1], dtype=np.int64) ** 2 % 97 + 1)
    priors = (number[:, None] * (np.arange(legal.shape[1]) + 3)) % 13 + 1.0
    return priors, (number % 9 - 4) / 4.0


def uniform(planes, legal):
    """The same for all: no opinion."""
    return np.ones(legal.shape), np.zeros(len(legal))
