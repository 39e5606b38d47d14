"""Pictures of trees and games, and a board for notebooks; boards, results and reviews have their own `svg()`.

tree_dot        the top of a search tree in the DOT language, with values and proofs
game_dot        the moves of a whole game and its searches, in the DOT language
render          draws DOT text to .png, .svg or .pdf with Graphviz
growth          a search tree after 1, 7, 20, ... simulations as SVG
AnalysisBoard   a board for notebooks to click on, with a search that grows (extra `notebook`)
"""

from typing import TYPE_CHECKING, Any

from .search.dot import game_dot, render, tree_dot
from .search.tree_growth import Growth, TreePicture, growth

if TYPE_CHECKING:
    from .widget import AnalysisBoard

__all__ = ["AnalysisBoard", "Growth", "TreePicture", "game_dot", "growth", "render", "tree_dot"]


def __getattr__(name: str) -> Any:
    if name == "AnalysisBoard":  # loads anywidget, which takes a while
        from .widget import AnalysisBoard

        return AnalysisBoard
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
