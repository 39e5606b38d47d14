"""Positions as a widget exchanges them with the browser: {"moves", "rules" or "fen"}, as in the protocol."""

from dataclasses import asdict
from typing import Any

from .._validation import between
from ..board.board import Board
from ..board.positions import a_board
from ..protocol.messages import Keys, Refusal, read_last_turn

MOST = {"width": (1, 20), "height": (1, 14), "connect": (2, 20)}  # what the page draws

Position = dict[str, Any]


def shown_board(board: object) -> Board:
    """A copy of a board, if it is one that the page can show. TypeError, ValueError."""
    found = a_board(board).copy()
    for name, (low, high) in MOST.items():
        between(f"board.rules.{name}", getattr(found.rules, name), low, high)
    return found


def position_of(board: Board) -> Position:
    """The position of a board, with its moves."""
    start = board.copy()
    while start.moves:
        start.pop()
    found = {"fen": start.to_fen()} if start.ply else {"rules": asdict(board.rules)}
    return {**found, "moves": list(board.moves)}


def board_of(position: Position) -> Board:
    """The board of a position. ValueError."""
    try:
        return read_last_turn(Keys(position))[1]
    except Refusal as refusal:
        raise ValueError(str(refusal)) from None
