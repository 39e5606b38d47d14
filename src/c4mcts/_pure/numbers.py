"""Numbers that are the same on every platform, in both backends and in every release: random bits, logarithm and
exponential, and the noise of the root's children.

The generator is xoroshiro128++: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021). Logarithm
and exponential are computed with the four basic operations, since C libraries differ in the last bit.

Noise is a sample from a symmetric Dirichlet distribution (Silver et al., "Mastering the game of Go without human
knowledge", 2017, methods) or from the Gumbel distribution (see gumbel). A Dirichlet sample is a set of gamma variates
divided by their sum; they are kept as logarithms, so that a small concentration does not make all of them 0.
"""

from math import frexp, inf, ldexp, sqrt

from .._layout import LN2

MASK64 = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio, the step of splitmix64
SQRT_HALF = 0.7071067811865476
LAST_TERM = 23  # of the series of ln: the next one is below 2e-19
TERMS = 15  # of the series of exp: the next one is below 1e-18
LOWEST = -745.0  # exp of less is 0 in double precision
LEAST_ALPHA = 1e-300  # so that all logarithms are finite


class Generator:
    """A state of two 64-bit integers, never both zero."""

    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b


def rotate_left(bits, count):
    """The 64-bit integer rotated left by `count` bits."""
    return (bits << count | bits >> (64 - count)) & MASK64


def next64(generator):
    a = generator.a
    b = generator.b
    result = (rotate_left((a + b) & MASK64, 17) + a) & MASK64
    b ^= a
    generator.a = rotate_left(a, 49) ^ b ^ (b << 21) & MASK64
    generator.b = rotate_left(b, 28)
    return result


def choice(generator, n):
    """A random number in 0 .. n-1, n below 2**32; each call uses 64 random bits."""
    return (next64(generator) >> 32) * n >> 32


def chance(generator, probability):
    """Whether an event of this probability happens: always with 1, never with 0."""
    return (next64(generator) >> 11) * 2.0**-53 < probability


def mix(bits):
    """A bijection that lets every bit depend on all: Stafford's "Mix13" (2011), the finalizer of splitmix64."""
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & MASK64
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & MASK64
    return bits ^ bits >> 31


def substream(a, b, number):
    """A separate generator for a numbered part of the work that starts from the state (a, b)."""
    step = GOLDEN * (number + 1)
    return Generator(mix((a + step) & MASK64), mix((b + step) & MASK64) | 1)


def stream(state, count):
    """The next `count` 64-bit random numbers from a state (a, b), and the state after them."""
    generator = Generator(*state)
    numbers = [next64(generator) for _ in range(count)]
    return numbers, (generator.a, generator.b)


def ln(x):
    """Natural logarithm of a positive finite number: x = m 2^e, ln m = 2 artanh((m - 1) / (m + 1))."""
    mantissa, exponent = frexp(x)
    if mantissa < SQRT_HALF:
        mantissa *= 2.0
        exponent -= 1
    z = (mantissa - 1.0) / (mantissa + 1.0)
    square = z * z
    series = 0.0
    k = LAST_TERM
    while k > 0:
        series = series * square + 1.0 / k
        k -= 2
    return 2.0 * z * series + exponent * LN2


def exp(x):
    """e to the power of x, for x <= 0: x = r + k ln 2, and the series of exp r."""
    if x < LOWEST:
        return 0.0
    exponent = int(x / LN2 - 0.5)
    rest = x - exponent * LN2
    series = 1.0
    k = TERMS
    while k > 0:
        series = 1.0 + series * rest / k
        k -= 1
    return ldexp(series, exponent)


def power(base, temperature):
    """base ** (1 / temperature) for a base in (0, 1]; at temperature 0 it is 0 unless the base is 1."""
    if temperature == 1.0 or base == 1.0:
        return base
    return exp(ln(base) / temperature) if temperature > 0.0 else 0.0


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


def root_salt(seed, root):
    """A random number of 63 bits for the root number `root` of the tree that starts from the state `seed`."""
    return next64(substream(seed[0], seed[1], root)) >> 1


def root_noise(seed, root, alpha, size):
    """The noise of the root number `root` of the tree that starts from the state `seed`, for `size` children."""
    noise = [0.0] * size
    dirichlet(substream(seed[0], seed[1], root), alpha, size, noise)
    return noise


def root_gumbel(seed, root, scale, size):
    """A number from the Gumbel distribution."""
    noise = [0.0] * size
    gumbel(substream(seed[0], seed[1], root), scale, size, noise)
    return noise
