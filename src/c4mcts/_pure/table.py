"""The solver's transposition table: bounds of the scores of positions, found by their keys.

A bucket has two entries. The first holds the result that took the most work, the second the latest other one. Keys are
scrambled by a bijection; the index of the bucket and the remainder in the entry together are the whole key, so an entry
is never taken for another position's.
"""

from .._layout import bucket_bits
from .poll import ask

GROWTH = 2  # logarithm of the factor by which a table grows
ASK_EVERY = 1 << 12  # buckets that are moved between two calls of the poll
WORD_BITS, WORD_BYTES = 64, 8
GOLDEN = 0x9E3779B97F4A7C15
ONES = (1 << 64) - 1
BEYOND = 63  # above every score on boards of 128 bits: stored as "not known"


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
    bits = next_bits(table)
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


def next_bits(table):
    """`bits` of the table to which this one grows.

    One more where that makes rests unnecessary, so that no two tables on the way have the same size.
    """
    bits = table.bits + GROWTH
    bits += table.key_bits - bits == remainder_bits(table) + 1
    return min(bits, table.max_bits)


def words_per_entry(table):
    """Words of 64 bits in an entry of the native backend."""
    return 1 if table.key_bits <= WORD_BITS else 2


def remainder_bits(table):
    """Bits of the remainder of a key in an entry of the native backend; the others hold the result."""
    return 40 if words_per_entry(table) == 1 else 103


def has_rests(table):
    """Whether an entry of the native backend needs one more word for the rest of the key."""
    return table.key_bits - table.bits > remainder_bits(table)


def size_of(table):
    """Bytes of the table of the native backend."""
    return 2 * WORD_BYTES * (words_per_entry(table) + has_rests(table)) << table.bits


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
    return entry[1]


def column_of(entry):
    """The best move, or the last to be refuted."""
    return entry[2]


def hashed(bits, first):
    """A further word of an entry of the native backend, with some bits of the key. first: the first word.

    Its hash keeps threads from taking words of two entries for one.
    """
    return bits + first * GOLDEN & ONES


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
    """All entries in the format of the native backend, little-endian; for keys of at most 128 bits.

    A word of 64 bits each, or two for keys of more than 64 bits; then one more each, if the remainders are longer than
    remainder_bits.
    """
    size = WORD_BYTES * words_per_entry(table)
    bits = remainder_bits(table)
    shift = 8 * size - bits
    data = bytearray(size_of(table))
    rests = 2 * size << table.bits  # where they begin
    for place, bucket in table.buckets.items():
        for i, entry in enumerate(bucket):
            if entry:
                lower, upper, column, work, remainder = entry
                lower, upper = max(lower, -BEYOND), min(upper, BEYOND)
                number = (remainder & (1 << bits) - 1) << shift | work << shift - 5 | column << 14
                number |= upper + 64 << 7 | lower + 64
                first, at = number & ONES, 2 * place + i
                write_word(data, at * size, first)
                if size > WORD_BYTES:
                    write_word(data, at * size + WORD_BYTES, hashed(number >> WORD_BITS, first))
                if has_rests(table):
                    write_word(data, rests + at * WORD_BYTES, hashed(remainder >> bits, first))
    return bytes(data)


def write_word(data, start, word):
    data[start : start + WORD_BYTES] = word.to_bytes(WORD_BYTES, "little")


def read_word(data, start):
    return int.from_bytes(data[start : start + WORD_BYTES], "little")


def set_words(table, data):
    """Set all entries from bytes as `words` gives them; False, and nothing is changed, if size or scores are wrong.

    The table may have grown: then this one gets its size.
    """
    filled = Table(table.key_bits, 1, 1)
    filled.bits, filled.max_bits = table.bits, table.max_bits
    while size_of(filled) != len(data):
        if filled.bits >= table.max_bits:
            return False
        filled.bits = next_bits(filled)
    size = WORD_BYTES * words_per_entry(table)
    bits = remainder_bits(table)
    shift = 8 * size - bits
    rests = 2 * size << filled.bits  # where they begin
    buckets = {}
    for i in range(2 << filled.bits):
        number = first = read_word(data, size * i)
        if first:
            if size > WORD_BYTES:
                number |= (read_word(data, size * i + WORD_BYTES) - hashed(0, first) & ONES) << WORD_BITS
            remainder = number >> shift
            if has_rests(filled):
                remainder |= (read_word(data, rests + WORD_BYTES * i) - hashed(0, first) & ONES) << bits
            column = number >> 14 & (1 << shift - 19) - 1
            entry = ((number & 127) - 64, (number >> 7 & 127) - 64, column, number >> shift - 5 & 31, remainder)
            if not (-BEYOND <= lower_of(entry) < BEYOND and -BEYOND < upper_of(entry) <= BEYOND):
                return False
            buckets.setdefault(i // 2, [None, None])[i % 2] = entry
    table.bits = filled.bits
    table.buckets = buckets
    return True
