"""The solver: its scores, the size of its table, and the weights that order moves; see _pure/ordering.py."""

MAX_TABLE_BITS = 40  # logarithm of the bytes of a solver's table
PROBE_TABLE_BITS = 22  # 4 MB: measured best, larger tables lose more to cache misses
ORDER_SHAPE = 8, 31 + 24  # groups of moves; features of a move, and cells that it may go into, mirrored


def win_score(cells: int, end: int) -> int:
    """Score of a win that leaves `end` discs on a board of `cells` cells, on Pons' scale: at least 1."""
    return (cells + 2 - end) // 2


def bucket_bits(key_bits: int, size_bits: int) -> int:
    """Logarithm of the number of buckets of a solver's table with 2**size_bits bytes, for keys of key_bits bits.

    A bucket has two entries of 8 bytes with 40 bits of a key each; for keys of more than 64 bits, of 16 bytes with 103
    bits. The index of the bucket stands for other bits; if that does not make up the whole key, each entry has 8 more
    bytes.
    """
    is_wide = key_bits > 64
    entry_bits = 103 if is_wide else 40  # of a key
    bits = max(1, min(size_bits - (5 if is_wide else 4), key_bits - 1))  # no more buckets than keys
    return bits if key_bits - bits <= entry_bits else max(1, bits - 1)
