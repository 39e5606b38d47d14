"""Pictures of boards, search results and trees.

svg           a board as SVG
result_svg    a board and the result of a search on it as SVG
solution_svg  a board and the exact scores of its columns as SVG
tree_svg      the top of a search tree as SVG
dot           the same in the DOT language, with values and proofs
game_dot      the moves of a whole game and what was searched, in the DOT language
growth        a search tree after 1, 7, 20, ... simulations as SVG
graphviz      draws DOT text to .png, .svg or .pdf with the program `dot`

AnalysisBoard  a board for notebooks to click on, with a search that grows (extra `notebook`)
"""

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "AnalysisBoard":  # by a higher layer, which imports anywidget
        from ..widget import AnalysisBoard

        return AnalysisBoard
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
