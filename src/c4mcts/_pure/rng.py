"""xoroshiro128++, the search's own generator.

Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021). The stream of a state is a promise: it is
the same on every platform, in both engines and in every release.
"""

MASK64 = (1 << 64) - 1


class Generator:
    """Two 64-bit words of state, never both zero."""

    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b


def rotate_left(word, count):
    return (word << count | word >> (64 - count)) & MASK64


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
    """A number in 0 .. n-1. One word for one choice; n below 2**32."""
    return (next64(generator) >> 32) * n >> 32


def stream(state, count):
    """The next `count` words from a state (a, b), and the state after them."""
    generator = Generator(*state)
    words = [next64(generator) for _ in range(count)]
    return words, (generator.a, generator.b)
