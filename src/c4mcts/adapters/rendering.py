"""Rendering: what environments show of a board."""

from .._validation import word
from ..board.board import Board
from ..board.pixels import Pixels, pixels_of

RENDER_MODES = ("ansi", "rgb_array")


def render_mode_of(mode: str | None) -> str | None:
    """Check a render mode. ValueError."""
    return None if mode is None else word("render_mode", mode, RENDER_MODES)


def rendered(board: Board, mode: str | None) -> str | Pixels | None:
    """The board as text, as an array of pixels, or nothing."""
    return str(board) if mode == "ansi" else pixels_of(board) if mode == "rgb_array" else None
