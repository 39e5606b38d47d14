"""Many games of self-play whose leaves are evaluated in one batch.

A call of `gather` or `complete` is for a range of slots, each of which holds one game after the other. The games share
nothing, so they don't depend on their number.
"""

from math import inf

from .._layout import MAX_ANSWERS, MAX_ROWS, MAX_THREADS, NO_GAME
from .._validation import between
from .answers import Answers, begin_batch, clear_answers, keep, row_of
from .game import KNOWN, UNPLACED, SelfPlayGame, advance, complete_game

TOLERANCE = 1e-6  # by which a value may exceed [-1, 1], for rounding in single precision


class BatchArrays:
    """The arrays of a batch."""

    def __init__(self, planes, legal, rows):
        """Flat arrays for as many leaves as the batch may have; rows: the number of each leaf's game."""
        self.planes = planes
        self.legal = legal
        self.rows = rows


def copy_answers(game, priors, values, width):
    """Copy the answers for the leaves of a game, and return the first wrong number, as row * (width + 1) + column.

    Column `width` is the value's. -1 if all are right, UNPLACED if a leaf has no row. Priors of full columns may be
    anything.
    """
    for i in range(game.waiting):
        row = game.places[i]
        columns = game.leaves[i].legal
        if row == KNOWN:
            continue
        if not 0 <= row < min(len(priors), len(values)):
            return UNPLACED
        game.taken[i] = [*priors[row].tolist(), float(values[row])]
        for column in range(width):
            if columns >> column & 1 and not 0.0 <= game.taken[i][column] < inf:
                return row * (width + 1) + column
        if not -1.0 - TOLERANCE <= game.taken[i][width] <= 1.0 + TOLERANCE:
            return row * (width + 1) + width
    return -1


def place(pool, slot, game, painted, arrays, count):
    """Append the leaves of a slot's game to a batch of `count` leaves; returns the new number of leaves.

    With answers, a leaf whose answer is known gets no row, and leaves of the same position share one.
    """
    width, size = pool.width, pool.size
    planes, legal, rows = arrays.planes, arrays.legal, arrays.rows
    end = 0
    for i in range(game.waiting):
        if game.answers is not None:
            if game.places[i] == KNOWN:
                continue
            game.places[i] = row_of(game.answers, game.keys[i], count)
            if game.places[i] < count:
                end = max(end, game.places[i] + 1)
                continue
        game.places[i] = count
        planes[count * size : (count + 1) * size] = painted[i * size : (i + 1) * size]
        columns = game.leaves[i].legal
        for column in range(width):
            legal[count * width + column] = columns >> column & 1
        rows[count] = game.number
        count += 1
        end = count
    pool.ends[slot] = end
    return count


def take_answers(game):
    """Take the answers that have been copied, and keep those that are new."""
    if game.answers is not None:
        for i in range(game.waiting):
            if game.places[i] != KNOWN:
                keep(game.answers, game.keys[i], game.taken[i])
    game.answered = game.waiting > 0


def pad(pool, arrays, first, last):
    """Fill rows of a batch without a leaf: an empty board with all columns open."""
    for row in range(first, last):
        arrays.rows[row] = NO_GAME
        for i in range(row * pool.size, (row + 1) * pool.size):
            arrays.planes[i] = 0.0
        for i in range(row * pool.width, (row + 1) * pool.width):
            arrays.legal[i] = 1


class GamePool:
    """A fixed number of slots for games."""

    def __init__(self, rules, settings, options, slots, threads, cache):
        """settings: a _layout.Settings. options: a _layout.PlaySettings. threads: number that share the work of a call.

        cache: number of evaluator answers to keep; 0 for none, so that every leaf gets a row in the batch.
        """
        between("slots", slots, 1, MAX_ROWS)
        between("slots times batch_size", slots * settings.batch_size, 1, MAX_ROWS)
        between("threads", threads, 1, MAX_THREADS)
        between("cache", cache, 0, MAX_ANSWERS)
        self.games = [SelfPlayGame(rules, settings, (0, 1), None) for _ in range(slots)]
        self.answers = Answers(cache, rules.width, slots * settings.batch_size) if cache else None
        for game in self.games:
            game.prepare(options, self.answers)
        self.ends = [0] * slots  # by slot: the row of the batch after the last one that it waits for; 0: for none
        self.width = rules.width
        self.leaves = settings.batch_size
        self.size = rules.width * rules.height * (1 if settings.signed_planes else 2)

    def start(self, slot, number, own, mask, a, b, opening):
        """Start a game in a slot: its number, its position, and the state of its generator, not both zero.

        opening: number of moves before the first search, drawn from the priors.
        """
        self.game(slot).start(number, own, mask, a, b, opening)
        self.ends[slot] = 0

    def gather(self, first, last, arrays, ended):
        """Play in the slots from `first` up to `last`, until each game has leaves that wait, or is over.

        arrays: BatchArrays for `last - first` times batch_size leaves, which are filled from the front. Returns the
        number of leaves. (slot, number, winner, ending, opening_moves, positions) of every game that ends is appended
        to a list.
        """
        self.check_range(first, last, False)
        capacity = (last - first) * self.leaves
        sizes = len(arrays.planes), len(arrays.legal), len(arrays.rows)
        if sizes != (capacity * self.size, capacity * self.width, capacity):
            raise ValueError("the arrays do not fit the slots")
        painted = [0.0] * (self.leaves * self.size)
        count = 0
        if self.answers is not None:
            begin_batch(self.answers)
        for slot in range(first, last):
            game = self.games[slot]
            advance(game, painted)
            count = place(self, slot, game, painted, arrays, count)
            if game.over and game.number != NO_GAME:
                ended.append((slot, game.number, game.winner, game.ending, game.opening_moves(), game.positions()))
                game.number = NO_GAME
        pad(self, arrays, count, capacity)
        return count

    def complete(self, first, last, priors, values):
        """Take the evaluations of the rows that `gather` has filled: at least as many rows of priors and values.

        ValueError for a wrong one; then nothing has changed.
        """
        rows = self.check_range(first, last, True)
        if len(priors) < rows or len(values) < rows or len(priors[0]) != self.width:
            raise ValueError(f"there must be an evaluation for each of {rows} leaves")
        for slot in range(first, last):
            wrong = copy_answers(self.games[slot], priors, values, self.width)
            if wrong == UNPLACED:
                raise ValueError("there are waiting leaves that are not in a batch")
            if wrong >= 0:
                row, column = divmod(wrong, self.width + 1)
                if column < self.width:
                    found = priors[row, column]
                    raise ValueError(f"priors[{row}, {column}] must be finite and at least 0, not {found:g}")
                raise ValueError(f"values[{row}] must lie in [-1, 1], not {values[row]:g}")
        for slot in range(first, last):
            take_answers(self.games[slot])
            self.ends[slot] = 0

    def waiting(self, first, last):
        """The number of rows of a batch that wait in the slots from `first` up to `last`."""
        if not 0 <= first <= last <= len(self.games):
            between("first", first, 0, len(self.games))
            between("last", last, first, len(self.games))
        rows = 0
        for slot in range(first, last):
            rows = max(rows, self.ends[slot])
        return rows

    def check_range(self, first, last, waits):
        """The number of rows waiting in the slots from `first` up to `last`. waits: whether some must, or none may."""
        rows = self.waiting(first, last)
        if (rows > 0) != waits:
            raise ValueError("nothing waits for an evaluation" if waits else "leaves wait for their evaluation")
        return rows

    def clear_cache(self):
        """Forget all answers of the evaluator."""
        if self.answers is not None:
            clear_answers(self.answers)

    def game(self, slot):
        """The game of a slot, a searcher, for inspection: with all simulations whose answers have been taken."""
        game = self.games[between("slot", slot, 0, len(self.games) - 1)]
        if game.answered:
            complete_game(game)
        return game
