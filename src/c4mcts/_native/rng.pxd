"""xoroshiro128++, the random number generator of the search.

Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021). The numbers from a given state are
the same on every platform, in both backends and in every release.
"""

from libc.stdint cimport uint64_t


cdef extern from "portable.h" nogil:
    uint64_t mulhi "c4_mulhi" (uint64_t a, uint64_t b)      # upper 64 bits of the 128-bit product


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
    cdef uint64_t step = 0x9E3779B97F4A7C15ULL * (number + 1)     # 2**64 divided by the golden ratio, as in splitmix64
    return Generator(a=mix(a + step), b=mix(b + step) | 1)
