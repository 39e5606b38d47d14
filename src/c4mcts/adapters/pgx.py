"""Arrays of pgx (its environment "connect_four") and mctx. NumPy arrays, which JAX accepts; needs neither package."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from .._validation import members, refused
from ..board.board import Board
from ..board.planes import MAX_BOARDS
from ..board.positions import a_board
from ..errors import NotationError
from ..rules import Rules
from .observations import board_of, legal_mask, observation_of


def observations(boards: Iterable[Board]) -> npt.NDArray[np.bool_]:
    """The observations of pgx for the player to move: bool of shape (B, height, width, 2), row 0 on top, own discs
    first.

    Raises TypeError for anything but boards; ValueError for no boards, or boards of different rules.
    """
    return np.stack([observation_of(board, board.turn) for board in _boards(boards)])


def boards_of(observations: Any, rules: Rules | None = None) -> list[Board]:
    """The boards of observations of shape (B, height, width, 2), each of the player to move.

    rules: by default those of 7 x 6. NotationError for any other array, and for impossible positions.
    """
    try:
        arrays = list(np.asarray(observations))
    except Exception:
        raise NotationError(refused("observations", "an array of observations", observations)) from None
    return [board_of(array, rules) for array in arrays]


def invalid_actions(boards: Iterable[Board]) -> npt.NDArray[np.bool_]:
    """The columns that can't be played, as mctx expects: bool of shape (B, width). Raises as `observations` does.

    (`legal_action_mask` of pgx is the opposite, but all true when a game is over.)
    """
    return ~np.stack([legal_mask(board) for board in _boards(boards)])


def _boards(boards: Iterable[Board]) -> list[Board]:
    found = [a_board(board, "boards") for board in members("boards", boards, "Boards", MAX_BOARDS)]
    if len({board.rules for board in found}) != 1:
        raise ValueError(refused("boards", "at least one, and of the same rules", boards))
    return found
