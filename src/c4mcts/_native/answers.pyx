"""The answers of an evaluator by position; answers.pxd describes the table."""

import numpy as np

from c4mcts import _layout
from c4mcts._validation import between

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memset

from .numbers cimport mix, mulhi

cdef enum:
    WAYS = 4        # answers in a bucket
    NO_ROW = -1

KEY = np.dtype([("low", np.uint64), ("high", np.uint64)])


cdef class Answers:

    def __cinit__(self, limit, width, rows):
        """limit: number of answers to keep. width: of the board. rows: of the largest batch."""
        self.width = between("width", width, 1, _layout.MAX_SIDE)
        self.ways = min(between("cache", limit, 1, _layout.MAX_ANSWERS), WAYS)
        self.buckets = limit // self.ways
        self.n_rows = 1
        while self.n_rows < 2 * between("rows", rows, 1, _layout.MAX_ROWS):
            self.n_rows *= 2
        self.keys = np.zeros((self.buckets, self.ways), KEY)
        self.answers = np.zeros((self.buckets, self.ways, width + 1), np.float32)
        self.oldest = np.zeros(self.buckets, np.uint8)
        self.row_keys = np.zeros(rows, KEY)
        self.rows = np.zeros(self.n_rows, np.int32)


cdef const float* find(Answers answers, const Key* key) noexcept nogil:
    """The answer for a position, as `keep` got it, or NULL."""
    cdef uint64_t bucket = mulhi(mix(key.low), answers.buckets)
    cdef const Key* known
    cdef int place
    for place in range(answers.ways):
        known = &answers.keys[bucket, place]
        if known.low == key.low and known.high == key.high:
            return &answers.answers[bucket, place, 0]
    return NULL


cdef void keep(Answers answers, const Key* key, const float* answer) noexcept nogil:
    """Enter an answer: priors for all columns, then the value for the player to move."""
    cdef uint64_t bucket = mulhi(mix(key.low), answers.buckets)
    cdef int place = 0
    if find(answers, key) != NULL:
        return
    while place < answers.ways and (answers.keys[bucket, place].low or answers.keys[bucket, place].high):
        place += 1
    if place == answers.ways:
        place = answers.oldest[bucket]
        answers.oldest[bucket] = (place + 1) % answers.ways
    answers.keys[bucket, place] = key[0]
    memcpy(&answers.answers[bucket, place, 0], answer, (answers.width + 1) * sizeof(float))


cdef void begin_batch(Answers answers) noexcept nogil:
    """Forget the rows of the last batch."""
    memset(&answers.rows[0], NO_ROW, answers.n_rows * sizeof(int32_t))


cdef int row_of(Answers answers, const Key* key, int count) noexcept nogil:
    """The row of a batch of `count` rows that has the position; if there is none, it gets row number `count`."""
    cdef uint64_t i = mix(key.low) & answers.n_rows - 1
    cdef const Key* known
    while answers.rows[i] != NO_ROW:
        known = &answers.row_keys[answers.rows[i]]
        if known.low == key.low and known.high == key.high:
            return answers.rows[i]
        i = i + 1 & answers.n_rows - 1
    answers.row_keys[count] = key[0]
    answers.rows[i] = count
    return count


cdef void clear_answers(Answers answers) noexcept nogil:
    """Forget all answers."""
    answers.keys[:, :] = Key(low=0, high=0)
    answers.oldest[:] = 0
