"""Many games of self-play whose leaves are evaluated in batches.

The slots, each of which holds one game after the other, are divided into equal groups with a batch each. A call of
`gather` or `complete` is for one group. The games share nothing, so they don't depend on their number.
"""

from math import inf

from .._layout import MAX_ANSWERS, MAX_ROWS, MAX_THREADS, NO_GAME
from .._validation import between
from .answers import Answers, begin_batch, clear_answers, keep, row_of
from .game import KNOWN, SelfPlayGame, advance, complete_game

TOLERANCE = 1e-6  # by which a value may exceed [-1, 1], for rounding in single precision


class BatchArrays:
    """The memory of a batch."""

    def __init__(self, planes, legal, rows):
        """Flat arrays, which `gather` fills from the front; rows: by row of the batch, the number of its game."""
        width = len(legal) // max(1, len(rows))
        self.planes = planes
        self.legal = legal
        self.rows = rows
        self.columns = [0] * len(rows)  # by row: the open columns, a bit for each
        self.answers = [[0.0] * (width + 1) for _ in rows]  # by row: priors for all columns, and then the value
        self.waiting = 0  # number of rows that wait for their answers


def copy_answers(arrays, priors, values, width):
    """Copy the answers for the rows that wait, and return the first wrong number, as row * (width + 1) + column.

    Column `width` is the value's. -1 if all are right. Priors of full columns may be anything.
    """
    for row in range(arrays.waiting):
        columns = arrays.columns[row]
        answer = arrays.answers[row] = [*priors[row].tolist(), float(values[row])]
        for column in range(width):
            if columns >> column & 1 and not 0.0 <= answer[column] < inf:
                return row * (width + 1) + column
        if not -1.0 - TOLERANCE <= answer[width] <= 1.0 + TOLERANCE:
            return row * (width + 1) + width
    return -1


def place(game, painted, arrays, count, size):
    """Append the leaves of a game to a batch of `count` leaves; returns the new number of leaves.

    With answers, a leaf whose answer is known gets no row, and leaves of the same position share one.
    """
    width = game.tree.geometry.width
    for i in range(game.waiting):
        if game.answers is not None:
            if game.places[i] == KNOWN:
                continue
            game.places[i] = row_of(game.answers, game.keys[i], count)
            if game.places[i] < count:
                continue
        game.places[i] = count
        arrays.planes[count * size : (count + 1) * size] = painted[i * size : (i + 1) * size]
        columns = arrays.columns[count] = game.leaves[i].legal
        for column in range(width):
            arrays.legal[count * width + column] = columns >> column & 1
        arrays.rows[count] = game.number
        count += 1
    return count


def keep_answers(game, arrays):
    """Enter the answers for the leaves of a game."""
    for i in range(game.waiting):
        if game.places[i] != KNOWN:
            keep(game.answers, game.keys[i], arrays.answers[game.places[i]])


def pad(arrays, first, size, width):
    """Fill the rows of a batch from `first` on, which have no leaf: an empty board with all columns open."""
    for row in range(first, len(arrays.rows)):
        arrays.rows[row] = NO_GAME
        for i in range(row * size, (row + 1) * size):
            arrays.planes[i] = 0.0
        for i in range(row * width, (row + 1) * width):
            arrays.legal[i] = 1


class GamePool:
    """A fixed number of slots for games."""

    def __init__(self, rules, settings, options, batches, threads, cache):
        """settings: a _layout.Settings. options: a _layout.PlaySettings. threads: number that share the work of a call.

        batches: the BatchArrays of each group, of equal sizes; a slot has settings.batch_size rows. cache: number of
        evaluator answers to keep; 0 for none, so that every leaf gets a row in the batch.
        """
        self.batches = list(batches)
        self.width = rules.width
        self.leaves = settings.batch_size
        self.size = rules.width * rules.height * (1 if settings.signed_planes else 2)
        rows = len(self.batches[0].rows)
        self.group_size = rows // self.leaves
        slots = len(self.batches) * self.group_size
        between("slots", slots, 1, MAX_ROWS)
        between("slots times batch_size", slots * self.leaves, 1, MAX_ROWS)
        between("threads", threads, 1, MAX_THREADS)
        between("cache", cache, 0, MAX_ANSWERS)
        for arrays in self.batches:
            sizes = len(arrays.planes), len(arrays.legal), len(arrays.rows)
            if sizes != (rows * self.size, rows * self.width, self.group_size * self.leaves):
                raise ValueError("the arrays do not fit the slots")
        self.answers = Answers(cache, rules.width, slots * self.leaves) if cache else None
        self.games = [SelfPlayGame(rules, settings, (0, 1), None) for _ in range(slots)]
        for game in self.games:
            game.prepare(options, self.answers)

    def start(self, slot, number, own, mask, a, b, opening):
        """Start a game in a slot: its number, its position, and the state of its generator, not both zero.

        opening: number of moves before the first search, drawn from the priors.
        """
        self.game(slot).start(number, own, mask, a, b, opening)

    def gather(self, group, ended):
        """Play in the slots of a group, until each game has leaves that wait, or is over; returns the number of leaves.

        The batch is filled with them. (slot, number, winner, ending, opening_moves, positions) of every game that ends
        is appended to a list.
        """
        arrays = self.batch(group)
        if arrays.waiting:
            raise ValueError("leaves wait for their evaluation")
        painted = [0.0] * (self.leaves * self.size)
        count = 0
        if self.answers is not None:
            begin_batch(self.answers)
        for slot in range(group * self.group_size, (group + 1) * self.group_size):
            game = self.games[slot]
            advance(game, painted, arrays.answers)
            count = place(game, painted, arrays, count, self.size)
            if game.over and game.number != NO_GAME:
                ended.append((slot, game.number, game.winner, game.ending, game.opening_moves(), game.positions()))
                game.number = NO_GAME
        pad(arrays, count, self.size, self.width)
        arrays.waiting = count
        return count

    def complete(self, group, priors, values):
        """Take the evaluations of the rows that `gather` has filled: at least as many rows of priors and values.

        ValueError for a wrong one; then the batch still waits.
        """
        arrays = self.batch(group)
        if not arrays.waiting:
            raise ValueError("nothing waits for an evaluation")
        if len(priors) < arrays.waiting or len(values) < arrays.waiting or len(priors[0]) != self.width:
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
                keep_answers(self.games[slot], arrays)
        arrays.waiting = 0

    def waiting(self, group):
        """The number of rows in the batch of a group that wait for their evaluation."""
        return self.batch(group).waiting

    def batch(self, group):
        """The batch of a group. ValueError."""
        return self.batches[between("group", group, 0, len(self.batches) - 1)]

    def clear_cache(self):
        """Forget all answers of the evaluator."""
        if self.answers is not None:
            clear_answers(self.answers)

    def game(self, slot):
        """The game of a slot, a searcher, for inspection: with all simulations whose answers have been taken."""
        game = self.games[between("slot", slot, 0, len(self.games) - 1)]
        arrays = self.batch(slot // self.group_size)
        if game.waiting and not arrays.waiting:
            complete_game(game, arrays.answers)
        return game
