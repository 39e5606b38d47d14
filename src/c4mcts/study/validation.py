"""Checks of the arguments of experiments; each error names the argument and the value."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .._validation import numbers, positive, shown, whole_number
from ..board.board import Board
from ..search.params import SearchParams

MAX_COUNT = 2**48  # simulations or runs; more than anybody can wait for, and exact as a float
MAX_POINTS = 1_000_000  # of an iterable argument, which may be endless
PLAIN = SearchParams.preset("uct")  # default of all experiments: plain UCT


def counts(name: str, values: object) -> npt.NDArray[np.int64]:
    """Whole numbers of at least 1, sorted, without duplicates. TypeError, ValueError."""
    found = [count(name, value) for value in listed(name, values, "whole number")]
    return np.unique(np.array(found, dtype=np.int64))


def count(name: str, value: object) -> int:
    """A whole number from 1 to MAX_COUNT. TypeError, ValueError."""
    return positive(name, value, MAX_COUNT)


def listed(name: str, values: object, thing: str) -> list[Any]:
    """The 1 to MAX_POINTS numbers of an iterable, as a list. thing: their name in errors. TypeError, ValueError."""
    found = numbers(name, values, f"{thing}s", MAX_POINTS)
    if not found:
        raise ValueError(f"{name} must be at least one {thing}")
    if len(found) > MAX_POINTS:
        raise ValueError(f"{name} must be at most {MAX_POINTS} {thing}s")
    return found


def columns(name: str, values: object, board: Board) -> tuple[int, ...]:
    """Legal columns of the board, sorted, without duplicates. TypeError, ValueError."""
    found = {whole_number(name, value) for value in listed(name, values, "column")}
    for column in sorted(found):
        if not board.is_legal(column):
            raise ValueError(f"{name}: column {shown(column)} can't be played on {board!r}")
    return tuple(sorted(found))


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
