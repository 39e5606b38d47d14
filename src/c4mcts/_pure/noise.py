"""Noise for the children of the root: samples from a symmetric Dirichlet distribution, or from the Gumbel distribution.

Dirichlet: Silver et al., "Mastering the game of Go without human knowledge" (2017), methods. A sample is a set of gamma
variates divided by their sum. They are kept as logarithms, so that a small concentration does not make all of them 0.
Gumbel: see gumbel.
"""

from math import inf, sqrt

from .elementary import exp, ln
from .rng import next64, substream

LEAST_ALPHA = 1e-300  # so that all logarithms are finite


def uniform(generator):
    """A random number above 0 and below 1."""
    return ((next64(generator) >> 12) + 0.5) * 2.0**-52


def normal(generator):
    """A sample of the standard normal distribution, by the polar method of Marsaglia and Bray (1964)."""
    while True:
        x = 2.0 * uniform(generator) - 1.0
        y = 2.0 * uniform(generator) - 1.0
        square = x * x + y * y
        if square < 1.0:
            return x * sqrt(-2.0 * ln(square) / square)


def log_gamma(generator, alpha):
    """Logarithm of a gamma variate of shape alpha and scale 1.

    Marsaglia and Tsang, "A simple method for generating gamma variables" (2000), sections 2 and 6.
    """
    boost = 0.0
    if alpha < 1.0:
        boost = ln(uniform(generator)) / alpha
        alpha += 1.0
    d = alpha - 1.0 / 3.0
    c = 1.0 / sqrt(9.0 * d)
    while True:
        x = normal(generator)
        root = 1.0 + c * x
        if root > 0.0:
            v = root * root * root
            u = uniform(generator)
            square = x * x
            if u < 1.0 - 0.0331 * square * square or ln(u) < 0.5 * square + d * (1.0 - v + 3.0 * ln(root)):
                return ln(d * v) + boost


def dirichlet(generator, alpha, size, noise):
    """Write a sample of `size` shares with the concentration alpha, which sum up to 1."""
    most = -inf
    total = 0.0
    alpha = max(alpha, LEAST_ALPHA)
    for i in range(size):
        noise[i] = log_gamma(generator, alpha)
        most = max(most, noise[i])
    for i in range(size):
        noise[i] = exp(noise[i] - most)
        total += noise[i]
    for i in range(size):
        noise[i] /= total


def gumbel(generator, scale, size, noise):
    """Write `size` independent samples of the standard Gumbel distribution, times the scale."""
    for i in range(size):
        noise[i] = -scale * ln(-ln(uniform(generator)))


def root_noise(seed, root, alpha, size):
    """The noise of the root number `root` of the tree that starts from the state `seed`, for `size` children."""
    noise = [0.0] * size
    dirichlet(substream(seed[0], seed[1], root), alpha, size, noise)
    return noise


def root_gumbel(seed, root, scale, size):
    """The same from the Gumbel distribution."""
    noise = [0.0] * size
    gumbel(substream(seed[0], seed[1], root), scale, size, noise)
    return noise
