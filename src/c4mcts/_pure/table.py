"""The solver's transposition table: bounds of the scores of positions, found by their keys.

A bucket has two entries. The first holds the result that took the most work, the second the latest other one. Keys are
scrambled by a bijection; the index of the bucket and the remainder in the entry together are the whole key, so an entry
is never taken for that of another position.
"""

from struct import Struct

from .._layout import bucket_bits
from .poll import ask

GROWTH = 2  # logarithm of the factor by which a table grows
ASK_EVERY = 1 << 12  # buckets that are moved between two calls of the poll
WORD = Struct("<Q")
REST = Struct("<H")
REMAINDER_BITS = 40  # of a key, in an entry of the native backend
ONES = (1 << REMAINDER_BITS) - 1
BEYOND = 63  # above every score on boards of 64 bits: stored as "not known"


class Table:
    """2**bits buckets for keys of key_bits bits."""

    __slots__ = ("bits", "buckets", "key_bits", "max_bits")

    def __init__(self, key_bits, size_bits, max_size_bits):
        """size_bits: the table of the native backend takes about 2**size_bits bytes, and grows to 2**max_size_bits."""
        self.key_bits = key_bits
        self.bits = bucket_bits(key_bits, size_bits)
        self.max_bits = bucket_bits(key_bits, max_size_bits)
        self.buckets = {}


def grow(table, poll):
    """Move the entries to a larger table; once the poll is halted, nothing is changed."""
    bits = min(table.bits + GROWTH, table.max_bits)
    buckets = {}
    for i, place in enumerate(table.buckets):
        if i % ASK_EVERY == 0:
            ask(poll)
            if poll.halted:
                return
        for entry in table.buckets[place]:
            if entry:
                code = entry[4] << table.bits | place
                bucket = buckets.setdefault(code & (1 << bits) - 1, [None, None])
                bucket[1 if bucket[0] else 0] = (*entry[:4], code >> bits)
    table.bits = bits
    table.buckets = buckets


def has_rests(table):
    """Whether an entry of the native backend needs two more bytes for the rest of the key."""
    return table.key_bits - table.bits > REMAINDER_BITS


def size_of(table):
    """Bytes of the table of the native backend."""
    return (20 if has_rests(table) else 16) << table.bits


def scramble(table, key):
    """A bijection of the keys that lets every bit depend on all, with shifts and odd multipliers."""
    half = (table.key_bits + 1) // 2
    ones = (1 << table.key_bits) - 1
    key ^= key >> half
    key = key * 0x9E3779B97F4A7C15 & ones
    key ^= key >> half
    key = key * 0xD6E8FEB86659FD93 & ones
    key ^= key >> half
    return key


def lower_of(entry):
    """Lower bound of the score, for the player to move."""
    return entry[0]


def upper_of(entry):
    """Upper bound of the score."""
    return entry[1]


def column_of(entry):
    """The best move, or the last to be refuted."""
    return entry[2]


def probe(table, code):
    """The entry of a scrambled key, if there is one."""
    bucket = table.buckets.get(code & (1 << table.bits) - 1, (None, None))
    for entry in bucket:
        if entry and entry[4] == code >> table.bits:
            return entry
    return None


def store(table, code, lower, upper, column, work):
    """Store a result. It replaces an entry of the same position, or else one of less work, or else the second of the
    bucket.

    work: logarithm of the nodes it took, 0 to 31.
    """
    bucket = table.buckets.setdefault(code & (1 << table.bits) - 1, [None, None])
    entry = (lower, upper, column, work, code >> table.bits)
    if bucket[0] and bucket[0][4] != entry[4]:
        if bucket[0][3] > work:
            bucket[1] = entry
            return
        bucket[1] = bucket[0]
    bucket[0] = entry


def words(table):
    """All entries in the format of the native backend, little-endian; for keys of at most 64 bits.

    8 bytes each, then 2 bytes each for the rest of the remainders that are longer than REMAINDER_BITS.
    """
    data = bytearray(size_of(table))
    for place, bucket in table.buckets.items():
        for i, entry in enumerate(bucket):
            if entry:
                lower, upper, column, work, remainder = entry
                lower, upper = max(lower, -BEYOND), min(upper, BEYOND)
                word = (remainder & ONES) << 24 | work << 19 | column << 14 | upper + 64 << 7 | lower + 64
                WORD.pack_into(data, 16 * place + 8 * i, word)
                if has_rests(table):
                    REST.pack_into(data, (16 << table.bits) + 4 * place + 2 * i, remainder >> REMAINDER_BITS)
    return bytes(data)


def set_words(table, data):
    """Set all entries from bytes as `words` gives them; False, and nothing is changed, if size or scores are wrong."""
    if len(data) != size_of(table):
        return False
    buckets = {}
    entries, rests = data[: 16 << table.bits], data[16 << table.bits :]
    for i, (word,) in enumerate(WORD.iter_unpack(entries)):
        if word:
            rest = REST.unpack_from(rests, 2 * i)[0] if has_rests(table) else 0
            remainder = rest << REMAINDER_BITS | word >> 24
            entry = ((word & 127) - 64, (word >> 7 & 127) - 64, word >> 14 & 31, word >> 19 & 31, remainder)
            if not (-BEYOND <= lower_of(entry) < BEYOND and -BEYOND < upper_of(entry) <= BEYOND):
                return False
            buckets.setdefault(i // 2, [None, None])[i % 2] = entry
    table.buckets = buckets
    return True
