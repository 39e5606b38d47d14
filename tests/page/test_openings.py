"""The opening book on the page: exact results, replies that hold, names; beside the board it goes with the game."""

import signal

import pytest
from page import Server, halts

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search


def rows(page):
    return page.table("Moves in the opening book*").rows


def opened(page, position=""):
    page.open(position)
    page.disclosure("Opening book").click()
    page.wait(lambda: rows(page))
    return page


def test_the_first_moves(page):
    """In the book, which stays open."""
    opened(page)
    page.panel.paragraph().wait_for("Start.\nOnly the centre wins, the columns next to it draw, the others lose")
    assert rows(page)[0] == ["4", "win in 41", "all lose", "Centre"]
    assert [row[0] for row in rows(page)] == list("4352617")
    page.open("52252613224453")
    page.panel.paragraph().wait_for("The book has all positions of up to 12 discs")
    page.driver.refresh()
    page.panel.paragraph().wait_for("The book has")
    page.disclosure("Opening book").click()
    page.wait(lambda: not page.stored("c4mcts")["openings"])


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_nothing_is_cut(page, language):
    page.store(openings=True, language=language, **SETTINGS)
    script = """return [...document.querySelectorAll(".openings :is(td, th)")]
        .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)"""
    for position in ("", "3", "44"):
        page.open(position)
        page.wait(lambda: page.all(".openings tbody tr"))
        for width in (1280, 390, 320):
            page.resize(width, 860)
            assert page.driver.execute_script(script) == [], (position, width)


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
        page.table("Moves in the opening book*").button(result).click()
        page.wait(lambda plan=plan: page.combobox("Openings of").value == plan)
        page.wait(lambda discs=discs: page.discs == discs)
    page.open()
    results = page.table("Moves in the opening book*").button("* in *")
    page.wait(lambda: len(results) == 5)  # the others draw
    page.play(3)
    page.wait(lambda: page.hash == "3" and rows(page) and not results)


def test_a_row_shows_its_move_and_plays_it(page):
    opened(page)
    page.wait(lambda: len(rows(page)) == 7)
    actions = pytest.importorskip("selenium.webdriver").ActionChains
    second, third = page.table("Moves in the opening book*").part("row").elements[2:4]
    actions(page.driver).scroll_to_element(third).move_to_element(second).perform()
    page.wait(lambda: page.ghosts == ["1"])
    page.table("Moves in the opening book*").button("3").click()
    page.wait(lambda: page.hash == "3")
    page.panel.paragraph().wait_for("Off-centre.\nA draw with best play.")
    assert len(rows(page)) == 7


@halts
def test_moves_of_the_position_before_are_not_shown(page):
    with Server() as own:
        page.url = own.url
        opened(page)
        own.process.send_signal(signal.SIGSTOP)
        page.play(4)
        page.wait(lambda: page.hash == "4" and not rows(page))
        page.panel.paragraph().wait_for("…")
        own.process.send_signal(signal.SIGCONT)
        page.wait(lambda: rows(page))
    page.driver.get("about:blank")
