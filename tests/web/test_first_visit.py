"""A first visit: four doors, the rules, what a search is."""

import pytest
from page import PHONE

pytestmark = pytest.mark.native


def visit(page):
    """Open the page as one who has never been there."""
    page.driver.get(f"{page.url}static/icon.svg")
    page.driver.execute_script("localStorage.clear(); sessionStorage.clear();")
    page.driver.get(page.url)
    page.wait(lambda: page.all("#doors"))
    return page


@pytest.mark.parametrize("mode", ["play", "analyse", "learn", "puzzles"])
def test_a_first_visit_has_four_doors(page, mode):
    visit(page)
    assert len(page.all("#doors button svg")) == 4
    page.click(f"#door-{mode}")
    page.wait(lambda: page.find("body").get_attribute("data-mode") == mode)
    page.driver.get("about:blank")
    page.driver.get(page.url)
    page.wait(lambda: page.find("body").get_attribute("data-mode") == mode)
    assert page.all("#doors") == [], "only once"


def test_the_doors_are_there_in_another_language(page):
    visit(page)
    page.press_button("#doors option", "Deutsch")
    page.wait_for("#doors", "Willkommen bei Vier gewinnt")
    page.driver.refresh()
    page.wait(lambda: page.text("#mode-play") == "Spielen")
    assert page.all("#doors") == []


def test_who_comes_by_a_link_sees_what_it_leads_to(page):
    page.driver.get(f"{page.url}static/icon.svg")
    page.driver.execute_script("localStorage.clear(); sessionStorage.clear();")
    page.driver.get(f"{page.url}#44")
    page.wait(lambda: page.hash == "44")
    assert page.all("#doors") == []


@pytest.mark.parametrize("languages", ["en", "de", "fr", "es"])
def test_the_doors_fit_on_a_phone(page, accept, languages):
    accept(languages)
    page.resize(*PHONE, touch=True)
    visit(page)
    script = """const dialog = document.querySelector("#doors");
        return [dialog, ...dialog.querySelectorAll("*")].map((each) => each.scrollWidth - each.clientWidth)
            .filter((over, index) => over > 1 && index >= 0).length;"""
    assert page.driver.execute_script("return document.querySelector('#doors').scrollHeight <= innerHeight")
    assert page.driver.execute_script(script) == 0


def test_the_rules_are_one_click_away(page):
    page.open("7x6x4-no-diagonals:44")
    page.click("#rules")
    page.wait_for("dialog", "Whoever first has 4 discs in a row wins: across, upright.")
    page.open("44")
    page.click("#help")
    page.wait_for("dialog", "wins: across, upright or diagonally.")


def test_learn_begins_with_what_the_search_is(page):
    page.open("44", "learn")
    page.wait_for(".learn-intro", "Monte Carlo tree search plays many short games")
