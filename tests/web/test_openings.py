"""The opening book on the page: exact results, replies that hold, names; beside the board it goes with the game."""

import json

import pytest

from c4mcts import Board
from c4mcts.solver.book import shipped_book

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
    assert rows(page) == [
        ("4", "win in 41", "all lose", "Centre"),
        ("3", "draw", "4 of 7 draw", "Off-centre"),
        ("5", "draw", "4 of 7 draw", "Off-centre"),
        ("2", "loss in 42", "1 of 7 wins", "Second column"),
        ("6", "loss in 42", "1 of 7 wins", "Second column"),
        ("1", "loss in 40", "4 of 7 win", "Edge"),
        ("7", "loss in 40", "4 of 7 win", "Edge"),
    ]
    script = """return [...document.querySelectorAll(".openings :is(td, th):nth-child(-n+3)")]
        .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)"""
    for width in (1280, 390, 320):
        page.resize(width, 860)
        assert page.driver.execute_script(script) == [], "nothing is cut"


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
    book = {move.column + 1: move for move in shipped_book().children(Board.from_pons("3"))}
    assert [int(row[0]) for row in rows(page)] == sorted(book, key=lambda column: (-book[column].score, column))
    assert dict((int(row[0]), row[2]) for row in rows(page))[6] == "5 of 7 draw"


def test_the_name_stays_when_the_game_leaves_it(page):
    opened(page, "4453")
    page.wait(lambda: page.text(".opening") == "Centre, on top.")
    assert rows(page)[0][3] == ""


def test_where_the_book_ends(page):
    opened(page, "5225261322445")
    page.wait_for(".openings-box", "The book has all positions of up to 12 discs")
    page.type_moves("1212121")
    page.wait_for(".openings-box", "The game is over.")
    assert rows(page) == []
    page.click("#back")
    page.wait(lambda: rows(page)[:1] == [("1", "win in 1", "\u2013", "")])
    page.open("8x7x4:44")
    page.wait_for(".openings-box", "The book is for 7 × 6, four in a row.")


def test_it_stays_open_and_is_as_tall_in_all_positions(page):
    opened(page)
    page.wait(lambda: len(rows(page)) == 7)
    height = page.find("#openings").rect["height"]
    for column in (4, 4, 4, 4, 4, 4, 3):
        page.play(column)
        page.wait(lambda: page.text("#panel .numbers"))
        assert page.find("#openings").rect["height"] == height
    page.driver.refresh()
    page.wait(lambda: rows(page))
    page.click("#openings summary")
    page.wait(lambda: not json.loads(page.driver.execute_script("return localStorage.getItem('c4mcts')"))["openings"])
    page.driver.refresh()
    page.wait(lambda: page.all("#openings"))
    assert not page.find(".openings-box").is_displayed()
