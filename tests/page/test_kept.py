"""Nothing is lost: past games, undo after a reload, comments while they are typed, a storage that is full."""

import pytest
from page import Server

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search


def today(page):
    return page.driver.execute_script("return new Date().toLocaleDateString('en', {dateStyle: 'medium'})")


def past(page):
    """The listed games."""
    page.button("Games").click()
    page.dialog("Past games").wait_for()
    found = [option.removesuffix(f", {today(page)}") for option in page.listbox().options]
    page.wait(lambda: len(page.image("* to move.")) == bool(found))
    page.button("Cancel").click()
    page.wait(lambda: not page.dialog())
    return found


def test_past_games_are_listed_and_continued(page):
    page.open()
    assert past(page) == []
    page.play(4, 4, 5)
    page.button("New").click()
    page.play(1, 2)
    page.button("New").click()
    assert past(page) == ["1. 12", "2. 445"]
    page.play(4, 4, 5)
    assert past(page) == ["1. 445", "2. 12"], "once"
    page.button("New").click()
    page.play(1, 2)
    page.button("New").click()
    page.driver.refresh()
    page.start_match(1)
    page.play(4)
    page.wait_for_turn(2)
    listed = past(page)
    assert listed[0].startswith("1. you and level 1, *: 4")
    assert [each[3:] for each in listed[1:]] == ["12", "445"]
    page.button("Games").click()
    page.listbox().choose(2)
    page.button("Open").click()
    page.confirm("End the game")
    page.switch("analyse")
    page.wait(lambda: page.hash == "445")
    page.play(3)
    listed = past(page)
    assert (listed[0], len(listed)) == ("1. 4453", 3), "it goes on"


def test_a_past_game_that_only_the_server_can_read_says_that_it_is_gone(page):
    with Server() as own:
        page.url = own.url
        page.open("7/7/7/7/7/2xo3_x_7x6x4:45")
        page.wait(lambda: page.discs == 4)
        page.button("New").click()
        page.wait(lambda: page.discs == 0)
    page.status().wait_for("The server does not answer.")
    page.button("Games").click()
    page.button("Open").click()
    page.alert().wait_for("The connection to the engine was lost.")
    page.driver.get("about:blank")
    page.driver.get_log("browser")  # it says that the server was gone


def test_past_games_are_saved_in_one_file(page, downloads):
    page.open()
    page.play(4, 4)
    page.button("New").click()
    page.play(1)
    page.button("Games").click()
    page.button("Save all").click()
    file = downloads / "connect4-games.txt"
    page.wait(lambda: file.exists() and file.stat().st_size)
    lines = file.read_text().splitlines()
    assert lines == ['44 {"rules":"7x6x4"}', '1 {"rules":"7x6x4"}']


def test_undo_goes_on_after_a_reload(page):
    page.open()
    page.play(4, 4, 5)
    page.button("New").click()
    page.play(1)
    page.button("Undo").click()
    page.driver.refresh()
    page.button("Redo").click()
    page.wait(lambda: page.hash == "1")
    for position in ("", "445", "44"):
        page.button("Undo").click()
        page.wait(lambda position=position: page.hash == position)


def test_a_comment_is_kept_while_it_is_typed(page):
    page.open("44")
    page.textbox("Comment*").type("the centre")
    page.driver.refresh()
    page.region("Moves and variations").wait_for("the centre")
    page.button("Undo").click()  # as one step
    page.wait(lambda: "the" not in page.region("Moves and variations").text)


def test_a_full_storage_is_said_and_a_note_goes_with_what_it_was_about(page):
    page.open("10x7x4:4,4")
    page.game.status().wait_for("Read as")
    page.driver.execute_script("Storage.prototype.setItem = () => { throw new DOMException('full'); }")
    page.play(3)
    page.alert().wait_for("The storage of this browser is full")
    page.wait(lambda: page.game.status().text == "")
