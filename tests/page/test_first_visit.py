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
        page.wait(lambda: len(page.all("#doors button svg")) == 4)
        assert page.find("#door-play").accessible_name.startswith("Play"), "and not what its picture shows"
        page.click(f"#door-{mode}")
        page.wait(lambda mode=mode: page.mode == mode)
    page.leave()
    page.driver.get(page.url)
    page.wait(lambda: page.mode == "puzzles")
    assert page.all("#doors") == [], "only once"
    visit(page, "#44")
    page.wait(lambda: page.hash == "44")
    assert page.all("#doors") == [], "who comes by a link sees what it leads to"


def test_the_doors_are_there_in_another_language(page):
    visit(page)
    page.press_button("#doors option", "Deutsch")
    page.wait_for("#doors", "Willkommen bei Vier gewinnt")
    page.driver.refresh()
    page.wait(lambda: page.text("#mode-play") == "Spielen")
    assert page.all("#doors") == []


@pytest.mark.parametrize("languages", ["en", "de", "fr", "es"])
def test_the_doors_fit_on_a_phone(page, accept, languages):
    accept(languages)
    page.resize(*PHONE, touch=True)
    visit(page)
    page.wait(lambda: page.all("#doors"))
    script = """const dialog = document.querySelector("#doors");
        return [dialog, ...dialog.querySelectorAll("*")].filter((each) => each.scrollWidth > each.clientWidth + 1)
            .length + (dialog.scrollHeight > innerHeight ? 1 : 0);"""
    assert page.driver.execute_script(script) == 0


def test_the_rules_are_one_click_away(page):
    page.open("7x6x4-no-diagonals:44")
    page.click("#rules")
    page.wait_for("dialog", "Whoever first has 4 discs in a row wins: across, upright.")
    page.press(page.keys.ESCAPE)
    page.open("44")
    page.click("#help")
    page.wait_for("dialog", "wins: across, upright or diagonally.")
    page.press(page.keys.ESCAPE)
    page.switch("learn")
    page.wait_for(".learn-intro", "Monte Carlo tree search plays many short games")
