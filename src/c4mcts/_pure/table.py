"""The solver's transposition table: bounds of the scores of positions, found by their keys.

A bucket has two entries. The first holds the result that took the most work, the second the latest other one. Keys are
scrambled by a bijection; the index of the bucket and the remainder in the entry together are the whole key, so an entry
is never taken for that of another position.
"""

from struct import Struct

WORD = Struct("<Q")
BEYOND = 63  # above every score on boards of 64 bits: stored as "not known"


class Table:
    """2**bits buckets for keys of key_bits bits."""

    __slots__ = ("bits", "buckets", "key_bits")

    def __init__(self, key_bits, size_bits):
        """size_bits: the table of the native backend takes about 2**size_bits bytes, 16 per bucket."""
        self.key_bits = key_bits
        # no more buckets than keys; a native entry holds a remainder of at most 40 bits
        self.bits = max(1, min(size_bits - 4, key_bits - 1))
        if key_bits <= 64:
            self.bits = max(self.bits, key_bits - 40)
        self.buckets = {}


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
    """All entries in the format of the native backend, 8 bytes each, little-endian; for keys of at most 64 bits."""
    data = bytearray(16 << table.bits)
    for place, bucket in table.buckets.items():
        for i, entry in enumerate(bucket):
            if entry:
                lower, upper, column, work, remainder = entry
                lower, upper = max(lower, -BEYOND), min(upper, BEYOND)
                word = remainder << 24 | work << 19 | column << 14 | upper + 64 << 7 | lower + 64
                WORD.pack_into(data, 16 * place + 8 * i, word)
    return bytes(data)


def set_words(table, data):
    """Set all entries from bytes as `words` gives them; False, and nothing is changed, if size or scores are wrong."""
    if len(data) != 16 << table.bits:
        return False
    buckets = {}
    for i, (word,) in enumerate(WORD.iter_unpack(data)):
        if word:
            entry = ((word & 127) - 64, (word >> 7 & 127) - 64, word >> 14 & 31, word >> 19 & 31, word >> 24)
            if not (-BEYOND <= lower_of(entry) < BEYOND and -BEYOND < upper_of(entry) <= BEYOND):
                return False
            buckets.setdefault(i // 2, [None, None])[i % 2] = entry
    table.buckets = buckets
    return True
