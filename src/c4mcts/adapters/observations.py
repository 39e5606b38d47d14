"""Observations of PettingZoo and pgx: arrays of shape (height, width, 2), row 0 on top, discs of the observer first."""

from typing import Any

import numpy as np
import numpy.typing as npt

from .._validation import refused
from ..board.board import Board
from ..board.planes import planes_of
from ..errors import NotationError
from ..rules import Rules


def observation_of(board: Board, player: int) -> npt.NDArray[np.bool_]:
    """A player's (0 or 1) observation of a board: bool of shape (height, width, 2), discs of that player first."""
    (planes,) = planes_of([board])
    own_first = planes if player == board.turn else planes[::-1]
    return np.array(own_first.transpose(1, 2, 0), dtype=np.bool_, order="C")


def board_of(observation: Any, rules: Rules | None = None) -> Board:
    """The board that the player to move observes: an array of shape (height, width, 2) of 0 and 1.

    rules: by default those of 7 x 6. NotationError for an array of another shape or with other numbers, and for an
    impossible position.
    """
    rules = Rules() if rules is None else rules
    shape = (rules.height, rules.width, 2)
    try:
        planes = np.asarray(observation)
    except Exception:
        planes = np.zeros(0)
    if planes.shape != shape or planes.dtype.kind not in "biuf" or not np.isin(planes, (0, 1)).all():
        raise NotationError(refused("the observation", f"an array of 0 and 1 of the shape {shape}", observation))
    own, other = (planes[..., plane] == 1 for plane in (0, 1))
    if (own & other).any():
        row, column = np.argwhere(own & other)[0].tolist()
        raise NotationError(f"row {row} (0 = top), column {column} has discs of both players in the observation")
    if own.sum() > other.sum():
        raise NotationError("the observation is of the player who has just moved, not of the player to move")
    first, second = (own, other) if own.sum() == other.sum() else (other, own)
    return Board.from_array(first + 2 * second.astype(np.int8), rules)


def legal_mask(board: Board) -> npt.NDArray[np.bool_]:
    """Which columns can be played: bool of shape (width,), all false when the game is over."""
    mask = np.zeros(board.rules.width, dtype=np.bool_)
    mask[board.legal_columns] = True
    return mask
