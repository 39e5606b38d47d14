"""Facts of a computation: the keys with which all JSON begins: what was computed, and how to reproduce it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Literal, Required, TypedDict, Unpack

from . import __version__
from .play.review import SEED, SIMULATIONS, Review
from .rules import Rules
from .search.params import SearchParams


class KnownFacts(TypedDict, total=False):
    """What may be known of a computation."""

    backend: Required[str]
    preset: str | None  # its name
    params: SearchParams  # of the preset, with all changes
    limits: Mapping[str, float | None]  # the options that end the work, by name
    threads: int
    seed: int | None
    rules: Rules
    point_of_view: Literal["player_to_move"]  # of the values and scores


def facts(**known: Unpack[KnownFacts]) -> dict[str, Any]:
    """The same keys for every command, in this order; None for those that do not apply."""
    found: dict[str, Any] = {"version": __version__, **dict.fromkeys(KnownFacts.__annotations__), **known}
    if "params" in known:
        found["params"] = known["params"].to_dict()
    if "rules" in known:
        found["rules"] = asdict(known["rules"])
    return found


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
