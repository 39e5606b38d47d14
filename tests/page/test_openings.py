"""The opening book on the page: exact results, replies that hold, names; beside the board it goes with the game."""

import pytest

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search


def rows(page):
    return [tuple(row) for row in page.rows(".openings tbody tr")]


def opened(page, position=""):
    page.open(position)
    page.click("#openings summary")
    page.wait(lambda: page.text(".openings-box"))
    return page


def test_the_first_moves(page):
    opened(page)
    page.wait_for(".opening", "Start.\nOnly the centre wins, the columns next to it draw, the others lose")
    assert rows(page)[0] == ("4", "win in 41", "all lose", "Centre")
    assert [row[0] for row in rows(page)] == list("4352617")
    script = """return [...document.querySelectorAll(".openings :is(td, th):nth-child(-n+3)")]
        .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)"""
    for width in (1280, 390, 320):
        page.resize(width, 860)
        assert page.driver.execute_script(script) == [], "nothing is cut"


def test_the_result_of_a_first_move_is_proven(page):
    """A win or loss leads to the plan to win, a draw has none."""
    page.leave()
    page.store(openings=True)
    for result, discs, plan in (
        ("win in 41", 1, "A plan to win"),
        ("loss in 42", 2, "A plan to win after 2"),
        ("loss in 40", 2, "A plan to win after 1"),
    ):
        page.open()
        page.press_button("button[title^='Proven']", result)
        page.wait(lambda plan=plan: page.find("#book option:checked").text == plan)
        page.wait(lambda discs=discs: page.discs == discs)
    page.open()
    page.wait(lambda: len(page.all("[title^='Proven']")) == 7)
    assert "draw" not in page.texts("button")
    page.play(3)
    page.wait(lambda: page.hash == "3" and not page.all("[title^='Proven']"))


def test_a_row_shows_its_move_and_plays_it(page):
    opened(page)
    page.wait(lambda: len(rows(page)) == 7)
    actions = pytest.importorskip("selenium.webdriver").ActionChains
    actions(page.driver).scroll_to_element(page.find(".openings tbody tr:nth-child(3)")).perform()
    actions(page.driver).move_to_element(page.find(".openings tbody tr:nth-child(2)")).perform()
    page.wait(lambda: page.texts(".ghost") == ["1"])
    page.find(".openings tbody tr:nth-child(2) .move").click()
    page.wait(lambda: page.hash == "3")
    page.wait_for(".opening", "Off-centre.\nA draw with best play.")
    assert len(rows(page)) == 7


def test_it_stays_open(page):
    opened(page)
    page.driver.refresh()
    page.wait(lambda: rows(page))
    page.click("#openings summary")
    page.wait(lambda: not page.stored("c4mcts")["openings"])
    page.driver.refresh()
    page.wait(lambda: page.all("#openings"))
    assert not page.find(".openings-box").is_displayed()
