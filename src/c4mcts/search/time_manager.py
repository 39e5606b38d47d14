"""TimeManager: divides a search into short slices and ends it at its limits."""

import time

from .._timer import Timer
from .._validation import UNLIMITED
from .limits import COLUMNS, Limits

SLICE_SECONDS = 0.010  # between two slices the search looks at the clock, at stop() and at Ctrl-C


class TimeManager:
    """Says how many simulations to run next.

    sliced: False for a search that looks at the clock itself and is run in one piece.
    """

    def __init__(self, limits: Limits, timer: Timer, sliced: bool = True) -> None:
        self.simulations = 0  # run so far
        self.max_nodes = limits.nodes or UNLIMITED
        assert limits.simulations != COLUMNS  # see Limits.on
        self._max_simulations = min(limits.simulations or UNLIMITED, self.max_nodes)
        self._timer = timer
        self._sliced = sliced
        self._slice = 1  # simulations
        self._slice_start = time.monotonic()

    def remaining(self) -> int:
        """How many simulations the limits still allow."""
        return self._max_simulations - self.simulations

    def next_slice(self) -> int:
        """How many simulations to run next; 0 when a limit is reached. The first slice is run in any case."""
        if self.simulations and self._timer.is_over():
            return 0
        return min(self._slice, self.remaining()) if self._sliced else self.remaining()

    def record(self, simulations: int) -> None:
        """Count the simulations of a slice, and size the next slice by their speed."""
        now = time.monotonic()
        self.simulations += simulations
        speed = simulations / max(now - self._slice_start, 1e-6)
        seconds = min(SLICE_SECONDS, self._timer.remaining())
        # at most four times as many, because the first simulations of a tree are the fastest
        self._slice = max(1, min(int(speed * seconds), 4 * self._slice))
        self._slice_start = now
