"""The arguments of experiments, and the run of their jobs. Errors name the argument and the value."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from .._validation import check_keywords, members, positive, shown
from ..executors.jobs import Job, JobSet, WorkOptions, perform
from ..rules import Rules
from ..search.params import SearchParams, UctParams
from .starts import Start

MAX_COUNT = 2**48  # simulations or runs; more than anybody can wait for, and exact as a float
MAX_POINTS = 1_000_000  # of an iterable argument, which may be endless
PLAIN = UctParams.preset("uct")  # default of all experiments: plain UCT


def counts(name: str, values: object) -> npt.NDArray[np.int64]:
    """Whole numbers of at least 1, sorted, without duplicates. TypeError, ValueError."""
    found = [positive(name, value, MAX_COUNT) for value in listed(name, values, "whole number")]
    return np.unique(np.array(found, dtype=np.int64))


def listed(name: str, values: object, thing: str) -> list[Any]:
    """The 1 to MAX_POINTS numbers of an iterable, as a list. thing: their name in errors. TypeError, ValueError."""
    found = members(name, values, f"{thing}s", MAX_POINTS)
    if not 1 <= len(found) <= MAX_POINTS:
        raise ValueError(f"{name} must be at least one {thing}, and at most {MAX_POINTS}")
    return found


def places(name: str, values: object, start: Start) -> tuple[int, ...]:
    """The places of legal moves, sorted, without duplicates. TypeError, ValueError."""
    legal = {place: start.moves[place] for place in start.legal}
    found = listed(name, values, start.noun)
    for move in found:
        if move not in legal.values():
            raise ValueError(f"{name}: {start.noun} {shown(move)} can't be played on {shown(start.position)}")
    return tuple(place for place, move in legal.items() if move in found)


def run_jobs(
    experiment: Callable[..., object],
    jobs: Sequence[Job],
    options: WorkOptions,
    run: Callable[..., tuple[list[Any], int]] = perform,
    /,
    **arguments: Any,
) -> tuple[list[Any], dict[str, Any]]:
    """Run the jobs of an experiment; return their results in order, and the arguments with the seed.

    experiment: the function that the user calls. run: what runs the jobs. arguments: with the name of the experiment
    they identify the work in a checkpoint.

    TypeError for wrong options; ValueError for a Game whose repr, which a checkpoint holds, does not tell its position.
    """
    check_keywords(experiment, options, WorkOptions)
    facts = {name: _plain(value, options.get("checkpoint") is not None) for name, value in arguments.items()}
    results, seed = run(JobSet(experiment.__name__, facts), jobs, **options)
    start = arguments.get("board")
    known = {"board": start.position, "moves": start.moves} if isinstance(start, Start) else {}
    return results, arguments | known | {"seed": seed}


def _plain(value: Any, is_kept: bool) -> Any:
    """An argument in JSON types. is_kept: whether a checkpoint will hold it. ValueError."""
    if isinstance(value, Start):
        kind: Any = type(value.position)
        if is_kept and kind.__repr__ is object.__repr__:
            raise ValueError(
                f"checkpoint: {kind.__name__} needs a __repr__ that tells its position, so that it is recognised"
            )
        return value.key
    if isinstance(value, dict):
        return {name: _plain(each, is_kept) for name, each in value.items()}
    if isinstance(value, tuple):
        return [_plain(each, is_kept) for each in value]
    if isinstance(value, Rules):
        return asdict(value)
    if isinstance(value, SearchParams):
        return value.to_dict()
    return value.tolist() if isinstance(value, np.ndarray) else value


def named(name: str, values: Any, default: str) -> dict[str, Any]:
    """A mapping of names to values as a dict; any other value gets the name `default`. TypeError, ValueError."""
    if not isinstance(values, Mapping):
        return {default: values}
    if not values:
        raise ValueError(f"{name} must be at least one")
    for key in values:
        if not isinstance(key, str):
            raise TypeError(f"{name}: a name must be a string, not {shown(key)}")
    return dict(values)
