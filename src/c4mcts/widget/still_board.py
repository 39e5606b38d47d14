"""AnalysisBoard without anywidget: a picture of the board, and what to install."""

from .._validation import between
from ..board.board import Board
from ..board.positions import a_board

RANGES = {"width": (1, 20), "height": (1, 14), "connect": (2, 20)}  # of the rules that the page can draw
MISSING = "To play and analyse here: pip install 'c4mcts[notebook]', then restart the kernel."


def shown_board(board: object) -> Board:
    """A copy of a board that the page can draw. TypeError, ValueError."""
    found = a_board(board).copy()
    for name, (low, high) in RANGES.items():
        between(f"board.rules.{name}", getattr(found.rules, name), low, high)
    return found


class StillBoard:
    """A picture of a board in place of the widget. Raises TypeError or ValueError naming the argument."""

    result = None  # nothing is searched

    def __init__(self, board: Board | None = None) -> None:
        self.board = Board() if board is None else board

    @property
    def board(self) -> Board:
        """A copy of the board."""
        return self._board.copy()

    @board.setter
    def board(self, board: Board) -> None:
        self._board = shown_board(board)

    def close(self) -> None:
        """Do nothing: there is no engine."""

    def _repr_html_(self) -> str:
        return f"<div>{self._board.svg(360)}</div><p>{MISSING}</p>"

    def __repr__(self) -> str:
        return f"<c4mcts.view.AnalysisBoard {self._board!r}, a picture. {MISSING}>"
