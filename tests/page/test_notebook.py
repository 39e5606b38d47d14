"""AnalysisBoard in a browser, connected to a widget in Python."""

import gc
import importlib.util

import pytest
from page import is_ci
from widget_view import View

from c4mcts import Board, Rules
from c4mcts.protocol import Session

pytestmark = pytest.mark.native


def sessions():
    """How many sessions are in memory."""
    gc.collect()
    return sum(isinstance(each, Session) for each in gc.get_objects())


@pytest.fixture
def show(browser, tmp_path):
    """A function that shows a board; at the end the console must be empty."""
    if importlib.util.find_spec("anywidget") is None and not is_ci():
        pytest.skip("needs the extra notebook: anywidget")
    from c4mcts.view import AnalysisBoard

    widgets = []
    browser.get("about:blank")
    browser.get_log("browser")

    def start(board=None, **options):
        widgets.append(AnalysisBoard(board))
        return View(browser, widgets[-1], tmp_path / "page.html", **options)

    yield start
    for widget in widgets:
        widget.close()
    assert [entry["message"] for entry in browser.get_log("browser") if entry["level"] != "INFO"] == []


def test_a_click_plays_and_the_search_grows_in_python(show):
    view = show(Board.from_pons("44"))
    view.wait(lambda: len(set(view.simulations())) > 1)
    assert view.widget.result.simulations >= view.simulations()[0]
    view.paragraph().wait_for("simulations")
    view.columns[2].click()
    view.wait(lambda: view.widget.board == Board.from_pons("443"))
    assert view.discs() == 3
    view.wait(lambda: view.widget.result is not None and view.widget.result.board == Board.from_pons("443"))
    view.button("Back *").click()
    view.wait(lambda: view.widget.board == Board.from_pons("44"))
    view.button("Forward *").click()
    view.wait(lambda: view.widget.board == Board.from_pons("443"))


@pytest.mark.parametrize(
    "board", [Board(Rules(9, 7, 5)), Board.from_fen("7/7/7/7/3o3/3x3 x 7x6x4"), Board.from_pons("44444")]
)
def test_a_board_from_python_is_shown(show, board):
    view = show()
    view.widget.board = board
    view.wait(lambda: view.discs() == board.ply)
    assert len(view.columns) == board.rules.width
    view.columns[0].click()
    expected = board.copy()
    expected.push(0)
    view.wait(lambda: view.widget.board == expected)


def test_a_full_column_gets_one_sentence(show):
    view = show(Board.from_pons("444444"))
    view.columns[3].click()
    view.alert().wait_for("Column 4 is full.")
    assert view.widget.board == Board.from_pons("444444")


def test_a_view_that_goes_frees_its_engine(show):
    view = show()
    view.wait(lambda: view.widget.result)
    before = sessions()
    view.run("leave()")
    view.wait(lambda: sessions() == before - 1)


@pytest.mark.parametrize(("background", "scheme"), [("#111", "dark"), ("#fff", "light")])
def test_the_theme_is_that_of_the_notebook(show, background, scheme):
    view = show(background=background)
    view.wait(lambda: view.run("return document.getElementById('cell').style.colorScheme") == scheme)


def test_a_narrow_cell_does_not_scroll_sideways(show):
    view = show(width=340)
    view.wait(lambda: view.widget.result)
    assert view.run("return document.getElementById('cell').scrollWidth") == 340
