"""Compressed static functions: the values of known keys, without the keys.

The value of a key is written in a prefix code, and each bit of its code word is the parity of some bits of a table:
those that 64 coefficients select in two windows of 32 bits. Places and coefficients are hashes of the key, and the
table was made so that all keys get their code words (`solver.static_function`). A key that was not among them gets any
of the values. The idea comes from Genuzio and Vigna, "Engineering compressed static functions" (DCC 2018), with windows
of random coefficients instead of single bits.

The table consists of shards, a small system of equations each. So the bits that decide a value lie within a few
hundred bytes.
"""

from .._layout import WINDOW, count_lengths, read_shards
from .numbers import GOLDEN, MASK64, mix


class StaticFunction:
    """A function from keys of at most 128 bits to small integers."""

    def __init__(self, words, shards, symbols, lengths):
        """Buffers, which are not copied; see solver.static_function.StaticArrays. ValueError if they are unfit."""
        self.words = memoryview(words).cast("B").cast("Q")
        self.symbols = memoryview(symbols).cast("B").cast("b")
        self.counts = count_lengths(memoryview(lengths).cast("B"), len(self.symbols))
        self.seeds, self.starts = read_shards(memoryview(shards).cast("B").cast("H"))
        if self.starts[len(self.seeds)] > 64 * len(self.words):
            raise ValueError(
                f"the shards have {self.starts[len(self.seeds)]} bits, the table has {64 * len(self.words)}"
            )

    def value(self, key):
        """The value of a key, if it is one of those that the function was made for; else any of the values."""
        return find_value(self, key & MASK64, key >> 64)


def window_at(words, place):
    """The 32 bits of a table from this one on."""
    offset = place & 63
    bits = words[place >> 6] >> offset
    if offset > 64 - WINDOW:
        bits |= words[(place >> 6) + 1] << (64 - offset)
    return bits & 0xFFFFFFFF


def find_value(function, low, high):
    """See StaticFunction.value. low, high: the key's lower 64 bits, and the others.

    Two keys with equal hashes `bits` differ in the others, and so in their coefficients.
    """
    bits = mix(low ^ mix(high))
    shard = (bits >> 32) * len(function.seeds) >> 32
    start = function.starts[shard]
    places = function.starts[shard + 1] - start - WINDOW + 1
    bits = mix(bits + function.seeds[shard] & MASK64)
    code = first = index = 0
    for count in function.counts:
        # `first` is the first code word of this length, and `index` its symbol
        if code - first < count:
            return function.symbols[index + code - first]
        index += count
        first = first + count << 1
        bits = bits + GOLDEN & MASK64
        place = mix(bits)
        chosen = mix(place ^ high)
        one = window_at(function.words, start + ((place & 0xFFFFFFFF) * places >> 32)) & chosen
        other = window_at(function.words, start + ((place >> 32) * places >> 32)) & chosen >> 32
        code = code << 1 | (one ^ other).bit_count() & 1
    return 0  # a complete code has ended before
