"""Setting up a position: discs, side to move, what is refused; by mouse and by keyboard."""

import re

import pytest
from page import PHONE

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search


def open_editor(page, position="", mode="analyse"):
    page.open(position, mode)
    page.click("#edit")
    page.wait(lambda: page.all("dialog.editor"))


def place(page, colour, *columns):
    """Choose a tool and use it on the top cells of columns, from 1."""
    page.choose("disc", ["yellow", "red", "none"].index(colour) + 1)
    for column in columns:
        cell(page, column, 6).click()


def cell(page, column, row):
    return page.find(f'dialog .cell[aria-label^="Column {column}, row {row}:"]')


def press(page, words):
    page.press_button("dialog.editor button", words)


def use(page):
    press(page, "Use this position")


def discs(page):
    """The numbers of yellow and of red discs in the dialog."""
    return tuple(len(page.all(f"dialog .discs .{name}")) for name in ("yellow", "red"))


def to_move(page):
    """The colour that is chosen, and those that can be."""
    inputs = page.all("#to-move input")
    names = ("yellow", "red")
    chosen = next(name for name, each in zip(names, inputs, strict=True) if each.is_selected())
    return chosen, [name for name, each in zip(names, inputs, strict=True) if each.is_enabled()]


def test_a_position_becomes_the_game(page):
    open_editor(page)
    place(page, "yellow", 4, 3)
    place(page, "red", 4)
    assert to_move(page) == ("red", ["red"])
    use(page)
    page.wait(lambda: page.hash == "7/7/7/7/3o3/2xx3_o_7x6x4:")
    assert page.all("dialog") == []
    page.wait_for("#panel .facts", "best")
    page.play(2)
    page.wait(lambda: page.hash == "7/7/7/7/3o3/2xx3_o_7x6x4:2")
    page.click("#edit")
    assert discs(page) == (2, 2)
    press(page, "Clear")
    use(page)
    page.wait(lambda: page.hash == "")


def test_the_colour_to_move_is_chosen_if_the_numbers_allow_it(page):
    open_editor(page, "44")
    assert to_move(page) == ("yellow", ["yellow", "red"])
    page.choose("to-move", 2)
    use(page)
    page.wait(lambda: page.address == "/analyse/7/7/7/7/3x3/3o3_x_7x6x4/?flip")
    assert page.find("#board svg").get_attribute("aria-label") == "Red to move."
    page.click("#undo")
    page.wait(lambda: page.address == "/analyse/7x6x4/44")
    page.click("#redo")
    page.wait(lambda: page.address == "/analyse/7/7/7/7/3x3/3o3_x_7x6x4/?flip")


def test_discs_are_removed_and_come_back(page):
    open_editor(page, "4445")
    place(page, "none", 4, 4)
    assert discs(page) == (1, 1)
    press(page, "Undo")
    assert discs(page) == (1, 2)
    press(page, "Reset")
    assert discs(page) == (2, 2)


def test_what_the_rules_refuse_is_said_in_words(page):
    open_editor(page, "44")
    place(page, "yellow", 1, 2)
    use(page)
    page.wait_for("dialog .error", "There are 3 yellow discs and 1 red: players take turns")
    press(page, "Clear")
    assert page.text("dialog .error") == ""
    place(page, "yellow", 1, 2, 3, 4)
    place(page, "red", 5, 6, 7, 5)
    use(page)
    words = "Yellow has won but did not move last: the line through (column, row from the bottom) (1, 1), (2, 1)"
    page.wait_for("dialog .error", words)
    page.choose("to-move", 2)
    use(page)
    page.wait(lambda: page.all("dialog") == [])
    page.wait_for("#panel h1", "Yellow has won")


def test_what_is_refused_or_not_changed_leaves_the_game(page):
    open_editor(page, "4453")
    place(page, "none", 3)
    press(page, "Undo")
    use(page)
    page.wait(lambda: page.all("dialog") == [])
    page.click("#edit")
    place(page, "yellow", 1, 2)
    use(page)
    page.wait(lambda: page.text("dialog .error"))
    press(page, "Cancel")
    page.wait(lambda: page.all("dialog") == [])
    assert page.hash == "4453"


def wait_for_said(page, words):
    page.wait(lambda: page.find("dialog .hidden").get_attribute("textContent").startswith(words))


def test_by_keyboard(page):
    open_editor(page)
    assert page.driver.switch_to.active_element.get_attribute("aria-label") == "Column 1, row 6: empty"
    page.press(
        page.keys.ARROW_RIGHT, page.keys.ARROW_LEFT, page.keys.ARROW_LEFT, page.keys.ARROW_RIGHT, page.keys.ENTER
    )
    wait_for_said(page, "Yellow in column 2, row 1. 1 yellow disc and 0 red. Red to move.")
    page.press(*5 * [page.keys.ARROW_DOWN], "r")
    wait_for_said(page, "Red in column 2, row 1. 0 yellow discs and 1 red. Yellow to move.")
    page.press(page.keys.DELETE)
    wait_for_said(page, "Removed from column 2, row 1.")
    page.press(page.keys.BACK_SPACE)
    wait_for_said(page, "Column 2 is empty.")
    page.press("y", page.keys.CONTROL + "z" + page.keys.NULL)
    wait_for_said(page, "Undone. 0 yellow discs and 0 red.")
    page.press("y", page.keys.ESCAPE)
    page.wait(lambda: page.all("dialog") == [])
    assert page.hash == ""


def test_a_running_match_is_asked_about(page):
    page.open()
    page.start_match(1)
    page.wait_for("#panel h1", "Your move")
    page.click("#edit")
    place(page, "yellow", 1)
    use(page)
    page.wait_for("#confirmation", "End the game against the computer?")
    page.click("#confirmation .primary")
    page.wait(lambda: page.hash == "7/7/7/7/7/x6_o_7x6x4:")
    page.wait(lambda: page.find("#from-here").is_displayed())
    page.play(2)  # for red, so the level has yellow
    page.wait(lambda: re.fullmatch(r"7/7/7/7/7/x6_o_7x6x4:2[1-7]", page.hash))


def test_it_fits_on_a_phone(page):
    page.resize(*PHONE, touch=True)
    for position in ("4453", "20x14x5:10,11"):
        open_editor(page, position)
        box = page.find("dialog.editor").rect
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE[0]
        assert page.driver.execute_script(
            "const {scrollWidth, clientWidth} = document.querySelector('dialog'); return scrollWidth <= clientWidth"
        )
        press(page, "Cancel")
