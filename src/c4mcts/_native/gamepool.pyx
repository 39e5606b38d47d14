"""Many games of self-play; gamepool.pxd describes the structs."""

import numpy as np

from c4mcts import _layout
from c4mcts._validation import between

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from .answers cimport Answers, begin_batch, clear_answers, keep, row_of
from .cells cimport private_rules
from .game cimport KNOWN, STEPS, SelfPlayGame, advance, complete_game
from .launch cimport allocate_helper, dismiss, forks_so_far, help, wait
from .poll cimport Poll
from .puct cimport ensure_capacity, lacks_capacity

cdef int NO_GAME = _layout.NO_GAME
cdef double TOLERANCE = 1e-6    # by which a value may exceed [-1, 1], for rounding in single precision


cdef class BatchArrays:

    def __cinit__(self, float[::1] planes, uint8_t[::1] legal, int32_t[::1] rows):
        """Flat arrays, which `gather` fills from the front; rows: by row of the batch, the number of its game."""
        width = len(legal) // max(1, len(rows))
        self.planes = planes
        self.legal = legal
        self.rows = rows
        self.columns = np.zeros(len(rows), np.uint64)
        self.answers = np.zeros((len(rows), width + 1), np.float32)


cdef int copy_answers(
    BatchArrays arrays, const float[:, :] priors, const float[:] values, int width,
) noexcept nogil:
    """Copy the answers for the rows that wait, and return the first wrong number, as row * (width + 1) + column.

    Column `width` is the value's. -1 if all are right. Priors of full columns may be anything.
    """
    cdef uint64_t columns
    cdef float* answer
    cdef int row, column
    for row in range(arrays.waiting):
        columns = arrays.columns[row]
        answer = &arrays.answers[row, 0]
        for column in range(width):
            answer[column] = priors[row, column]
            if columns >> column & 1 and not 0.0 <= answer[column] < INFINITY:
                return row * (width + 1) + column
        answer[width] = values[row]
        if not -1.0 - TOLERANCE <= answer[width] <= 1.0 + TOLERANCE:
            return row * (width + 1) + width
    return -1


cdef int place(
    SelfPlayGame game, const float* painted, BatchArrays arrays, int count, size_t size,
) noexcept nogil:
    """Append the leaves of a game to a batch of `count` leaves; returns the new number of leaves.

    With answers, a leaf whose answer is known gets no row, and leaves of the same position share one.
    """
    cdef int width = game.tree.geometry.width
    cdef float* planes = &arrays.planes[0]
    cdef uint8_t* legal = &arrays.legal[0]
    cdef uint64_t columns
    cdef int i, column
    for i in range(game.waiting):
        if game.answers is not None:
            if game.places[i] == KNOWN:
                continue
            game.places[i] = row_of(game.answers, &game.keys[i], count)
            if game.places[i] < count:
                continue
        game.places[i] = count
        if planes + count * size != painted + i * size:
            memcpy(planes + count * size, painted + i * size, size * sizeof(float))
        columns = arrays.columns[count] = game.leaves[i].legal
        for column in range(width):
            legal[count * width + column] = columns >> column & 1
        arrays.rows[count] = game.number
        count += 1
    return count


cdef void keep_answers(SelfPlayGame game, BatchArrays arrays) noexcept nogil:
    """Enter the answers for the leaves of a game."""
    cdef int i
    for i in range(game.waiting):
        if game.places[i] != KNOWN:
            keep(game.answers, &game.keys[i], &arrays.answers[game.places[i], 0])


cdef void pad(BatchArrays arrays, int first, size_t size, int width) noexcept nogil:
    """Fill the rows of a batch from `first` on, which have no leaf: an empty board with all columns open."""
    cdef size_t n = arrays.rows.shape[0] - first
    cdef int row
    if n:
        for row in range(first, arrays.rows.shape[0]):
            arrays.rows[row] = NO_GAME
        memset(&arrays.planes[first * size], 0, n * size * sizeof(float))
        memset(&arrays.legal[<size_t>first * width], 1, n * width)


cdef inline int leaves_to_come(SelfPlayGame game) noexcept nogil:
    """How many leaves the next `advance` may complete: with answers that are kept, more than those that wait."""
    return game.waiting + (STEPS + game.batch_size if game.answers is not None else 0)


cdef inline void note_due(GamePool pool, SelfPlayGame game, int slot) noexcept nogil:
    """Note whether the game of a slot is over, or needs more memory."""
    pool.due[slot] = game.over or lacks_capacity(game, leaves_to_come(game))


cdef int place_all(GamePool pool, int first, int last, BatchArrays arrays, bint advances) noexcept nogil:
    """Place the leaves of all games in the slots from `first` up to `last`, and return their number.

    advances: whether to call `advance` for each game first, which then paints where its leaves are placed.
    """
    cdef float* planes = &arrays.planes[0]
    cdef float* painted
    cdef int count = 0
    cdef int slot
    for slot in range(first, last):
        painted = planes + (count if advances else (slot - first) * pool.leaves) * pool.size
        if advances:
            advance(<SelfPlayGame>pool.slots[slot], painted, &arrays.answers[0, 0])
        count = place(<SelfPlayGame>pool.slots[slot], painted, arrays, count, pool.size)
        note_due(pool, <SelfPlayGame>pool.slots[slot], slot)
    return count


cdef inline bint has_own_rows(GamePool pool) noexcept nogil:
    """Whether each slot has a row of its own in the batch, so that threads can fill them independently."""
    return pool.leaves == 1 and pool.answers is None


cdef inline void set_row(SelfPlayGame game, BatchArrays arrays, int row, int width) noexcept nogil:
    """Enter the leaf of a game, which is painted there, in its row of a batch; NO_GAME if it has none."""
    cdef uint64_t columns
    cdef int column
    arrays.rows[row] = NO_GAME
    if game.waiting:
        columns = arrays.columns[row] = game.leaves[0].legal
        for column in range(width):
            arrays.legal[row * width + column] = columns >> column & 1
        arrays.rows[row] = game.number
        game.places[0] = row


cdef void run_slots(GamePool pool, BatchArrays arrays, int group_first, int first, int last) noexcept nogil:
    """The work of one thread: `advance` for the slots from `first` up to `last`, and their rows if they have some."""
    cdef size_t size = pool.leaves * pool.size
    cdef int slot
    for slot in range(first, last):
        advance(
            <SelfPlayGame>pool.slots[slot], &arrays.planes[0] + (slot - group_first) * size, &arrays.answers[0, 0]
        )
        if has_own_rows(pool):
            set_row(<SelfPlayGame>pool.slots[slot], arrays, slot - group_first, pool.width)
            note_due(pool, <SelfPlayGame>pool.slots[slot], slot)


cdef void run_part(void* argument) noexcept nogil:
    """The work of a helper."""
    cdef Part* part = <Part*>argument
    run_slots(<GamePool>part.pool, <BatchArrays>part.arrays, part.group_first, part.first, part.last)


cdef int close_gaps(GamePool pool, BatchArrays arrays, int group_first) noexcept nogil:
    """Move the last leaves of a batch into rows without one, where each slot has its own row; returns their number."""
    cdef int width = pool.width
    cdef int last = pool.group_size
    cdef int row = 0
    while True:
        while row < last and arrays.rows[row] != NO_GAME:
            row += 1
        while row < last and arrays.rows[last - 1] == NO_GAME:
            last -= 1
        if row >= last:
            return row
        last -= 1
        memcpy(&arrays.planes[row * pool.size], &arrays.planes[last * pool.size], pool.size * sizeof(float))
        memcpy(&arrays.legal[row * width], &arrays.legal[last * width], width)
        arrays.columns[row] = arrays.columns[last]
        arrays.rows[row] = arrays.rows[last]
        arrays.rows[last] = NO_GAME
        (<SelfPlayGame>pool.slots[group_first + last]).places[0] = row


cdef int run_parts(GamePool pool, int first, int last, BatchArrays arrays) except -1:
    """Divide the slots among the threads, and wait for them. Parts for which the system has no thread run here."""
    cdef int n = last - first
    cdef int started = 0
    cdef int forks = forks_so_far()
    cdef Poll poll = Poll()
    cdef Part* part
    cdef int i
    poll.halted = True      # nothing to ask while the threads run
    for i in range(pool.n_parts):
        part = &pool.parts[i]
        part.arrays = <void*>arrays
        part.group_first = first
        part.first = first + n * i // pool.n_parts
        part.last = first + n * (i + 1) // pool.n_parts
    while started + 1 < pool.n_parts and help(&pool.parts[started + 1].helper, run_part, &pool.parts[started + 1]):
        started += 1
    with nogil:
        run_part(&pool.parts[0])
        for i in range(started + 1, pool.n_parts):
            run_part(&pool.parts[i])
        for i in range(1, started + 1):
            wait(&pool.parts[i].helper.launch, poll, forks)
    return 0


cdef class GamePool:

    def __cinit__(self, rules, settings, options, temperatures, batches, threads, cache):
        """settings: a _layout.Settings. options: a _layout.PlaySettings. threads: number that share the work of a call.

        temperatures: at which the first moves of a game are drawn. batches: the BatchArrays of each group, of equal
        sizes; a slot has settings.batch_size rows. cache: number of evaluator answers to keep; 0 for none, so that
        every leaf gets a row in the batch.
        """
        cdef BatchArrays arrays
        cdef Py_ssize_t rows, size
        cdef int slots
        cdef int i
        rules = private_rules(rules)
        self.batches = list(batches)
        self.width = rules.width
        self.leaves = between("batch_size", settings.batch_size, 1, _layout.MAX_BATCH)
        self.size = size = rules.width * rules.height * (1 if settings.signed_planes else 2)
        rows = (<BatchArrays?>self.batches[0]).rows.shape[0]
        self.group_size = <int>(rows // self.leaves)
        slots = between("slots", len(self.batches) * self.group_size, 1, _layout.MAX_ROWS)
        between("slots times batch_size", slots * self.leaves, 1, _layout.MAX_ROWS)
        between("threads", threads, 1, _layout.MAX_THREADS)
        between("cache", cache, 0, _layout.MAX_ANSWERS)
        for found in self.batches:
            arrays = <BatchArrays?>found
            if (
                arrays.planes.shape[0] != rows * size
                or arrays.legal.shape[0] != rows * self.width
                or arrays.rows.shape[0] != self.group_size * self.leaves
            ):
                raise ValueError("the arrays do not fit the slots")
        self.answers = Answers(cache, rules.width, slots * self.leaves) if cache else None
        self.games = [SelfPlayGame(rules, settings, (0, 1), None) for _ in range(slots)]
        temperatures = np.array(temperatures, np.float64)
        for game in self.games:
            game.prepare(options, temperatures, self.answers)
        self.due = np.zeros(slots, np.uint8)
        self.slots = <void**>calloc(slots, sizeof(void*))
        self.parts = <Part*>calloc(threads, sizeof(Part))
        if self.slots == NULL or self.parts == NULL:
            raise MemoryError(f"no memory for {slots} games")
        for i in range(slots):
            self.slots[i] = <void*>self.games[i]
        for i in range(threads):
            self.parts[i].pool = <void*>self
            if i > 0:
                allocate_helper(&self.parts[i].helper)
            self.n_parts = i + 1

    def __dealloc__(self):
        cdef int i
        for i in range(1, self.n_parts):
            dismiss(&self.parts[i].helper)
        free(self.parts)
        free(self.slots)

    def start(self, slot, number, own, mask, a, b, moves, drawn):
        """Start a game in a slot: its number, its position, and the state of its generator, not both zero.

        moves, drawn: see SelfPlayGame.start.
        """
        cdef SelfPlayGame game = self.game(slot)
        game.start(number, own, mask, a, b, moves, drawn)
        ensure_capacity(game, leaves_to_come(game))

    def gather(self, int group, list ended):
        """Play in the slots of a group, until each game has leaves that wait, or is over; returns the number of leaves.

        The batch is filled with them. (slot, number, record) of every game that ends is appended to a list.
        """
        cdef BatchArrays arrays = self.batch(group)
        cdef int first = group * self.group_size
        cdef int last = first + self.group_size
        cdef int count = 0
        cdef SelfPlayGame game
        cdef int slot
        if arrays.waiting:
            raise ValueError("leaves wait for their evaluation")
        if self.answers is not None:
            begin_batch(self.answers)
        if self.n_parts > 1 or has_own_rows(self):
            run_parts(self, first, last, arrays)
        with nogil:
            if has_own_rows(self):
                count = close_gaps(self, arrays, first)
            else:
                count = place_all(self, first, last, arrays, self.n_parts == 1)
            pad(arrays, count, self.size, self.width)
        arrays.waiting = count
        for slot in range(first, last):
            if self.due[slot]:
                game = <SelfPlayGame>self.slots[slot]
                ensure_capacity(game, leaves_to_come(game))     # here, since memory grows with the GIL
                if game.over and game.number != NO_GAME:
                    ended.append((slot, game.number, game.record()))
                    game.number = NO_GAME
        return count

    def complete(self, int group, const float[:, :] priors, const float[:] values):
        """Take the evaluations of the rows that `gather` has filled: at least as many rows of priors and values.

        ValueError for a wrong one; then the batch still waits.
        """
        cdef BatchArrays arrays = self.batch(group)
        cdef int wrong, row, column, slot
        if not arrays.waiting:
            raise ValueError("nothing waits for an evaluation")
        if priors.shape[0] < arrays.waiting or values.shape[0] < arrays.waiting or priors.shape[1] != self.width:
            raise ValueError(f"there must be an evaluation for each of {arrays.waiting} leaves")
        wrong = copy_answers(arrays, priors, values, self.width)
        if wrong >= 0:
            row, column = divmod(wrong, self.width + 1)
            if column < self.width:
                found = priors[row, column]
                raise ValueError(f"priors[{row}, {column}] must be finite and at least 0, not {found:g}")
            raise ValueError(f"values[{row}] must lie in [-1, 1], not {values[row]:g}")
        if self.answers is not None:
            for slot in range(group * self.group_size, (group + 1) * self.group_size):
                keep_answers(<SelfPlayGame>self.slots[slot], arrays)
        arrays.waiting = 0

    def waiting(self, int group):
        """The number of rows in the batch of a group that wait for their evaluation."""
        return (<BatchArrays>self.batch(group)).waiting

    def batch(self, int group):
        """The batch of a group. ValueError."""
        if not 0 <= group < len(self.batches):
            between("group", group, 0, len(self.batches) - 1)
        return self.batches[group]

    def clear_cache(self):
        """Forget all answers of the evaluator."""
        if self.answers is not None:
            clear_answers(self.answers)

    def game(self, slot):
        """The game of a slot, a searcher, for inspection: with all simulations whose answers have been taken."""
        cdef SelfPlayGame game = self.games[between("slot", slot, 0, len(self.games) - 1)]
        cdef BatchArrays arrays = self.batch(slot // self.group_size)
        if game.waiting and not arrays.waiting:
            ensure_capacity(game, game.waiting)
            complete_game(game, &arrays.answers[0, 0])
        return game
