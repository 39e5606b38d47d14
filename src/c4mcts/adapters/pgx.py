"""Arrays of pgx (its environment "connect_four") and mctx. NumPy arrays, which JAX accepts; needs neither package.

The observations of PettingZoo are the same: shape (height, width, 2), row 0 on top, discs of the observer first.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from .._validation import must_be
from ..board.arguments import AnyBoard, boards_with_same_rules
from ..board.board import Board
from ..board.positions import planes_of
from ..errors import NotationError
from ..rules import Rules, rules_or_default


def observations(boards: Iterable[AnyBoard]) -> npt.NDArray[np.bool_]:
    """The observations of pgx for the player to move: bool of shape (B, height, width, 2), row 0 on top, own discs
    first.

    Raises TypeError for anything but boards; ValueError for no boards, or boards of different rules.
    """
    return np.stack([observation_of(board, board.turn) for board in boards_with_same_rules(boards)])


def boards_of(observations: Any, rules: Rules | None = None) -> list[Board]:
    """The boards of observations of shape (B, height, width, 2), each of the player to move.

    rules: 7 x 6 by default. NotationError for any other array, and for impossible positions.
    """
    return [board_of(array, rules) for array in np.asarray(observations)]


def invalid_actions(boards: Iterable[AnyBoard]) -> npt.NDArray[np.bool_]:
    """The columns that can't be played, as mctx expects: bool of shape (B, width). Raises as `observations` does.

    (`legal_action_mask` of pgx is the opposite, but all true when a game is over.)
    """
    return ~np.stack([legal_mask(board) for board in boards_with_same_rules(boards)])


def observation_of(board: Board, player: int) -> npt.NDArray[np.bool_]:
    """A player's (0 or 1) observation of a board: bool of shape (height, width, 2), discs of that player first."""
    (planes,) = planes_of([board])
    own_first = planes if player == board.turn else planes[::-1]
    return np.array(own_first.transpose(1, 2, 0), dtype=np.bool_, order="C")


def board_of(observation: Any, rules: Rules | None = None) -> Board:
    """The board that the player to move observes: an array of shape (height, width, 2) of 0 and 1.

    rules: 7 x 6 by default. NotationError for an array of another shape or with other numbers, and for an
    impossible position.
    """
    rules = rules_or_default(rules)
    shape = (rules.height, rules.width, 2)
    planes = np.asarray(observation)
    if planes.shape != shape or not np.isin(planes, (0, 1)).all():
        raise NotationError(must_be("the observation", f"an array of 0 and 1 of the shape {shape}", observation))
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
