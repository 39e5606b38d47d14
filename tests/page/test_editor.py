"""Setting up a position: discs, side to move, what is refused; by mouse and by keyboard."""

import re

import pytest
from page import PHONE

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search


def open_editor(page, position="", mode="analyse"):
    page.open(position, mode)
    page.button("Edit").click()
    page.dialog("Set up a position").wait_for()


def place(page, tool, *columns):
    """Choose a tool and use it on the top cells of columns, from 1."""
    page.group("Disc").radio(tool).click()
    for column in columns:
        page.button(f"Column {column}, row 6: *").click()


def use(page):
    page.button("Use this position").click()


def discs(page):
    """The numbers of yellow and of red discs in the dialog."""
    return tuple(len(page.button(f"Column *: {name}")) for name in ("yellow", "red"))


def to_move(page):
    """The colour that is chosen, and those that can be."""
    radios = {name: page.group("To move").radio(name) for name in ("Yellow", "Red")}
    (chosen,) = [name for name, each in radios.items() if each.is_checked]
    return chosen, [name for name, each in radios.items() if each.is_enabled]


def test_a_position_becomes_the_game(page):
    open_editor(page)
    place(page, "Yellow", 4, 3)
    place(page, "Red", 4)
    assert to_move(page) == ("Red", ["Red"])
    use(page)
    page.wait(lambda: page.hash == "7/7/7/7/3o3/2xx3_o_7x6x4:")
    assert not page.dialog()
    page.panel.definition().wait_for("best")
    page.play(2)
    page.wait(lambda: page.hash == "7/7/7/7/3o3/2xx3_o_7x6x4:2")
    page.button("Edit").click()
    assert discs(page) == (2, 2)
    page.button("Clear").click()
    use(page)
    page.wait(lambda: page.hash == "")


def test_the_colour_to_move_is_chosen_if_the_numbers_allow_it(page):
    open_editor(page, "44")
    assert to_move(page) == ("Yellow", ["Yellow", "Red"])
    page.group("To move").radio("Red").click()
    use(page)
    page.wait(lambda: page.address == "/analyse/7/7/7/7/3x3/3o3_x_7x6x4/?flip")
    assert page.board.names == ["Red to move."]
    page.button("Undo").click()
    page.wait(lambda: page.address == "/analyse/7x6x4/44")
    page.button("Redo").click()
    page.wait(lambda: page.address == "/analyse/7/7/7/7/3x3/3o3_x_7x6x4/?flip")


def test_discs_are_removed_and_come_back(page):
    open_editor(page, "4445")
    place(page, "Remove", 4, 4)
    assert discs(page) == (1, 1)
    page.button("Undo").click()
    assert discs(page) == (1, 2)
    page.button("Reset").click()
    assert discs(page) == (2, 2)


def test_what_the_rules_refuse_is_said_in_words(page):
    open_editor(page, "44")
    place(page, "Yellow", 1, 2)
    use(page)
    page.dialog().alert().wait_for("There are 3 yellow discs and 1 red: players take turns")
    page.button("Clear").click()
    assert page.dialog().alert().text == ""
    place(page, "Yellow", 1, 2, 3, 4)
    place(page, "Red", 5, 6, 7, 5)
    use(page)
    words = "Yellow has won but did not move last: the line through (column, row from the bottom) (1, 1), (2, 1)"
    page.dialog().alert().wait_for(words)
    page.group("To move").radio("Red").click()
    use(page)
    page.wait(lambda: not page.dialog())
    page.wait_for_headline("Yellow has won")


def test_what_is_refused_or_not_changed_leaves_the_game(page):
    open_editor(page, "4453")
    place(page, "Remove", 3)
    page.button("Undo").click()
    use(page)
    page.wait(lambda: not page.dialog())
    page.button("Edit").click()
    place(page, "Yellow", 1, 2)
    use(page)
    page.dialog().alert().wait_for()
    page.button("Cancel").click()
    page.wait(lambda: not page.dialog())
    assert page.hash == "4453"


def test_by_keyboard(page):
    open_editor(page)
    assert page.focus == "Column 1, row 6: empty"
    page.press(
        page.keys.ARROW_RIGHT, page.keys.ARROW_LEFT, page.keys.ARROW_LEFT, page.keys.ARROW_RIGHT, page.keys.ENTER
    )
    page.wait_to_hear("Yellow in column 2, row 1. 1 yellow disc and 0 red. Red to move.")
    page.press(*5 * [page.keys.ARROW_DOWN], "r")
    page.wait_to_hear("Red in column 2, row 1. 0 yellow discs and 1 red. Yellow to move.")
    page.press(page.keys.DELETE)
    page.wait_to_hear("Removed from column 2, row 1.")
    page.press(page.keys.BACK_SPACE)
    page.wait_to_hear("Column 2 is empty.")
    page.press("y", page.keys.CONTROL + "z" + page.keys.NULL)
    page.wait_to_hear("Undone. 0 yellow discs and 0 red.")
    page.press("y", page.keys.ESCAPE)
    page.wait(lambda: not page.dialog())
    assert page.hash == ""


def test_a_running_match_is_asked_about(page):
    page.open()
    page.start_match(1)
    page.wait_for_headline("Your move")
    page.button("Edit").click()
    place(page, "Yellow", 1)
    use(page)
    page.dialog("*?").wait_for("End the game against the computer?")
    page.confirm("End the game")
    page.wait(lambda: page.hash == "7/7/7/7/7/x6_o_7x6x4:")
    page.button("Continue from this position").wait_for()
    page.play(2)  # for red, so the level has yellow
    page.wait(lambda: re.fullmatch(r"7/7/7/7/7/x6_o_7x6x4:2[1-7]", page.hash))


def test_it_fits_on_a_phone(page):
    page.resize(*PHONE, touch=True)
    for position in ("4453", "20x14x5:10,11"):
        open_editor(page, position)
        box = page.dialog().elements[0].rect
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE[0]
        assert page.dialog().ask("return found[0].scrollWidth <= found[0].clientWidth")
        page.button("Cancel").click()
