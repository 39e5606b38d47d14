"""Numbers that are the same on every platform, in both backends and in every release: random bits, logarithm and
exponential, and the noise of the root's children.

The generator is xoroshiro128++: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021). Logarithm
and exponential are computed with the four basic operations, since C libraries differ in the last bit.

Noise is a sample from a symmetric Dirichlet distribution (Silver et al., "Mastering the game of Go without human
knowledge", 2017, methods) or from the Gumbel distribution (see gumbel). A Dirichlet sample is a set of gamma variates
divided by their sum; they are kept as logarithms, so that a small concentration does not make all of them 0.
"""

from libc.math cimport frexp, ldexp
from libc.stdint cimport uint64_t

cdef double LN2             # ln 2

cdef enum:
    LAST_TERM = 23      # of the series of ln: the next one is below 2e-19
    TERMS = 15          # of the series of exp: the next one is below 1e-18

cdef extern from "portable.h" nogil:
    uint64_t mulhi "c4_mulhi" (uint64_t a, uint64_t b)      # upper 64 bits of the 128-bit product

cdef extern from *:
    """#define C4_GOLDEN 0x9E3779B97F4A7C15ULL"""
    const uint64_t GOLDEN "C4_GOLDEN"       # 2**64 divided by the golden ratio, the step of splitmix64


cdef struct Generator:
    # A state of two 64-bit integers, never both zero.
    uint64_t a
    uint64_t b


cdef inline uint64_t rotate_left(uint64_t bits, int count) noexcept nogil:
    """The 64-bit integer rotated left by `count` bits."""
    return bits << count | bits >> (64 - count)


cdef inline uint64_t next64(Generator* generator) noexcept nogil:
    """The next 64 random bits."""
    cdef uint64_t a = generator.a
    cdef uint64_t b = generator.b
    cdef uint64_t result = rotate_left(a + b, 17) + a
    b ^= a
    generator.a = rotate_left(a, 49) ^ b ^ (b << 21)
    generator.b = rotate_left(b, 28)
    return result


cdef inline uint64_t choice(Generator* generator, uint64_t n) noexcept nogil:
    """A random number in 0 .. n-1, n below 2**32; each call uses 64 random bits."""
    return (next64(generator) >> 32) * n >> 32


cdef inline bint chance(Generator* generator, double probability) noexcept nogil:
    """Whether an event of this probability happens: always with 1, never with 0."""
    return <double>(next64(generator) >> 11) * 1.1102230246251565e-16 < probability      # 2 ** -53


cdef inline uint64_t mix(uint64_t bits) noexcept nogil:
    """A bijection that lets every bit depend on all: Stafford's "Mix13" (2011), the finalizer of splitmix64."""
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9ULL
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBULL
    return bits ^ bits >> 31


cdef inline Generator substream(uint64_t a, uint64_t b, uint64_t number) noexcept nogil:
    """A separate generator for a numbered part of the work that starts from the state (a, b)."""
    cdef uint64_t step = GOLDEN * (number + 1)
    return Generator(a=mix(a + step), b=mix(b + step) | 1)


cdef inline double ln(double x) noexcept nogil:
    """Natural logarithm of a positive finite number: x = m 2^e, ln m = 2 artanh((m - 1) / (m + 1))."""
    cdef int exponent = 0
    cdef double mantissa = frexp(x, &exponent)
    cdef double z, square
    cdef double series = 0.0
    cdef int k = LAST_TERM
    if mantissa < 0.7071067811865476:
        mantissa *= 2.0
        exponent -= 1
    z = (mantissa - 1.0) / (mantissa + 1.0)
    square = z * z
    while k > 0:
        series = series * square + 1.0 / k
        k -= 2
    return 2.0 * z * series + exponent * LN2


cdef inline double exp(double x) noexcept nogil:
    """e to the power of x, for x <= 0: x = r + k ln 2, and the series of exp r."""
    cdef int exponent
    cdef double rest
    cdef double series = 1.0
    cdef int k = TERMS
    if x < -745.0:      # exp of less is 0 in double precision
        return 0.0
    exponent = <int>(x / LN2 - 0.5)
    rest = x - exponent * LN2
    while k > 0:
        series = 1.0 + series * rest / k
        k -= 1
    return ldexp(series, exponent)


cdef inline double power(double base, double temperature) noexcept nogil:
    """base ** (1 / temperature) for a base in (0, 1]; at temperature 0 it is 0 unless the base is 1."""
    if temperature == 1.0 or base == 1.0:
        return base
    return exp(ln(base) / temperature) if temperature > 0.0 else 0.0


cdef void dirichlet(Generator* generator, double alpha, int size, double* noise) noexcept nogil
cdef void gumbel(Generator* generator, double scale, int size, double* noise) noexcept nogil
