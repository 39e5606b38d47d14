"""Provenance: the keys with which all JSON begins, which say how a result was computed."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Literal, Required, TypedDict, Unpack

from . import __version__
from .play.review import SEED, SIMULATIONS, Review
from .rules import Rules
from .search.params import SearchParams


class Origin(TypedDict, total=False):
    """How a result was computed; keys that do not apply are absent."""

    backend: Required[str]
    preset: str | None  # its name
    params: SearchParams  # of the preset, with all changes
    limits: Mapping[str, float | None]  # the options that end the work, by name
    threads: int
    seed: int | None
    rules: Rules
    point_of_view: Literal["player_to_move"]  # of the values and scores


def provenance(**origin: Unpack[Origin]) -> dict[str, Any]:
    """The keys with which the JSON of every command begins, in this order; None where they do not apply."""
    keys: dict[str, Any] = {"version": __version__, **dict.fromkeys(Origin.__annotations__), **origin}
    if "params" in origin:
        keys["params"] = origin["params"].to_dict()
    if "rules" in origin:
        keys["rules"] = asdict(origin["rules"])
    return keys


def review_report(result: Review, *, backend: str, simulations: int = SIMULATIONS, seed: int = SEED) -> dict[str, Any]:
    """A review as JSON, as printed by `c4mcts review --json` and returned by a session."""
    origin = provenance(
        backend=backend,
        rules=result.board.rules,
        limits={"simulations": simulations},
        threads=1,
        seed=seed,
        point_of_view="player_to_move",
    )
    return {**origin, **result.to_dict()}
