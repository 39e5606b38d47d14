"""What an experiment is asked for, checked."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .._validation import positive, whole_number
from ..board.board import Board
from ..search.params import SearchParams

MOST = 2**53  # up to here a float holds every whole number
PLAIN = SearchParams.preset("uct")  # what the experiments study unless told: the search without ingredients on top


def counts(name: str, values: object) -> npt.NDArray[np.int64]:
    """Whole numbers from 1 on, ascending, each once. TypeError, ValueError."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be whole numbers, not {values!r}")
    numbers = [countable(name, value) for value in values]
    if not numbers:
        raise ValueError(f"{name} must be at least one number")
    return np.unique(np.array(numbers, dtype=np.int64))


def countable(name: str, value: object) -> int:
    """A whole number from 1 to MOST. TypeError, ValueError."""
    number = positive(name, value)
    if number > MOST:
        raise ValueError(f"{name} must be at most {MOST}, not {number}")
    return number


def columns(name: str, values: object, board: Board) -> tuple[int, ...]:
    """Legal columns, ascending, each once. TypeError, ValueError."""
    if not isinstance(values, Collection) or isinstance(values, str | bytes):
        raise TypeError(f"{name} must be columns, not {values!r}")
    numbers = {whole_number(name, value) for value in values}
    if not numbers:
        raise ValueError(f"{name} must be at least one column")
    for column in sorted(numbers):
        if not board.is_legal(column):
            raise ValueError(f"{name}: column {column} can't be played on {board!r}")
    return tuple(sorted(numbers))


def named(name: str, things: Any, alone: str) -> dict[str, Any]:
    """Things by their names; a thing that comes without gets the name `alone`. TypeError, ValueError."""
    if not isinstance(things, Mapping):
        return {alone: things}
    if not things:
        raise ValueError(f"{name} must be at least one")
    for key in things:
        if not isinstance(key, str):
            raise TypeError(f"{name}: a name must be a string, not {key!r}")
    return dict(things)
