"""The answers of an evaluator by position; answers.pxd describes the table."""

from c4mcts import _layout
from c4mcts._validation import between

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from .rng cimport mix, mulhi

cdef enum:
    WAYS = 4        # answers in a bucket
    NO_ROW = -1


cdef class Answers:

    def __cinit__(self, limit, width, rows):
        """limit: number of answers to keep. width: of the board. rows: of the largest batch."""
        self.width = between("width", width, 1, _layout.MAX_SIDE)
        self.ways = min(between("cache", limit, 1, _layout.MAX_ANSWERS), WAYS)
        self.buckets = limit // self.ways
        self.entry_size = (sizeof(Key) + (width + 1) * sizeof(float) + 7) // 8 * 8
        self.n_rows = 1
        while self.n_rows < 2 * between("rows", rows, 1, _layout.MAX_ROWS):
            self.n_rows *= 2
        self.entries = <char*>calloc(self.buckets, self.ways * self.entry_size)
        self.oldest = <uint8_t*>calloc(self.buckets, 1)
        self.row_keys = <Key*>calloc(rows, sizeof(Key))
        self.rows = <int32_t*>calloc(self.n_rows, sizeof(int32_t))
        if self.entries == NULL or self.oldest == NULL or self.row_keys == NULL or self.rows == NULL:
            raise MemoryError(f"no memory for {limit} answers")

    def __dealloc__(self):
        free(self.entries)
        free(self.oldest)
        free(self.row_keys)
        free(self.rows)


cdef char* entry_of(Answers answers, uint64_t bucket, int place) noexcept nogil:
    """An entry of a bucket."""
    return answers.entries + (bucket * answers.ways + place) * answers.entry_size


cdef const float* find(Answers answers, const Key* key) noexcept nogil:
    """The answer for a position, as `keep` got it, or NULL."""
    cdef uint64_t bucket = mulhi(mix(key.low), answers.buckets)
    cdef const Key* known
    cdef int place
    for place in range(answers.ways):
        known = <const Key*>entry_of(answers, bucket, place)
        if known.low == key.low and known.high == key.high:
            return <const float*>(known + 1)
    return NULL


cdef void keep(Answers answers, const Key* key, const float* answer) noexcept nogil:
    """Enter an answer: priors for all columns, then the value for the player to move."""
    cdef uint64_t bucket = mulhi(mix(key.low), answers.buckets)
    cdef int place = 0
    cdef Key* entry
    if find(answers, key) != NULL:
        return
    entry = <Key*>entry_of(answers, bucket, place)
    while place < answers.ways and (entry.low or entry.high):
        place += 1
        entry = <Key*>entry_of(answers, bucket, place)
    if place == answers.ways:
        place = answers.oldest[bucket]
        answers.oldest[bucket] = (place + 1) % answers.ways
        entry = <Key*>entry_of(answers, bucket, place)
    entry[0] = key[0]
    memcpy(entry + 1, answer, (answers.width + 1) * sizeof(float))


cdef void begin_batch(Answers answers) noexcept nogil:
    """Forget the rows of the last batch."""
    memset(answers.rows, NO_ROW, answers.n_rows * sizeof(int32_t))


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
    memset(answers.entries, 0, answers.buckets * answers.ways * answers.entry_size)
    memset(answers.oldest, 0, answers.buckets)
