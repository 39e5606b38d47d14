"""Arguments that several calls take, checked."""

import secrets

from .board import Board
from .errors import GameOverError
from .params import SearchParams
from .rules import whole_number


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


def root_seed(seed: object) -> int:
    """The seed, or one drawn by chance for None. TypeError, ValueError."""
    if seed is None:
        return secrets.randbits(32)  # short enough for a title
    number = whole_number("seed", seed)
    if number < 0:
        raise ValueError(f"seed must be at least 0, not {number}")
    return number
