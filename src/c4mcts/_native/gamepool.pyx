"""Many games of self-play; gamepool.pxd describes the structs."""

import numpy as np

from c4mcts import _layout
from c4mcts._validation import between

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from .answers cimport Answers, begin_batch, clear_answers, keep, row_of
from .game cimport KNOWN, STEPS, UNPLACED, SelfPlayGame, advance, complete_game
from .launch cimport allocate_lock, end, forks_so_far, free_lock, start, wait
from .poll cimport Poll
from .puct cimport ensure_capacity

cdef int NO_GAME = _layout.NO_GAME
cdef double TOLERANCE = 1e-6    # by which a value may exceed [-1, 1], for rounding in single precision


cdef class BatchArrays:

    def __cinit__(self, float[::1] planes, uint8_t[::1] legal, int32_t[::1] rows):
        """Flat arrays for as many leaves as the batch may have; rows: the number of each leaf's game."""
        self.planes = planes
        self.legal = legal
        self.rows = rows


cdef inline int copy_answers(
    SelfPlayGame game, const float[:, :] priors, const float[:] values, int width,
) noexcept nogil:
    """Copy the answers for the leaves of a game, and return the first wrong number, as row * (width + 1) + column.

    Column `width` is the value's. -1 if all are right, UNPLACED if a leaf has no row. Priors of full columns may be
    anything.
    """
    cdef uint64_t columns
    cdef float* answer
    cdef int i, row, column
    for i in range(game.waiting):
        row = game.places[i]
        columns = game.leaves[i].legal
        if row == KNOWN:
            continue
        if not 0 <= row < min(priors.shape[0], values.shape[0]):
            return UNPLACED
        answer = &game.taken[i, 0]
        answer[width] = values[row]
        for column in range(width):
            answer[column] = priors[row, column]
            if columns >> column & 1 and not 0.0 <= answer[column] < INFINITY:
                return row * (width + 1) + column
        if not -1.0 - TOLERANCE <= answer[width] <= 1.0 + TOLERANCE:
            return row * (width + 1) + width
    return -1


cdef int place(
    GamePool pool, int slot, SelfPlayGame game, const float* painted, BatchArrays arrays, int count,
) noexcept nogil:
    """Append the leaves of a slot's game to a batch of `count` leaves; returns the new number of leaves.

    With answers, a leaf whose answer is known gets no row, and leaves of the same position share one.
    """
    cdef int width = pool.width
    cdef size_t size = pool.size
    cdef float* planes = &arrays.planes[0]
    cdef uint8_t* legal = &arrays.legal[0]
    cdef int end = 0
    cdef uint64_t columns
    cdef int i, column
    for i in range(game.waiting):
        if game.answers is not None:
            if game.places[i] == KNOWN:
                continue
            game.places[i] = row_of(game.answers, &game.keys[i], count)
            if game.places[i] < count:
                end = max(end, game.places[i] + 1)
                continue
        game.places[i] = count
        if planes + count * size != painted + i * size:
            memcpy(planes + count * size, painted + i * size, size * sizeof(float))
        columns = game.leaves[i].legal
        for column in range(width):
            legal[count * width + column] = columns >> column & 1
        arrays.rows[count] = game.number
        count += 1
        end = count
    pool.ends[slot] = end
    return count


cdef inline void take_answers(SelfPlayGame game) noexcept nogil:
    """Take the answers that have been copied, and keep those that are new."""
    cdef int i
    if game.answers is not None:
        for i in range(game.waiting):
            if game.places[i] != KNOWN:
                keep(game.answers, &game.keys[i], &game.taken[i, 0])
    game.answered = game.waiting > 0


cdef void pad(GamePool pool, BatchArrays arrays, int first, int last) noexcept nogil:
    """Fill rows of a batch without a leaf: an empty board with all columns open."""
    cdef size_t n = last - first
    cdef int row
    if n:
        for row in range(first, last):
            arrays.rows[row] = NO_GAME
        memset(&arrays.planes[first * pool.size], 0, n * pool.size * sizeof(float))
        memset(&arrays.legal[<size_t>first * pool.width], 1, n * pool.width)


cdef inline int make_room(SelfPlayGame game) except -1:
    """Get memory for the leaves that `advance` will complete: in advance, since memory grows with the GIL.

    With answers that are kept, these are more than those that wait.
    """
    return ensure_capacity(game, game.waiting + (STEPS + game.batch_size if game.answers is not None else 0))


cdef void run_slots(GamePool pool, Part* part) noexcept nogil:
    """The work of one thread."""
    cdef int slot
    for slot in range(part.first, part.last):
        advance(<SelfPlayGame>pool.slots[slot], part.planes + (slot - part.first) * pool.leaves * pool.size)


cdef void part_main(void* argument) noexcept nogil:
    """The function of a started thread."""
    cdef Part* part = <Part*>argument
    run_slots(<GamePool>part.pool, part)
    end(&part.launch)


cdef int run_parts(GamePool pool, int first, int last, float* planes) except -1:
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
        part.first = first + n * i // pool.n_parts
        part.last = first + n * (i + 1) // pool.n_parts
        part.planes = planes + (part.first - first) * pool.leaves * pool.size
    while started + 1 < pool.n_parts and start(&pool.parts[started + 1].launch, part_main, &pool.parts[started + 1]):
        started += 1
    with nogil:
        run_slots(pool, &pool.parts[0])
        for i in range(started + 1, pool.n_parts):
            run_slots(pool, &pool.parts[i])
        for i in range(1, started + 1):
            wait(&pool.parts[i].launch, poll, forks)
    return 0


cdef class GamePool:

    def __cinit__(self, rules, settings, options, slots, threads, cache):
        """settings: a _layout.Settings. options: a _layout.PlaySettings. threads: number that share the work of a call.

        cache: number of evaluator answers to keep; 0 for none, so that every leaf gets a row in the batch.
        """
        cdef int i
        between("slots", slots, 1, _layout.MAX_ROWS)
        between("slots times batch_size", slots * settings.batch_size, 1, _layout.MAX_ROWS)
        between("threads", threads, 1, _layout.MAX_THREADS)
        between("cache", cache, 0, _layout.MAX_ANSWERS)
        self.games = [SelfPlayGame(rules, settings, (0, 1), None) for _ in range(slots)]
        self.answers = Answers(cache, rules.width, slots * settings.batch_size) if cache else None
        for game in self.games:
            game.prepare(options, self.answers)
        self.ends = np.zeros(slots, np.int32)
        self.width = rules.width
        self.leaves = settings.batch_size
        self.size = rules.width * rules.height * (1 if settings.signed_planes else 2)
        self.n_slots = slots
        self.slots = <void**>calloc(slots, sizeof(void*))
        self.parts = <Part*>calloc(threads, sizeof(Part))
        if self.slots == NULL or self.parts == NULL:
            raise MemoryError(f"no memory for {slots} games")
        for i in range(slots):
            self.slots[i] = <void*>self.games[i]
        for i in range(threads):
            self.parts[i].pool = <void*>self
            if i > 0:
                allocate_lock(&self.parts[i].launch)
            self.n_parts = i + 1

    def __dealloc__(self):
        cdef int i
        for i in range(1, self.n_parts):
            free_lock(&self.parts[i].launch)
        free(self.parts)
        free(self.slots)

    def start(self, slot, number, own, mask, a, b, opening):
        """Start a game in a slot: its number, its position, and the state of its generator, not both zero.

        opening: number of moves before the first search, drawn from the priors.
        """
        self.game(slot).start(number, own, mask, a, b, opening)
        self.ends[<int>slot] = 0
        make_room(self.games[slot])

    def gather(self, int first, int last, BatchArrays arrays not None, list ended):
        """Play in the slots from `first` up to `last`, until each game has leaves that wait, or is over.

        arrays: BatchArrays for `last - first` times batch_size leaves, which are filled from the front. Returns the
        number of leaves. (slot, number, winner, ending, opening_moves, positions) of every game that ends is appended
        to a list.
        """
        self.check_range(first, last, False)
        cdef Py_ssize_t capacity = (last - first) * self.leaves
        cdef size_t leaves = self.leaves
        cdef int count = 0
        cdef SelfPlayGame game
        cdef int slot
        if (
            arrays.planes.shape[0] != capacity * <Py_ssize_t>self.size
            or arrays.legal.shape[0] != capacity * self.width
            or arrays.rows.shape[0] != capacity
        ):
            raise ValueError("the arrays do not fit the slots")
        if capacity == 0:
            return 0
        run_parts(self, first, last, &arrays.planes[0])
        if self.answers is not None:
            begin_batch(self.answers)
        for slot in range(first, last):
            game = <SelfPlayGame>self.slots[slot]
            count = place(self, slot, game, &arrays.planes[(slot - first) * leaves * self.size], arrays, count)
            make_room(game)
            if game.over and game.number != NO_GAME:
                ended.append(
                    (slot, game.number, game.winner, game.ending, game.opening_moves(), game.positions())
                )
                game.number = NO_GAME
        pad(self, arrays, count, <int>capacity)
        return count

    def complete(self, int first, int last, const float[:, :] priors, const float[:] values):
        """Take the evaluations of the rows that `gather` has filled: at least as many rows of priors and values.

        ValueError for a wrong one; then nothing has changed.
        """
        cdef int rows = self.check_range(first, last, True)
        cdef int wrong, row, column, slot
        if priors.shape[0] < rows or values.shape[0] < rows or priors.shape[1] != self.width:
            raise ValueError(f"there must be an evaluation for each of {rows} leaves")
        for slot in range(first, last):
            wrong = copy_answers(<SelfPlayGame>self.slots[slot], priors, values, self.width)
            if wrong == UNPLACED:
                raise ValueError("there are waiting leaves that are not in a batch")
            if wrong >= 0:
                row, column = divmod(wrong, self.width + 1)
                if column < self.width:
                    found = priors[row, column]
                    raise ValueError(f"priors[{row}, {column}] must be finite and at least 0, not {found:g}")
                raise ValueError(f"values[{row}] must lie in [-1, 1], not {values[row]:g}")
        for slot in range(first, last):
            take_answers(<SelfPlayGame>self.slots[slot])
            self.ends[slot] = 0

    def waiting(self, int first, int last):
        """The number of rows of a batch that wait in the slots from `first` up to `last`."""
        cdef int rows = 0
        cdef int slot
        if not 0 <= first <= last <= self.n_slots:
            between("first", first, 0, self.n_slots)
            between("last", last, first, self.n_slots)
        for slot in range(first, last):
            rows = max(rows, self.ends[slot])
        return rows

    def check_range(self, int first, int last, bint waits):
        """The number of rows waiting in the slots from `first` up to `last`. waits: whether some must, or none may."""
        cdef int rows = self.waiting(first, last)
        if (rows > 0) != waits:
            raise ValueError("nothing waits for an evaluation" if waits else "leaves wait for their evaluation")
        return rows

    def clear_cache(self):
        """Forget all answers of the evaluator."""
        if self.answers is not None:
            clear_answers(self.answers)

    def game(self, slot):
        """The game of a slot, a searcher, for inspection: with all simulations whose answers have been taken."""
        cdef SelfPlayGame game = self.games[between("slot", slot, 0, self.n_slots - 1)]
        if game.answered:
            ensure_capacity(game, game.waiting)
            complete_game(game)
        return game
