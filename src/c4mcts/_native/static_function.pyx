"""Compressed static functions: the values of known keys, without the keys; _pure.static_function explains them."""

import numpy as np

from c4mcts._layout import count_lengths, read_shards

from .cells cimport count_cells
from .numbers cimport GOLDEN, mix


cdef class StaticFunction:

    def __cinit__(self, words, shards, symbols, lengths):
        """Buffers, which are not copied; see solver.static_function.StaticArrays. ValueError if they are unfit."""
        self.words = memoryview(words).cast("B").cast("Q")
        self.symbols = memoryview(symbols).cast("B").cast("b")
        self.counts = np.array(count_lengths(memoryview(lengths).cast("B"), self.symbols.shape[0]), np.uint64)
        seeds, starts = read_shards(memoryview(shards).cast("B").cast("H"))
        bits = starts[len(seeds)]
        if bits > 64 * self.words.shape[0]:
            raise ValueError(f"the shards have {bits} bits, the table has {64 * self.words.shape[0]}")
        self.seeds, self.starts = np.array(seeds, np.uint8), np.array(starts, np.uint32)

    def value(self, key):
        """The value of a key, if it is one of those that the function was made for; else any of the values."""
        return find_value(self, key & 0xFFFFFFFFFFFFFFFF, key >> 64)


cdef inline uint64_t window_at(const uint64_t* words, uint64_t place) noexcept nogil:
    """The 32 bits of a table from this one on."""
    cdef uint64_t offset = place & 63
    cdef uint64_t bits = words[place >> 6] >> offset
    if offset > 64 - WINDOW:
        bits |= words[(place >> 6) + 1] << (64 - offset)
    return <uint32_t>bits


cdef int find_value(StaticFunction function, uint64_t low, uint64_t high) noexcept nogil:
    """See StaticFunction.value. low, high: the key's lower 64 bits, and the others.

    Two keys with equal hashes `bits` differ in the others, and so in their coefficients.
    """
    cdef uint64_t bits = mix(low ^ mix(high))
    cdef uint64_t shard = (bits >> 32) * <uint64_t>function.seeds.shape[0] >> 32
    cdef uint64_t start = function.starts[shard]
    cdef uint64_t places = function.starts[shard + 1] - start - WINDOW + 1
    cdef uint64_t code = 0
    cdef uint64_t first = 0
    cdef uint64_t index = 0
    cdef uint64_t count, place, chosen, one, other
    cdef Py_ssize_t length
    bits = mix(bits + function.seeds[shard])
    for length in range(function.counts.shape[0]):
        # `first` is the first code word of this length, and `index` its symbol
        count = function.counts[length]
        if code - first < count:
            return function.symbols[index + code - first]
        index += count
        first = first + count << 1
        bits += GOLDEN
        place = mix(bits)
        chosen = mix(place ^ high)
        one = window_at(&function.words[0], start + (<uint64_t><uint32_t>place * places >> 32)) & chosen
        other = window_at(&function.words[0], start + ((place >> 32) * places >> 32)) & chosen >> 32
        code = code << 1 | count_cells(one ^ other) & 1
    return 0  # a complete code has ended before
