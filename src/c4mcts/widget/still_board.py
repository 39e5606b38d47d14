"""AnalysisBoard without anywidget: a picture of the board, and what to install."""

from ..board.board import Board
from .positions import shown_board

MISSING = "To play and analyse here: pip install 'c4mcts[notebook]', then restart the kernel."


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
