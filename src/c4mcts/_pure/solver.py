"""The solver: exact searches that share a transposition table."""

from math import inf

from .._layout import MAX_TABLE_BITS
from .._validation import between
from ..rules import discs
from .alphabeta import Task, find_bounds
from .bounds import Situation
from .cells import geometry_of
from .ordering import use_weights
from .poll import Poll, begin, finish
from .table import Table, set_words, words


class AlphaBetaSolver:
    """Solves positions of one rule set."""

    def __init__(self, rules, size_bits, poll_interval, threads=1, max_size_bits=0, order=None):
        """size_bits, max_size_bits: see Table; by default it does not grow. poll_interval: nodes between two calls of
        `poll`, at most. threads: 1.
        """
        self.rules = rules
        between("threads", threads, 1, 1)
        geometry = geometry_of(self.rules)
        size_bits = between("size_bits", size_bits, 1, MAX_TABLE_BITS)
        max_size_bits = max(size_bits, between("max_size_bits", max_size_bits, 0, MAX_TABLE_BITS))
        table = Table(geometry.width * (geometry.height + 1), size_bits, max_size_bits)
        self.task = Task(geometry, table, poll_interval)
        if order is not None:
            use_weights(self.task.ordering, *order)
        self.poll = Poll()

    def solve(self, own, mask, low, high, budget, poll, milliseconds=inf):
        """Bounds (lower, upper) of a position's score: equal, or both at least `high`, or both at most `low`.

        Wider if the search was stopped: by `budget` nodes in the life of this solver, after these milliseconds, or by
        `poll` returning true, which is called about every 10 ms. Exceptions of poll are raised here; the solver stays
        usable.
        """
        situation = Situation()
        geometry = self.task.geometry
        own, mask = discs(geometry.width, geometry.height, own, mask)
        self.task.budget = budget
        self.task.next_poll = 0
        self.task.poll = self.poll
        begin(self.poll, poll, milliseconds)
        try:
            find_bounds(self.task, situation, own, mask, low, high)
        finally:
            finish(self.poll)
        return situation.lower, situation.upper

    def nodes(self):
        return self.task.nodes

    def nbytes(self):
        """Approximate memory of the table in bytes."""
        return 400 * len(self.task.table.buckets)

    def words(self):
        return words(self.task.table)

    def set_words(self, data):
        """Set the entries of the table, see table.set_words; False, and nothing is changed, if they are not valid."""
        return set_words(self.task.table, data)
