"""Noise for the priors of the root's children: samples from a symmetric Dirichlet distribution.

Silver et al., "Mastering the game of Go without human knowledge" (2017), methods. A sample is a set of gamma variates
divided by their sum. They are kept as logarithms, so that a small concentration does not make all of them 0.
"""

from .rng cimport Generator

cdef void dirichlet(Generator* generator, double alpha, int size, double* noise) noexcept nogil
