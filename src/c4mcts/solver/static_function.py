"""Makes compressed static functions: the values of known keys, without the keys. `_pure.static_function` reads them."""

import heapq
from collections import Counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .._backend import load
from .._layout import SEED_BITS, WINDOW
from .bitboards import Words

SHARD_ROWS = 1000  # equations of a shard, on average: the time for a shard grows faster than with their square
SPARE = 4  # more unknowns than equations: 6 % of all systems of equations then have no solution
GOLDEN, MASK32 = np.uint64(load("pure").numbers.GOLDEN), np.uint64(0xFFFFFFFF)


class StaticArrays(NamedTuple):
    """The parts of a static function.

    words: the table of bits, the lowest of each word first. shards: for each shard its bits << 4 | its seed; it begins
    where the one before it ends. symbols: the values, by their code words. lengths: of the code words, which are
    numbered in this order (a canonical prefix code).
    """

    words: Words
    shards: npt.NDArray[np.uint16]
    symbols: npt.NDArray[np.int8]
    lengths: npt.NDArray[np.uint8]


ARRAY_TYPES = {"words": np.uint64, "shards": np.uint16, "symbols": np.int8, "lengths": np.uint8}  # of StaticArrays


def static_arrays(keys: Words, values: npt.NDArray[np.int8]) -> StaticArrays:
    """A function that has these values for these keys, of which no two are equal: about 1 % above its entropy.

    keys: of one or two words. values: of shape (n,). The same arrays for the same keys and values, in any order.
    """
    symbols, lengths = _prefix_code(values)
    codes = np.zeros(256, np.uint64)
    length_of = np.zeros(256, np.intp)
    code = 0
    for i, (symbol, length) in enumerate(zip(symbols.tolist(), lengths.tolist(), strict=True)):
        code = code << length - lengths[i - 1].item() if i else 0
        codes[symbol], length_of[symbol] = code, length
        code += 1
    low, high = (keys, np.zeros_like(keys)) if keys.ndim == 1 else keys.T
    hashes, rows = mixed(low ^ mixed(high)), length_of[values]
    count = max(1, int(rows.sum()) // SHARD_ROWS)
    shard = (hashes >> np.uint64(32)) * np.uint64(count) >> np.uint64(32)
    order = np.lexsort((high, hashes, shard))
    hashes, high, rows, words = hashes[order], high[order], rows[order], codes[values][order]
    ends = np.searchsorted(shard[order], np.arange(count + 1, dtype=np.uint64))
    tables, shards = [], np.empty(count, np.uint16)
    for i in range(count):
        part = slice(ends[i], ends[i + 1])
        table, seed = _solved_shard(hashes[part], high[part], rows[part], words[part])
        tables.append(table)
        shards[i] = len(table) << SEED_BITS | seed
    bits = np.concatenate(tables)
    padded = np.concatenate([bits, np.zeros(-len(bits) % 64, bool)])
    return StaticArrays(np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64), shards, symbols, lengths)


def _prefix_code(values: npt.NDArray[np.int8]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.uint8]]:
    """The values by length of their code words in a Huffman code, and the lengths."""
    heap = [(count, value, (value,)) for value, count in sorted(Counter(values.tolist()).items())] or [(0, 0, (0,))]
    lengths = dict.fromkeys([value for _, value, _ in heap], 0)
    heapq.heapify(heap)
    while len(heap) > 1:
        one, other = heapq.heappop(heap), heapq.heappop(heap)
        for value in one[2] + other[2]:
            lengths[value] += 1
        heapq.heappush(heap, (one[0] + other[0], min(one[1], other[1]), one[2] + other[2]))
    symbols = sorted(lengths, key=lambda value: (lengths[value], value))
    return np.array(symbols, np.int8), np.array([lengths[value] for value in symbols], np.uint8)


def mixed(bits: Words) -> Words:
    """`numbers.mix` of each number."""
    bits = (bits ^ bits >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ bits >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return bits ^ bits >> np.uint64(31)


def _solved_shard(
    hashes: Words, high: Words, lengths: npt.NDArray[np.int64], codes: Words
) -> tuple[npt.NDArray[np.bool_], int]:
    """The bits of a shard, and its seed: the first one whose equations have a solution.

    hashes, high, lengths, codes: of the keys of the shard; their second words, the code words and the lengths of those.
    """
    bits = max(int(lengths.sum()) + SPARE, WINDOW)
    key = np.repeat(np.arange(len(hashes)), lengths)
    number = np.arange(len(key)) - np.repeat(np.cumsum(lengths) - lengths, lengths)  # of the bit in its code word
    right = (codes[key] >> (lengths[key] - 1 - number).astype(np.uint64) & np.uint64(1)).astype(bool)
    while True:
        for seed in range(1 << SEED_BITS):
            steps = GOLDEN * (number + 1).astype(np.uint64)
            rows = equations(mixed(mixed(hashes + np.uint64(seed))[key] + steps), high[key], bits)
            table = solution(rows, right.copy(), bits)
            if table is not None:
                return table, seed
        bits += SPARE


def equations(places: Words, high: Words, bits: int) -> Words:
    """The coefficients of the equations of a shard, a row of words each. high: the second words of their keys."""
    rows = np.zeros((len(places), -(-bits // 64)), np.uint64)
    chosen = mixed(places ^ high)
    every = np.arange(len(places))
    for half in (np.uint64(0), np.uint64(32)):
        place = ((places >> half & MASK32) * np.uint64(bits - WINDOW + 1) >> np.uint64(32)).astype(np.int64)
        window, offset = chosen >> half & MASK32, (place & 63).astype(np.uint64)
        rows[every, place >> 6] ^= window << offset
        beyond = np.flatnonzero(offset > 64 - WINDOW)
        rows[beyond, (place[beyond] >> 6) + 1] ^= window[beyond] >> (np.uint64(64) - offset[beyond])
    return rows


def solution(rows: Words, right: npt.NDArray[np.bool_], bits: int) -> npt.NDArray[np.bool_] | None:
    """A solution of a system of linear equations over GF(2), by elimination; None if its rows are not independent.

    rows, right: the coefficients and the right-hand sides; both are changed.
    """
    pivots = []
    for i, row in enumerate(rows):
        words = np.flatnonzero(row)
        if not len(words):
            return None
        word = words[0]
        bit = row[word] & (~row[word] + np.uint64(1))
        pivots.append((word, bit))
        below = i + 1 + np.flatnonzero(rows[i + 1 :, word] & bit)
        rows[below] ^= row
        right[below] ^= right[i]
    table = np.zeros(rows.shape[1], np.uint64)
    for i in range(len(rows) - 1, -1, -1):
        if bool(np.bitwise_count(rows[i] & table).sum() & 1) != right[i]:
            word, bit = pivots[i]
            table[word] |= bit
    return np.unpackbits(table.astype("<u8").view(np.uint8), bitorder="little")[:bits].astype(bool)
