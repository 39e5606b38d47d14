"""The answers of an evaluator by position: a table of bounded size, for the games of a pool.

The table has buckets of a few answers. If the bucket of a new one is full, it replaces the oldest there. The
answers are kept in single precision, as the evaluator gave them. While games are played, the table is only read; new
answers are entered between two batches, in the order of the batch, so that the content depends on nothing else.
"""

from .._layout import MAX_ANSWERS, MAX_ROWS, MAX_SIDE
from .._validation import between
from .rng import GOLDEN, MASK64, mix

WAYS = 4  # answers in a bucket


class Key:
    """A position: the key of one of at most 64 bits, or a hash of 128 bits of a larger one; never all zero."""

    __slots__ = ("high", "low")

    def __init__(self):
        self.low = 0
        self.high = 0


class Answers:
    """The table, and the positions of the rows of the batch that is being gathered."""

    def __init__(self, limit, width, rows):
        """limit: number of answers to keep. width: of the board. rows: of the largest batch."""
        self.width = between("width", width, 1, MAX_SIDE)
        self.ways = min(between("cache", limit, 1, MAX_ANSWERS), WAYS)
        self.buckets = limit // self.ways
        between("rows", rows, 1, MAX_ROWS)
        self.entries = {}  # by number of a bucket: its answers, as [position, answer]
        self.oldest = {}  # by number of a bucket: the answer to replace next
        self.rows = {}  # by key: row of the batch


def set_key(key, position, geometry):
    """Set a key to that of a position."""
    ones = (1 << geometry.height) - 1
    key.low = 0
    key.high = 0
    if geometry.width * (geometry.height + 1) <= 64:
        key.low = position.own | position.mask + geometry.bottom
        return
    first = position.mask ^ position.own if position.ply & 1 else position.own
    for i in range(2 * geometry.width):
        discs = position.mask ^ first if i & 1 else first
        column = discs >> (i >> 1) * (geometry.height + 1) & ones
        key.low = mix(key.low ^ column)
        key.high = mix((key.high + key.low & MASK64) ^ (column * GOLDEN & MASK64))
    key.high |= 1


def find(answers, key):
    """The answer for a position, as `keep` got it, or None."""
    for known, answer in answers.entries.get(mix(key.low) * answers.buckets >> 64, ()):
        if known == (key.low, key.high):
            return answer
    return None


def keep(answers, key, answer):
    """Enter an answer: priors for all columns, then the value for the player to move."""
    if find(answers, key) is not None:
        return
    number = mix(key.low) * answers.buckets >> 64
    bucket = answers.entries.setdefault(number, [])
    entry = ((key.low, key.high), answer)
    if len(bucket) < answers.ways:
        bucket.append(entry)
        return
    place = answers.oldest.get(number, 0)
    bucket[place] = entry
    answers.oldest[number] = (place + 1) % answers.ways


def begin_batch(answers):
    """Forget the rows of the last batch."""
    answers.rows.clear()


def row_of(answers, key, count):
    """The row of a batch of `count` rows that has the position; if there is none, it gets row number `count`."""
    return answers.rows.setdefault((key.low, key.high), count)


def clear_answers(answers):
    """Forget all answers."""
    answers.entries.clear()
    answers.oldest.clear()
