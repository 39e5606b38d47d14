"""What an experiment is asked for, checked."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .._validation import numbers, positive, shown, whole_number
from ..board.board import Board
from ..search.params import SearchParams

MAX_COUNT = 2**48  # beyond any patience, and exact as a float
MAX_POINTS = 1_000_000  # they come out of an iterable, which may have no end
PLAIN = SearchParams.preset("uct")  # what the experiments study unless told: the search without ingredients on top


def counts(name: str, values: object) -> npt.NDArray[np.int64]:
    """Whole numbers from 1 on, ascending, each once. TypeError, ValueError."""
    found = [count(name, value) for value in listed(name, values, "whole number")]
    return np.unique(np.array(found, dtype=np.int64))


def count(name: str, value: object) -> int:
    """A whole number from 1 on, which arrays have room for. TypeError, ValueError."""
    return positive(name, value, MAX_COUNT)


def listed(name: str, values: object, thing: str) -> list[Any]:
    """What is in an iterable: 1 to MAX_POINTS things. TypeError, ValueError."""
    found = numbers(name, values, f"{thing}s", MAX_POINTS)
    if not found:
        raise ValueError(f"{name} must be at least one {thing}")
    if len(found) > MAX_POINTS:
        raise ValueError(f"{name} must be at most {MAX_POINTS} {thing}s")
    return found


def columns(name: str, values: object, board: Board) -> tuple[int, ...]:
    """Legal columns, ascending, each once. TypeError, ValueError."""
    found = {whole_number(name, value) for value in listed(name, values, "column")}
    for column in sorted(found):
        if not board.is_legal(column):
            raise ValueError(f"{name}: column {shown(column)} can't be played on {board!r}")
    return tuple(sorted(found))


def named(name: str, things: Any, alone: str) -> dict[str, Any]:
    """Things by their names; a thing that comes without gets the name `alone`. TypeError, ValueError."""
    if not isinstance(things, Mapping):
        return {alone: things}
    if not things:
        raise ValueError(f"{name} must be at least one")
    for key in things:
        if not isinstance(key, str):
            raise TypeError(f"{name}: a name must be a string, not {shown(key)}")
    return dict(things)
