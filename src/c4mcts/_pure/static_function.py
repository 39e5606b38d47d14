"""Compressed static functions: the values of known keys, without the keys.

The value of a key is written in a prefix code, and each bit of its code word is the parity of some bits of a table:
those that 64 coefficients select in two windows of 32 bits. Places and coefficients are hashes of the key, and the
table was made so that all keys get their code words (`solver.static_function`). A key that was not among them gets any
of the values. The idea is that of Genuzio and Vigna, "Engineering compressed static functions" (DCC 2018), with windows
of random coefficients in place of single bits.

The table consists of shards, a small system of equations each. So the bits that decide a value lie within some hundred
bytes.
"""

from .rng import GOLDEN, MASK64, mix

WINDOW = 32  # bits
SEED_BITS = 4  # of the number that describes a shard; the others are its size in bits
MAX_LENGTH = 30  # bits of a code word


class StaticFunction:
    """A function from 64-bit keys to small integers."""

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
        return find_value(self, key)


def count_lengths(lengths, size):
    """By length: how many code words have it. ValueError if the lengths are not those of a sorted, complete code."""
    counts = [0] * (max(lengths, default=0) + 1)
    for length in lengths:
        counts[length] += 1
    room = sum(count << MAX_LENGTH - length for length, count in enumerate(counts) if length <= MAX_LENGTH)
    is_complete = len(counts) <= MAX_LENGTH + 1 and room == 1 << MAX_LENGTH
    if len(lengths) != size or not is_complete or list(lengths) != sorted(lengths):
        raise ValueError(f"the lengths must be those of {size} code words of a complete prefix code, sorted")
    return counts


def read_shards(shards):
    """The seed of each shard, and where it starts in the table; at the end the number of bits of all. ValueError."""
    seeds, starts = [], [0]
    end = 0
    for shard in shards:
        if shard >> SEED_BITS < WINDOW:
            raise ValueError(f"a shard must have at least {WINDOW} bits, not {shard >> SEED_BITS}")
        end += shard >> SEED_BITS
        seeds.append(shard & (1 << SEED_BITS) - 1)
        starts.append(end)
    if not seeds:
        raise ValueError("there must be at least one shard")
    return seeds, starts


def window_at(words, place):
    """The 32 bits of a table from this one on."""
    offset = place & 63
    bits = words[place >> 6] >> offset
    if offset > 64 - WINDOW:
        bits |= words[(place >> 6) + 1] << (64 - offset)
    return bits & 0xFFFFFFFF


def find_value(function, key):
    """See StaticFunction.value."""
    bits = mix(key)
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
        chosen = mix(place)
        one = window_at(function.words, start + ((place & 0xFFFFFFFF) * places >> 32)) & chosen
        other = window_at(function.words, start + ((place >> 32) * places >> 32)) & chosen >> 32
        code = code << 1 | (one ^ other).bit_count() & 1
    return 0  # a complete code has ended before
