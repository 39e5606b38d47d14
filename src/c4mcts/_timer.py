"""Timer: the time limit of a long call, and the rhythm of its progress reports."""

import math
import time
from collections.abc import Callable

from ._layout import UNLIMITED

REPORT_EVERY = 0.1  # seconds between two progress reports


class Timer:
    """Starts when it is made. seconds: the limit, None for no limit. interval: seconds between two reports."""

    def __init__(self, seconds: float | None, interval: float = REPORT_EVERY) -> None:
        self._start = time.monotonic()
        self._deadline = math.inf if seconds is None else self._start + seconds
        self._interval = interval
        self._next_report = self._start + interval

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start

    def remaining(self) -> float:
        """Seconds until the limit, at least 0; infinite without a limit."""
        return max(self._deadline - time.monotonic(), 0.0)

    def milliseconds(self) -> int:
        """Milliseconds until the limit, rounded up, at most UNLIMITED. The backends take limits in this unit."""
        left = 1000 * self.remaining()
        return UNLIMITED if left >= UNLIMITED else math.ceil(left)

    def is_over(self) -> bool:
        """Whether time is up."""
        return time.monotonic() >= self._deadline

    def poll(self, report: Callable[[], object] | None) -> bool:
        """Call `report` if a report is due; returns whether time is up, or the report has returned true.

        The next report is due one interval after the end of this one, so that slow reports leave time for the work.
        """
        is_ended = False
        if report is not None and time.monotonic() >= self._next_report:
            is_ended = bool(report())
            self._next_report = time.monotonic() + self._interval
        return is_ended or self.is_over()
