"""The page of `c4mcts web` and of notebooks: its files in `static`, its export, and the boards that it can draw.

A page is a client of c4mcts.protocol: over a socket of c4mcts.http, in a Web Worker, or in a notebook.
"""

from pathlib import Path

from .._validation import between
from ..board.arguments import a_board
from ..board.board import Board

STATIC = Path(__file__).parent / "static"
RANGES = {"width": (1, 20), "height": (1, 14), "connect": (2, 20)}  # of the rules that the page can draw


def drawable_copy(board: object) -> Board:
    """A copy of a board that the page can draw, or of the text of one. TypeError, ValueError."""
    copy = a_board(board).copy()
    for name, (low, high) in RANGES.items():
        between(f"board.rules.{name}", getattr(copy.rules, name), low, high)
    return copy
