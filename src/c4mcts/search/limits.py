"""Limits of a search, and the pace at which the engine looks up from its work."""

import math
import time
from dataclasses import dataclass

from .._validation import positive, real_number, refused

LOOK_UP = 0.010  # seconds between two looks at the clock, at stop() and at Ctrl-C
UNLIMITED = 2**64 - 1


def positive_seconds(name: str, value: object) -> float:
    """The value as a float; TypeError or ValueError, with the name, if it is no positive and finite number."""
    seconds = real_number(name, value)
    if not (seconds > 0 and math.isfinite(seconds)):
        raise ValueError(refused(name, "positive and finite", value))
    return seconds


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends: at the first of these that is reached, but never before its first simulation.

    simulations: passes made by this call. seconds: wall clock, monotonic. nodes: size of the tree, children without
    visits included; since a small game's tree may never reach it, `nodes=n` ends after n simulations in any case.
    A search also ends when a node of its tree has counted all it can, 2**32 / (reward units of a win) visits: 2**31
    unless the rewards are unusual, hours of work. The next search then starts a new tree.

    Raises TypeError or ValueError, naming the field and the value; ValueError if there is no limit at all.
    """

    simulations: int | None = None
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None and self.nodes is None:
            raise ValueError("a search needs a limit: simulations=, seconds= or nodes=")
        for name in ("simulations", "nodes"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, min(positive(name, value), UNLIMITED))
        if self.seconds is not None:
            object.__setattr__(self, "seconds", positive_seconds("seconds", self.seconds))


class Pace:
    """Cuts a search into stretches of about LOOK_UP seconds, and ends it at its limits.

    cut: False for a search that looks up by itself, and is not to be cut.
    """

    def __init__(self, limits: Limits, cut: bool = True) -> None:
        self._cut = cut
        self.start = self._last = time.monotonic()
        self.simulations = 0
        self.nodes = UNLIMITED if limits.nodes is None else limits.nodes
        self._deadline = math.inf if limits.seconds is None else self.start + limits.seconds
        self._simulations = min(limits.simulations or UNLIMITED, limits.nodes or UNLIMITED)
        self._stretch = 1

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.start

    def is_over(self) -> bool:
        """Whether time is up."""
        return time.monotonic() >= self._deadline

    def left(self) -> int:
        """How many simulations the limits still allow."""
        return self._simulations - self.simulations

    def stretch(self) -> int:
        """How many simulations to run next; 0 when a limit is reached."""
        if self.simulations and self.is_over():
            return 0
        return min(self._stretch, self.left()) if self._cut else self.left()

    def done(self, simulations: int) -> None:
        """Take note of a stretch that has been run, and size the next one by its speed."""
        now = time.monotonic()
        self.simulations += simulations
        speed = simulations / max(now - self._last, 1e-6)
        room = min(LOOK_UP, max(self._deadline - now, 0.0))
        # growth is bounded, because the first simulations of a tree are the quickest
        self._stretch = max(1, min(int(speed * room), 4 * self._stretch))
        self._last = now
