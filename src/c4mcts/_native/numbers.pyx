"""Noise, and the generator for Python code; numbers.pxd describes them."""

from c4mcts import _layout
from c4mcts._validation import between

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport uint64_t

from .bitboard cimport MAX_SIDE

cdef double LEAST_ALPHA = 1e-300    # so that all logarithms are finite

LN2 = _layout.LN2


def stream(state, Py_ssize_t count):
    """The next `count` 64-bit random numbers from a state (a, b), and the state after them."""
    cdef Generator generator
    generator.a, generator.b = state
    numbers = [next64(&generator) for _ in range(count)]
    return numbers, (generator.a, generator.b)


cdef inline double uniform(Generator* generator) noexcept nogil:
    """A random number above 0 and below 1."""
    return (<double>(next64(generator) >> 12) + 0.5) * 2.220446049250313e-16    # 2 ** -52


cdef inline double normal(Generator* generator) noexcept nogil:
    """A sample of the standard normal distribution, by the polar method of Marsaglia and Bray (1964)."""
    cdef double x, y, square
    while True:
        x = 2.0 * uniform(generator) - 1.0
        y = 2.0 * uniform(generator) - 1.0
        square = x * x + y * y
        if square < 1.0:
            return x * sqrt(-2.0 * ln(square) / square)


cdef inline double log_gamma(Generator* generator, double alpha) noexcept nogil:
    """Logarithm of a gamma variate of shape alpha and scale 1.

    Marsaglia and Tsang, "A simple method for generating gamma variables" (2000), sections 2 and 6.
    """
    cdef double boost = 0.0
    cdef double d, c, x, root, v, u, square
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


cdef void dirichlet(Generator* generator, double alpha, int size, double* noise) noexcept nogil:
    """Write a sample of `size` shares with the concentration alpha, which sum up to 1."""
    cdef double most = -INFINITY
    cdef double total = 0.0
    cdef int i
    alpha = max(alpha, LEAST_ALPHA)
    for i in range(size):
        noise[i] = log_gamma(generator, alpha)
        most = max(most, noise[i])
    for i in range(size):
        noise[i] = exp(noise[i] - most)
        total += noise[i]
    for i in range(size):
        noise[i] /= total


cdef void gumbel(Generator* generator, double scale, int size, double* noise) noexcept nogil:
    """Write `size` independent samples of the standard Gumbel distribution, times the scale."""
    cdef int i
    for i in range(size):
        noise[i] = -scale * ln(-ln(uniform(generator)))


def root_salt(seed, uint64_t root):
    """A random number of 63 bits for the root number `root` of the tree that starts from the state `seed`."""
    cdef Generator generator = substream(seed[0], seed[1], root)
    return next64(&generator) >> 1


def root_noise(seed, uint64_t root, double alpha, int size):
    """The noise of the root number `root` of the tree that starts from the state `seed`, for `size` children."""
    cdef double noise[MAX_SIDE]
    cdef Generator generator = substream(seed[0], seed[1], root)
    between("size", size, 0, MAX_SIDE)
    dirichlet(&generator, alpha, size, noise)
    return [noise[i] for i in range(size)]


def root_gumbel(seed, uint64_t root, double scale, int size):
    """A number from the Gumbel distribution."""
    cdef double noise[MAX_SIDE]
    cdef Generator generator = substream(seed[0], seed[1], root)
    between("size", size, 0, MAX_SIDE)
    gumbel(&generator, scale, size, noise)
    return [noise[i] for i in range(size)]
