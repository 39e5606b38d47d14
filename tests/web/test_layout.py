"""Where things are on the page: what is seen without scrolling, and that nothing jumps."""

import pytest
from page import SCREEN

pytestmark = pytest.mark.native

GAME = "5225261322445364544155646613362133"


def box(page, selector):
    """Left, top, right and bottom of an element in the window."""
    script = """const {left, top, right, bottom} = document.querySelector(arguments[0]).getBoundingClientRect();
        return [left, top, right, bottom];"""
    return page.driver.execute_script(script, selector)


@pytest.mark.parametrize("mode", ["analyse", "review"])
def test_the_list_of_moves_is_beside_the_board(page, mode):
    page.open(GAME, mode)
    page.wait(lambda: page.all(".tree-move"))
    page.driver.execute_script("scrollTo(0, 0)")
    left, top, right, bottom = box(page, ".variations")
    assert left >= box(page, ".board")[2]
    assert right <= box(page, "#panel")[0]
    assert top >= 0
    assert max(bottom, box(page, "#comment")[3], box(page, "#remove")[3]) <= SCREEN[1]


def test_the_graph_has_a_band_for_each_result(page):
    page.open("445335")
    page.wait(lambda: len(page.all(".graph .dot")) == 7)
    assert [name.text for name in page.all(".graph .band-name")] == ["Yellow wins", "Draw", "Red wins"]
    bands = [box(page, f".graph .band.{name}") for name in ("yellow", "even", "red")]
    script = "return [...document.querySelectorAll('.graph .dot')].map((dot) => dot.getBoundingClientRect().top)"
    page.wait(lambda: not page.all(".graph .estimate"))
    tops = page.driver.execute_script(script)
    found = [next(index for index, (_, top, _, bottom) in enumerate(bands) if top <= y < bottom) for y in tops]
    assert found == [0, 0, 0, 2, 2, 2, 0]  # a move that gives the win away falls through the band of draws


@pytest.mark.parametrize(("mode", "scheme"), [("play", "light"), ("analyse", "dark")])
def test_the_focus_is_seen(page, mode, scheme):
    page.prefer(prefers_color_scheme=scheme)
    page.open("", mode)
    ring = "rgb(11, 14, 18)" if scheme == "light" else "rgb(255, 255, 255)"
    page.press(pytest.importorskip("selenium.webdriver").Keys.TAB)
    page.driver.execute_script("document.querySelector('.column').focus()")
    assert page.css(".column", "stroke") == ring
    if mode == "play":
        page.driver.execute_script("document.querySelector('.segment input').focus()")
        assert page.css(".segment span", "outlineColor") == ring
        assert page.css(".segment span", "outlineStyle") == "solid"
