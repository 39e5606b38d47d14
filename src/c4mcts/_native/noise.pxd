"""Noise for the children of the root: samples from a symmetric Dirichlet distribution, or from the Gumbel distribution.

Dirichlet: Silver et al., "Mastering the game of Go without human knowledge" (2017), methods. A sample is a set of gamma
variates divided by their sum. They are kept as logarithms, so that a small concentration does not make all of them 0.
Gumbel: see gumbel.
"""

from .rng cimport Generator

cdef void dirichlet(Generator* generator, double alpha, int size, double* noise) noexcept nogil
cdef void gumbel(Generator* generator, double scale, int size, double* noise) noexcept nogil
