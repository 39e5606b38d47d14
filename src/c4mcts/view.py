"""Pictures of trees, and a board for notebooks; boards, results and solutions have their own `svg()`.

growth          a search tree after 1, 7, 20, ... simulations as SVG
AnalysisBoard   a board for notebooks to click on, with a search that grows (extra `notebook`)
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from .board.arguments import AnyBoard
from .board.board import Board
from .page import drawable_copy
from .search.tree_svg import Growth, growth

if TYPE_CHECKING:
    from .page.widget import AnalysisBoard

__all__ = ["AnalysisBoard", "Growth", "growth"]

MISSING = "To play and analyse here: pip install 'c4mcts[notebook]', then restart the kernel."


class StillBoard:
    """A picture of a board: AnalysisBoard where anywidget is not installed."""

    result = None  # nothing is searched

    def __init__(self, board: AnyBoard | None = None) -> None:
        self.board = drawable_copy(Board() if board is None else board)

    def close(self) -> None:
        """Do nothing: there is no engine."""

    def _repr_html_(self) -> str:
        return f"<div>{drawable_copy(self.board).svg(360)}</div><p>{MISSING}</p>"

    def __repr__(self) -> str:
        return f"<c4mcts.view.AnalysisBoard {self.board!r}, a picture. {MISSING}>"


def __getattr__(name: str) -> Any:
    if name == "AnalysisBoard":  # loads anywidget, which takes a while
        if find_spec("anywidget") is None:
            return StillBoard
        from .page.widget import AnalysisBoard

        return AnalysisBoard
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
