"""Facts of a computation: the keys with which all JSON begins: what was computed, and how to reproduce it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Literal

from . import __version__
from .play.review import SEED, SIMULATIONS, Review
from .rules import Rules
from .search.params import SearchParams

PointOfView = Literal["player_to_move"]


def facts(
    *,
    backend: str,
    rules: Rules | None = None,
    preset: str | None = None,
    params: SearchParams | None = None,
    limits: Mapping[str, float | None] | None = None,
    threads: int | None = None,
    seed: int | None = None,
    point_of_view: PointOfView | None = None,
) -> dict[str, Any]:
    """The same keys for every command, in this order; None for those that do not apply.

    preset: its name; params: its parameters with all changes. limits: the options that end the work, by name.
    point_of_view: that of the values and scores.
    """
    return {
        "version": __version__,
        "backend": backend,
        "preset": preset,
        "params": None if params is None else params.to_dict(),
        "limits": None if limits is None else dict(limits),
        "threads": threads,
        "seed": seed,
        "rules": None if rules is None else asdict(rules),
        "point_of_view": point_of_view,
    }


def review_facts(result: Review, *, backend: str, simulations: int = SIMULATIONS, seed: int = SEED) -> dict[str, Any]:
    """A review as JSON, as printed by `c4mcts review --json` and returned by a session."""
    about = facts(
        backend=backend,
        rules=result.board.rules,
        limits={"simulations": simulations},
        threads=1,
        seed=seed,
        point_of_view="player_to_move",
    )
    return {**about, **result.to_dict()}
