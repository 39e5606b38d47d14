"""What an experiment is asked for, checked."""

import secrets
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ..board import Board
from ..errors import GameOverError
from ..params import SearchParams
from ..rules import whole_number

PLAIN = SearchParams.preset("uct")  # what the experiments study unless told: the search without ingredients on top


def searchable(board: object, name: str = "board") -> Board:
    """A copy of an unfinished board. TypeError, GameOverError."""
    if not isinstance(board, Board):
        raise TypeError(f"{name} must be a Board, not {board!r}")
    if board.is_over():
        raise GameOverError(f"{name}: the game is over, there is nothing to search: {board!r}")
    return board.copy()


def search_params(params: object, name: str = "params") -> SearchParams:
    """The parameters. TypeError."""
    if not isinstance(params, SearchParams):
        raise TypeError(f"{name} must be a SearchParams, not {params!r}")
    return params


def positive(name: str, value: object) -> int:
    """A whole number from 1 on. TypeError, ValueError."""
    number = whole_number(name, value)
    if number < 1:
        raise ValueError(f"{name} must be at least 1, not {number}")
    return number


def counts(name: str, values: object) -> npt.NDArray[np.int64]:
    """Whole numbers from 1 on, ascending, each once. TypeError, ValueError."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be whole numbers, not {values!r}")
    numbers = [positive(name, value) for value in values]
    if not numbers:
        raise ValueError(f"{name} must be at least one number")
    return np.unique(np.array(numbers, dtype=np.int64))


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


def root_seed(seed: object) -> int:
    """The seed, or one drawn by chance for None. TypeError, ValueError."""
    if seed is None:
        return secrets.randbits(32)  # short enough for a title
    number = whole_number("seed", seed)
    if number < 0:
        raise ValueError(f"seed must be at least 0, not {number}")
    return number
