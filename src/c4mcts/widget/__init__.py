"""AnalysisBoard: the board and the analysis of `c4mcts web` in a notebook; users import it from c4mcts.view.

Needs the extra `notebook` (anywidget). Without it, AnalysisBoard is a picture that says so.
"""

from importlib.util import find_spec

if find_spec("anywidget") is None:
    from .still_board import StillBoard as AnalysisBoard
else:
    from .analysis_board import AnalysisBoard

__all__ = ["AnalysisBoard"]
