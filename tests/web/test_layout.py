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
