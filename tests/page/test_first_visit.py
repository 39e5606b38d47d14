"""A first visit: four doors, the rules, what a search is."""

import pytest
from page import PHONE

pytestmark = pytest.mark.native


def visit(page, link=""):
    """Open the page as one who has never been there."""
    page.leave()
    page.driver.execute_script("localStorage.clear(); sessionStorage.clear();")
    page.driver.get(f"{page.url}{link}")
    return page


def test_a_first_visit_has_four_doors(page):
    for mode in ("play", "puzzles"):
        visit(page)
        page.wait(lambda: len(page.dialog("Welcome *").button()) == 4)
        assert "takes the move that did best" in page.dialog().text
        page.button(f"{mode.capitalize()} *").click()  # and not what its picture shows
        page.wait(lambda mode=mode: page.mode == mode)
    page.leave()
    page.driver.get(page.url)
    page.wait(lambda: page.mode == "puzzles")
    assert not page.dialog(), "only once"
    visit(page, "#44")
    page.wait(lambda: page.hash == "44")
    assert not page.dialog(), "who comes by a link sees what it leads to"


def test_the_doors_are_there_in_another_language(page):
    visit(page)
    page.combobox("Language").choose("Deutsch")
    page.dialog().wait_for("Willkommen bei Vier gewinnt")
    page.driver.refresh()
    page.navigation().button("Spielen").wait_for()
    assert not page.dialog()


@pytest.mark.parametrize("languages", ["en", "de", "fr", "es"])
def test_the_doors_fit_on_a_phone(page, accept, languages):
    accept(languages)
    page.resize(*PHONE, touch=True)
    visit(page)
    page.dialog().wait_for()
    script = """const [dialog] = found;
        return [dialog, ...dialog.querySelectorAll("*")].filter((each) => each.scrollWidth > each.clientWidth + 1)
            .length + (dialog.scrollHeight > innerHeight ? 1 : 0);"""
    assert page.dialog().ask(script) == 0
    page.resize(320, 640, touch=True)
    assert page.dialog().ask("return found[0].querySelector('.small').clientWidth") > 120, "several words in a line"


def test_the_rules_are_one_click_away(page):
    page.open("7x6x4-no-diagonals:44")
    page.button("*in a row*").click()
    page.dialog().wait_for("Whoever first has 4 discs in a row wins: across, upright.")
    page.press(page.keys.ESCAPE)
    page.open("44")
    page.button("Help").click()
    page.dialog().wait_for("wins: across, upright or diagonally.")
    page.press(page.keys.ESCAPE)
    page.switch("learn")
    page.paragraph().wait_for("Monte Carlo tree search plays many short games")
