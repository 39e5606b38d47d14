"""Nothing that was done on the page is lost: variations, undo and redo, questions before a match ends."""

import pytest

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search


def moves(page):
    """The list of moves and comments as a text."""
    script = """return [...document.querySelectorAll(".variations :is(.tree-move, .comment)")]
        .map((each) => (each.dataset.number ?? "") + each.innerText.trim()).join(" ")"""
    return page.driver.execute_script(script)


def control(page, letter, shift=False):
    """Press Ctrl and a letter on the page."""
    page.press(page.keys.CONTROL + page.keys.SHIFT * shift + letter + page.keys.NULL)


def test_a_line_is_promoted_commented_and_deleted(page):
    page.open("4453")
    page.press(page.keys.ARROW_LEFT, page.keys.ARROW_LEFT, "1")
    page.wait(lambda: page.button("Make main line").is_enabled)
    page.button("Make main line").click()
    page.wait(lambda: moves(page) == "1.4 4 3.1 3.5 3")
    assert not page.button("Make main line").is_enabled
    page.textbox("Comment*").type("the edge", page.keys.ENTER)
    page.wait(lambda: moves(page) == "1.4 4 3.1 the edge 3.5 3")
    page.press(page.keys.ARROW_LEFT)
    page.wait(lambda: page.textbox("Comment*").value == "")
    page.button("Delete from here").click()
    page.wait(lambda: (page.hash, moves(page)) == ("4", "1.4"))
    for expected in ("1.4 4 3.1 the edge 3.5 3", "1.4 4 3.1 3.5 3", "1.4 4 3.5 3.1 4.3", "1.4 4 3.5 3"):
        control(page, "z")
        page.wait(lambda expected=expected: moves(page) == expected)
    control(page, "z", shift=True)
    control(page, "y")
    page.wait(lambda: moves(page) == "1.4 4 3.1 3.5 3")


def test_the_list_by_keyboard_alone(page):
    page.open("445")
    page.move(1).focus()
    page.press(page.keys.ENTER)
    page.wait(lambda: page.hash == "4")
    assert page.focus == "Move 1, Yellow column 4"
    page.press(page.keys.TAB, page.keys.ENTER)
    page.wait(lambda: page.hash == "44")


def test_a_running_match_is_not_ended_unasked(page):
    page.open()
    page.start_match(1)
    page.play(4)
    page.wait_for_turn(2)
    position = page.hash
    by_address = "location.hash = '#12'"
    for replace in (
        lambda: page.button("New").click(),
        lambda: page.paste("12"),
        lambda: page.driver.execute_script(by_address),
    ):
        replace()
        page.dialog("*?").wait_for("End the game against the computer?")
        assert len(page.dialog("*?")) == 1
        page.press(page.keys.ESCAPE)
        page.wait(lambda: not page.dialog("*?"))
        page.wait(lambda: page.hash == position)
        assert (page.hash, page.headline) == (position, "Your move")
    page.button("New").click()
    page.confirm("End the game")
    page.wait_for_headline("A game")
    control(page, "z")
    page.wait(lambda: (page.hash, page.headline) == (position, "Your move"))
    control(page, "z")  # the move and the reply
    page.wait(lambda: (page.hash, page.headline) == ("", "Your move"))
    page.play(1)
    page.wait_for_turn(2)


def test_a_match_from_the_start_is_another_game(page):
    page.open("4453")
    page.start_match(1)
    page.play(1)
    page.wait_for_turn(2)
    position = page.hash
    page.switch("analyse")
    assert moves(page) == f"1.{position[0]} {position[1]}"
    control(page, "z")
    control(page, "z")
    page.wait(lambda: moves(page) == "1.4 4 3.5 3")


def test_a_review_of_a_line_is_kept(page):
    page.open("4453", "review")
    page.wait_for_headline("Unfinished after 4 moves")
    page.press(page.keys.ARROW_LEFT, "1")
    page.wait_for_headline("Unfinished after 4 moves")
    page.wait(lambda: page.hash == "4451" and page.panel.listitem())
    page.driver.execute_script("window.seen = []; new MutationObserver(() => seen.push(panel.innerText))"
        ".observe(panel, {childList: true});")  # fmt: skip
    page.button("Move 4, Red column 3*").click()
    page.wait(lambda: page.hash == "4453" and page.panel.listitem())
    assert not any("Reviewing" in text for text in page.driver.execute_script("return window.seen"))
