"""Limits: when a search ends."""

from dataclasses import dataclass
from typing import Literal, TypedDict

from .._layout import UNLIMITED
from .._validation import must_be, positive, positive_seconds
from .params import GumbelParams, SearchParams

COLUMNS: Literal["columns"] = "columns"
Simulations = int | Literal["columns"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends: at the first of these that is reached, but never before its first simulation.

    simulations: made by this call; "columns" means one for each column that is not full.
    seconds: wall clock, monotonic. nodes: size of the tree, children without visits included; since the tree of a small
    game may never reach it, `nodes=n` ends after n simulations in any case.
    A search also ends when a node's counters are full, after 2**32 / (reward units of a win) visits: 2**31 unless the
    rewards are unusual, hours of work, and 42 million with a discount. The next search then starts a new tree.

    Raises ValueError if there is no limit at all.
    """

    simulations: Simulations | None = None
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None and self.nodes is None:
            raise ValueError("a search needs a limit: simulations=, seconds= or nodes=")
        if isinstance(self.simulations, str):
            if self.simulations != COLUMNS:
                raise TypeError(must_be("simulations", f"an integer or {COLUMNS!r}", self.simulations))
        elif self.simulations is not None:
            object.__setattr__(self, "simulations", min(positive("simulations", self.simulations), UNLIMITED))
        if self.nodes is not None:
            object.__setattr__(self, "nodes", min(positive("nodes", self.nodes), UNLIMITED))
        if self.seconds is not None:
            object.__setattr__(self, "seconds", positive_seconds("seconds", self.seconds))


class LimitOptions(TypedDict, total=False):
    """The fields of Limits, as keyword arguments of a function."""

    simulations: Simulations | None
    seconds: float | None
    nodes: int | None


def check_budget(params: SearchParams, simulations: Simulations | None) -> None:
    """ValueError if a search with these parameters needs a number of simulations, and has none."""
    if isinstance(params, GumbelParams) and simulations is None:
        raise ValueError(
            "GumbelParams divide the simulations of a search among the moves: it needs a limit in simulations"
        )
