"""The solver's transposition table: what is known of a position, found by its key.

Buckets of two entries. The first keeps the result that took more work, the second the latest of the others. Keys are
scrambled one to one; the number of the bucket and the remainder in the entry are together the whole key, so that a hit
is never a mistake.
"""

from struct import Struct

WORD = Struct("<Q")
BEYOND = 63  # no score of a board of 64 bits is as high; what "unknown" is stored as


class Table:
    """2**bits buckets for keys of key_bits bits."""

    __slots__ = ("bits", "buckets", "key_bits")

    def __init__(self, key_bits, size_bits):
        """size_bits: the native engine's table takes about 2**size_bits bytes, 16 a bucket."""
        self.key_bits = key_bits
        # no more buckets than keys; and a remainder of 40 bits at most, which is what a native entry has room for
        self.bits = max(1, min(size_bits - 4, key_bits - 1))
        if key_bits <= 64:
            self.bits = max(self.bits, key_bits - 40)
        self.buckets = {}


def scramble(table, key):
    """The key with its bits spread: shifts and odd multipliers, a bijection."""
    half = (table.key_bits + 1) // 2
    words = (1 << table.key_bits) - 1
    key ^= key >> half
    key = key * 0x9E3779B97F4A7C15 & words
    key ^= key >> half
    key = key * 0xD6E8FEB86659FD93 & words
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
    """Keep a result; it takes the place of what is known of the position, of less work, or of the latest.

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
    """All entries as the native engine has them, 8 bytes each, little-endian; for keys of at most 64 bits."""
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
    """Take over what `words` gave; False, and nothing is changed, if it is of another size or has impossible scores."""
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
