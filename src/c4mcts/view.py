"""Pictures of trees, and a board for notebooks; boards, results and solutions have their own `svg()`.

tree_dot        the top of a search tree in the DOT language, with values and proofs
growth          a search tree after 1, 7, 20, ... simulations as SVG
AnalysisBoard   a board for notebooks to click on, with a search that grows (extra `notebook`)
"""

from typing import TYPE_CHECKING, Any

from .search.dot import tree_dot
from .search.tree_svg import Growth, growth

if TYPE_CHECKING:
    from .page.widget import AnalysisBoard

__all__ = ["AnalysisBoard", "Growth", "growth", "tree_dot"]


def __getattr__(name: str) -> Any:
    if name == "AnalysisBoard":  # loads anywidget, which takes a while
        from .page.widget import AnalysisBoard

        return AnalysisBoard
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
