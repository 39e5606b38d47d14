"""Many games of self-play; gamepool.pxd describes the structs."""

from c4mcts import _layout
from c4mcts._validation import between

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from .answers cimport Answers, begin_batch, clear_answers, keep, row_of
from .bitboard cimport MAX_SIDE
from .game cimport KNOWN, STEPS, UNPLACED, SelfPlayGame, advance, complete_game, take_answer
from .launch cimport allocate_lock, end, forks_so_far, free_lock, start, wait
from .poll cimport Poll
from .puct cimport ensure_capacity

cdef int NO_GAME = _layout.NO_GAME
cdef double TOLERANCE = 1e-6    # by which a value may exceed [-1, 1], for rounding in single precision


cdef int check_answers(
    SelfPlayGame game, const float[:, :] priors, const float[:] values, int width,
) noexcept nogil:
    """The first wrong number for the leaves of a game, as row * (width + 1) + column; column `width` is the value's.

    -1 if there is none, UNPLACED if a leaf has no row. Priors of full columns may be anything.
    """
    cdef uint64_t columns
    cdef int i, row, column
    for i in range(game.waiting):
        row = game.places[i]
        columns = game.legal[i]
        if row == KNOWN:
            continue
        if not 0 <= row < min(priors.shape[0], values.shape[0]):
            return UNPLACED
        for column in range(width):
            if columns >> column & 1 and not 0.0 <= priors[row, column] < INFINITY:
                return row * (width + 1) + column
        if not -1.0 - TOLERANCE <= values[row] <= 1.0 + TOLERANCE:
            return row * (width + 1) + width
    return -1


cdef int place(
    SelfPlayGame game, const float* painted, float* planes, uint8_t* legal, int32_t* rows, int count, size_t size,
) noexcept nogil:
    """Append the leaves of a game to a batch of `count` leaves; returns the new number of leaves.

    With answers, a leaf whose answer is known gets no row, and leaves of the same position share one.
    """
    cdef int width = game.tree.geometry.width
    cdef uint64_t columns
    cdef int i, column
    game.rows_end = 0
    for i in range(game.waiting):
        if game.answers is not None:
            if game.places[i] == KNOWN:
                continue
            game.places[i] = row_of(game.answers, &game.keys[i], count)
            if game.places[i] < count:
                game.rows_end = max(game.rows_end, game.places[i] + 1)
                continue
        game.places[i] = count
        if planes + count * size != painted + i * size:
            memcpy(planes + count * size, painted + i * size, size * sizeof(float))
        columns = game.legal[i]
        for column in range(width):
            legal[count * width + column] = columns >> column & 1
        rows[count] = game.number
        count += 1
        game.rows_end = count
    return count


cdef inline void copy_answer(
    const float[:, :] priors, const float[:] values, int row, int width, float* answer,
) noexcept nogil:
    """Copy a row of the evaluator's answers: priors for all columns, then the value for the player to move."""
    cdef int column
    for column in range(width):
        answer[column] = priors[row, column]
    answer[width] = values[row]


cdef void keep_answers(SelfPlayGame game, const float[:, :] priors, const float[:] values) noexcept nogil:
    """Enter the answers for the leaves of a game."""
    cdef int width = game.tree.geometry.width
    cdef float answer[MAX_SIDE + 1]
    cdef int i, row
    for i in range(game.waiting):
        row = game.places[i]
        if row != KNOWN:
            copy_answer(priors, values, row, width, answer)
            keep(game.answers, &game.keys[i], answer)


cdef void take_answers(SelfPlayGame game, const float[:, :] priors, const float[:] values) noexcept nogil:
    """Take the answers for the leaves of a game."""
    cdef int width = game.tree.geometry.width
    cdef float answer[MAX_SIDE + 1]
    cdef int i, row
    for i in range(game.waiting):
        row = game.places[i]
        if row != KNOWN:
            copy_answer(priors, values, row, width, answer)
            take_answer(game, i, answer)
    game.answered = game.waiting > 0


cdef void pad(
    float* planes, uint8_t* legal, int32_t* rows, int first, int last, size_t size, int width,
) noexcept nogil:
    """Fill rows of a batch without a leaf: an empty board with all columns open."""
    cdef int row
    for row in range(first, last):
        rows[row] = NO_GAME
    memset(planes + first * size, 0, (last - first) * size * sizeof(float))
    memset(legal + <size_t>first * width, 1, <size_t>(last - first) * width)


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
    cdef SelfPlayGame game
    cdef Part* part
    cdef int i
    poll.halted = True      # nothing to ask while the threads run
    for i in range(first, last):    # memory grows with the GIL, so the threads get it in advance
        game = <SelfPlayGame>pool.slots[i]
        # with answers that are kept, `advance` completes more leaves than those that wait
        ensure_capacity(game, game.waiting + (STEPS + game.batch_size if game.answers is not None else 0))
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

    def gather(
        self, int first, int last, float[::1] planes, uint8_t[::1] legal, int32_t[::1] rows, list ended,
    ):
        """Play in the slots from `first` up to `last`, until each game has leaves that wait, or is over.

        planes, legal, rows: flat arrays for `last - first` times batch_size leaves, which are filled from the front;
        rows: the number of each leaf's game. Returns the number of leaves. (slot, number, winner, ending,
        opening_moves, positions) of every game that ends is appended to a list.
        """
        self.check_range(first, last, False)
        cdef Py_ssize_t capacity = (last - first) * self.leaves
        cdef Py_ssize_t size = self.size
        cdef int count = 0
        cdef float* painted
        cdef SelfPlayGame game
        cdef int slot
        if planes.shape[0] != capacity * size or legal.shape[0] != capacity * self.width or rows.shape[0] != capacity:
            raise ValueError("the arrays do not fit the slots")
        if capacity == 0:
            return 0
        run_parts(self, first, last, &planes[0])
        if self.answers is not None:
            begin_batch(self.answers)
        for slot in range(first, last):
            game = <SelfPlayGame>self.slots[slot]
            painted = &planes[0] + (slot - first) * self.leaves * size
            count = place(game, painted, &planes[0], &legal[0], &rows[0], count, size)
            if game.over and game.number != NO_GAME:
                ended.append(
                    (slot, game.number, game.winner, game.ending, game.opening_moves(), game.positions())
                )
                game.number = NO_GAME
        pad(&planes[0], &legal[0], &rows[0], count, <int>capacity, size, self.width)
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
            wrong = check_answers(<SelfPlayGame>self.slots[slot], priors, values, self.width)
            if wrong == UNPLACED:
                raise ValueError("there are waiting leaves that are not in a batch")
            if wrong >= 0:
                row, column = divmod(wrong, self.width + 1)
                if column < self.width:
                    found = priors[row, column]
                    raise ValueError(f"priors[{row}, {column}] must be finite and at least 0, not {found:g}")
                raise ValueError(f"values[{row}] must lie in [-1, 1], not {values[row]:g}")
        if self.answers is not None:
            for slot in range(first, last):
                keep_answers(<SelfPlayGame>self.slots[slot], priors, values)
        for slot in range(first, last):
            take_answers(<SelfPlayGame>self.slots[slot], priors, values)

    def waiting(self, int first, int last):
        """The number of rows of a batch that wait in the slots from `first` up to `last`."""
        cdef int rows = 0
        cdef SelfPlayGame game
        cdef int slot
        if not 0 <= first <= last <= self.n_slots:
            between("first", first, 0, self.n_slots)
            between("last", last, first, self.n_slots)
        for slot in range(first, last):
            game = <SelfPlayGame>self.slots[slot]
            if game.waiting and not game.answered:
                rows = max(rows, game.rows_end)
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
