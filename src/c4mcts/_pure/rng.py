"""xoroshiro128++, the random number generator of the search.

Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021). The numbers from a given state are
the same on every platform, in both backends and in every release.
"""

MASK64 = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio, the step of splitmix64


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
    """The next 64 random bits."""
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
