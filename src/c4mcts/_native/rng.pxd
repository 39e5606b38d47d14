"""xoroshiro128++, the search's own generator.

Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021). The stream of a state is a promise: it is
the same on every platform, in both engines and in every release.
"""

from libc.stdint cimport uint64_t


cdef extern from "portable.h" nogil:
    uint64_t mulhi "c4_mulhi" (uint64_t a, uint64_t b)      # upper 64 bits of the 128-bit product


cdef struct Generator:
    # Two words of state, never both zero.
    uint64_t a
    uint64_t b


cdef inline uint64_t rotate_left(uint64_t word, int count) noexcept nogil:
    return word << count | word >> (64 - count)


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
    """A number in 0 .. n-1. One word for one choice; n below 2**32."""
    return (next64(generator) >> 32) * n >> 32
