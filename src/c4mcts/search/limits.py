"""Limits: when a search ends."""

from dataclasses import dataclass

from .._validation import UNLIMITED, positive, positive_seconds


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends: at the first of these that is reached, but never before its first simulation.

    simulations: passes made by this call. seconds: wall clock, monotonic. nodes: size of the tree, children without
    visits included; since a small game's tree may never reach it, `nodes=n` ends after n simulations in any case.
    A search also ends when a node's counters are full, after 2**32 / (reward units of a win) visits: 2**31 unless the
    rewards are unusual, hours of work. The next search then starts a new tree.

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
