"""What notebooks show: executed by nbclient, and AnalysisBoard without a browser, on its side in Python."""

import importlib.util
import json
import sys
from xml.etree import ElementTree

import pytest
from conversation import wait_for_threads
from page import is_ci
from polling import until

from c4mcts import Board, Engine, Rules, solve, study

PARTS = ("anywidget", "ipykernel", "nbclient", "matplotlib")
MISSING = [name for name in PARTS if importlib.util.find_spec(name) is None]
if MISSING and not is_ci():
    pytest.skip(f"needs the extra test: {', '.join(MISSING)}", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("ignore:Proactor event loop:RuntimeWarning")  # of pyzmq on Windows
BOARD = Board.from_pons("4453")
SEARCH = {"id": "1", "action": "analyze", "moves": [3, 3, 4, 2], "maxTime": 60, "reportDuringSearchEvery": 0.05}
CELLS = {
    "solution": "from c4mcts import *; from c4mcts import study; solve(Board.from_pons('4453'))",
    "experiment": "study.action_frequency(Board(), simulations=50, runs=5, seed=1, progress=True)",
    "new engine": "engine = Engine(seed=1); engine",
    "engine": "engine.search(Board(), simulations=50); engine",
    "widget": "from c4mcts.view import AnalysisBoard; display(AnalysisBoard('4453'), AnalysisBoard())",
}


@pytest.fixture(scope="module")
def outputs():
    """The outputs of each cell, as a list of their data by MIME type."""
    import nbformat
    from nbclient import NotebookClient

    cells = [nbformat.v4.new_code_cell(source) for source in CELLS.values()]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=300, startup_timeout=300).execute()
    assert [output for cell in notebook.cells for output in cell.outputs if output.output_type == "stream"] == []
    assert json.dumps(notebook.metadata).count("new ResizeObserver") == 1, "the page is saved once, not for each board"
    return {name: [output.data for output in cell.outputs] for name, cell in zip(CELLS, notebook.cells, strict=True)}


def test_a_solution_shows_its_scores(outputs):
    (data,) = outputs["solution"]
    assert data["image/svg+xml"] == solve(BOARD)._repr_svg_()


def test_an_experiment_shows_its_plot_and_its_progress_is_no_empty_box(outputs):
    progress, plot = outputs["experiment"]
    assert progress["text/plain"].endswith("5/5")
    assert "max='5' value='5'" in progress["text/html"]
    assert ElementTree.fromstring(plot["image/svg+xml"]).tag.endswith("svg")
    assert "text/html" not in plot


def test_an_engine_shows_its_tree_if_it_has_one(outputs):
    (empty,), (data,) = outputs["new engine"], outputs["engine"]
    assert empty == {"text/plain": "<c4mcts.Engine native, 0 nodes>"} or "pure" in empty["text/plain"]
    assert ">50 simulations<" in data["image/svg+xml"]


def test_the_widget_is_one(outputs):
    shown = outputs["widget"]
    assert all("application/vnd.jupyter.widget-view+json" in data for data in shown)
    assert [data["image/svg+xml"] for data in shown] == [BOARD.svg(), Board().svg()]


def test_without_matplotlib_an_experiment_shows_its_table(monkeypatch):
    found = study.action_frequency(Board(), simulations=20, runs=3, seed=1)
    assert found._repr_html_() is None
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert found._repr_svg_() is None
    assert found._repr_html_() == f"<pre>{found}</pre>"


def test_a_search_and_pondering_are_not_disturbed_by_a_picture():
    engine = Engine(seed=1)
    drawn = []

    def draw(_):
        drawn.append(engine._repr_svg_())
        engine.stop()

    engine.search(Board(), seconds=60, on_progress=draw)
    assert drawn
    assert "<svg" in engine._repr_svg_()
    engine.ponder(Board())
    assert engine._repr_svg_() is None
    nodes = repr(engine)
    until(lambda: repr(engine) != nodes)
    engine.stop()


@pytest.fixture
def widget():
    """A widget of BOARD whose messages are collected in `sent`."""
    from c4mcts.view import AnalysisBoard

    found = AnalysisBoard(BOARD)
    found.sent = []
    found.send = found.sent.append
    yield found
    found.close()


def tell(widget, view, **message):
    send(widget, {"view": view, "text": json.dumps(message)})


def send(widget, content):
    """A message of the widget's side in the browser."""
    widget.comm.handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})


def replies(widget, view):
    return [each["reply"] for each in list(widget.sent) if each["view"] == view]


def test_the_result_grows_and_is_that_of_the_board(widget):
    assert widget.result is None
    tell(widget, "a", **SEARCH)
    until(lambda: widget.result is not None)
    first = widget.result
    until(lambda: widget.result.simulations > first.simulations)
    assert first.board == BOARD
    assert [move.column for move in first.moves] == BOARD.legal_columns
    assert first.pv[0] == first.column
    assert "<svg" in first._repr_svg_()
    widget.board = Board()
    assert widget.result is None


def test_results_are_of_the_board_of_their_turn(widget):
    for turn, columns in ((0, 7), (6, 6)):
        tell(widget, "a", id=f"{turn}", moves=[3, 3, 3, 3, 3, 3], analyzeTurns=[turn], maxVisits=50)
        widget.board = Board.from_moves([3] * turn)
        until(lambda: widget.result)
        assert len(widget.result.moves) == columns


def test_closing_ends_the_searches(widget):
    tell(widget, "a", **SEARCH)
    until(lambda: widget.result is not None)
    widget.close()
    wait_for_threads(0)
    assert replies(widget, "a")[-1]["isDuringSearch"] is False
    assert widget.board == BOARD
    assert widget.result.board == BOARD


def test_each_view_has_a_session_and_the_oldest_of_many_ends(widget):
    from c4mcts.page.widget import MAX_VIEWS

    views = [str(number) for number in range(MAX_VIEWS + 1)]
    for view in views:
        tell(widget, view, **SEARCH)
        tell(widget, view, id="2", action="query_version")
    searching = [all(reply.get("isDuringSearch", True) for reply in replies(widget, view)) for view in views]
    assert searching == [False] + MAX_VIEWS * [True]
    assert all(any(reply.get("action") == "query_version" for reply in replies(widget, view)) for view in views)


def test_messages_of_others_are_ignored_and_wrong_ones_get_an_error(widget):
    for content in (None, {}, {"view": 1, "text": "{}"}, {"view": "a"}):
        send(widget, content)
    assert widget.sent == []
    tell(widget, "a", id="1", action="analyze", moves=[9])
    assert "error" in replies(widget, "a")[0]


@pytest.mark.parametrize("board", [Board(), Board(Rules(20, 14, 5)), Board.from_fen("7/7/7/7/3o3/3x3 x 7x6x4")])
def test_boards_come_back_with_their_moves(widget, board):
    widget.board = board
    assert widget.board == board
    assert widget.board.moves == board.moves


@pytest.mark.parametrize(
    ("board", "error", "words"),
    [
        (None, TypeError, "board must be a Board or its text, not None"),
        (Board(Rules(21, 6, 4)), ValueError, "board.rules.width must be .* 20, not 21"),
    ],
)
def test_boards_that_cant_be_shown(widget, board, error, words):
    with pytest.raises(error, match=words):
        widget.board = board
    assert widget.board == BOARD


def test_a_position_that_is_wrong_is_refused(widget):
    import traitlets

    with pytest.raises(traitlets.TraitError, match=r"position: moves\[0\]"):
        widget.position = {"moves": [9]}
    assert widget.board == BOARD


@pytest.mark.parametrize("width", [7, 40])
def test_plots_of_wide_boards_are_wider(width):
    found = study.action_frequency(Board(Rules(width, 4, 4)), simulations=10, runs=2, seed=1)
    inches = float(ElementTree.fromstring(found._repr_svg_()).get("width").removesuffix("pt")) / 72
    assert inches == max(7, width / 4)
