"""The static function of a book: its code words and shards."""

from itertools import accumulate

WINDOW = 32  # bits of the table of a static function, twice for each bit of a code word
SEED_BITS = 4  # of the number that describes a shard; the others are its size in bits
MAX_LENGTH = 30  # bits of a code word


def count_lengths(lengths: memoryview, size: int) -> list[int]:
    """By length: how many code words of a static function have it. ValueError unless they belong to a sorted,
    complete code.
    """
    counts = [0] * (max(lengths, default=0) + 1)
    for length in lengths:
        counts[length] += 1
    # Kraft's sum of 2**-length, times 2**MAX_LENGTH
    kraft = sum(count << MAX_LENGTH - length for length, count in enumerate(counts) if length <= MAX_LENGTH)
    is_complete = len(counts) <= MAX_LENGTH + 1 and kraft == 1 << MAX_LENGTH
    if len(lengths) != size or not is_complete or list(lengths) != sorted(lengths):
        raise ValueError(f"there must be {size} lengths of code words, sorted, of a complete prefix code")
    return counts


def read_shards(shards: memoryview) -> tuple[list[int], list[int]]:
    """The seed of each shard of a static function, and where it starts in the table; at the end the number of bits of
    all. ValueError.
    """
    sizes = [shard >> SEED_BITS for shard in shards]
    if not sizes:
        raise ValueError("there must be at least one shard")
    if min(sizes) < WINDOW:
        raise ValueError(f"a shard must have at least {WINDOW} bits, not {min(sizes)}")
    return [shard & (1 << SEED_BITS) - 1 for shard in shards], list(accumulate(sizes, initial=0))
