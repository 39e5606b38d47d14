"""The plan to win on the page: the tree of its lines, and the drill."""

import pytest
from page import PHONE

from c4mcts import Board
from c4mcts.play.strategy import winning_plan

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search


def open_view(page, name):
    page.driver.get(f"{page.url}#/puzzles/1")
    page.click(f"#puzzles-{name}")


def rows(page):
    """The lines that are listed: reply, answer and the reason in short."""
    return page.texts(".plan-tree summary")


def boxes(page):
    return page.stored("c4mcts.puzzles")["plan"]


def test_the_lines_open_reply_by_reply(page):
    open_view(page, "plan")
    page.wait(lambda: rows(page) == ["4", "1→5", "2→6", "3→7", "4→4"])
    assert page.discs == 1
    page.wait_for(".plan-tree", "It is the only column that wins.")
    page.click("[data-reply='1'] > summary")
    page.wait(lambda: len(rows(page)) == 12)
    assert page.discs == 3
    page.play(3)  # the reply on the board
    page.wait(lambda: page.discs == 5 and len(rows(page)) == 19)
    page.play(4)
    page.wait_for(".plan-tree", "Yellow has four in a row.")
    assert len(page.all(".winning")) >= 4
    page.click("[data-reply=null] > [data-reply='3'] > summary")  # of the replies in a position, one is open
    page.wait(lambda: len(rows(page)) == 9 and page.discs == 3)
    page.press(page.keys.ENTER, page.keys.ARROW_LEFT)
    page.wait(lambda: len(rows(page)) == 5 and page.discs == 1)
    page.click("#mode-analyse")
    page.wait(lambda: page.discs == 0)


def test_the_drill_asks_for_the_moves_that_are_not_known(page):
    open_view(page, "drill")
    page.wait_for("#panel h1", "Where does yellow begin?")
    page.play(3)
    page.wait_for(".puzzle-answer", "3 only draws: 4 answers it. Try again.")
    assert page.texts(".puzzle-facts dd") == ["0", "1"]
    page.play(4)
    page.wait_for("#panel h1", "Red has played ")
    assert page.text(".puzzle-answer") == "Right. It is the only column that wins."
    assert page.texts(".puzzle-facts dd") == ["0", "1"], "the first try counts"
    page.press("n")
    page.wait_for("#panel h1", "Where does yellow begin?")
    page.play(4)
    page.wait_for("#panel h1", "Red has played ")
    assert page.texts(".puzzle-facts dd") == ["1", "0"]
    page.click("#show")
    page.wait_for(".puzzle-answer", "The plan plays ")
    before = boxes(page)
    assert sorted(map(len, before)) == [0, 2]
    page.driver.refresh()
    page.click("#puzzles-drill")
    page.wait_for("#panel h1", "Red has played ")
    assert page.discs == 2, "the move that is known is played"
    assert boxes(page) == before


def test_a_line_is_played_to_its_end(page):
    open_view(page, "drill")
    board = Board()
    page.wait_for("#panel h1", "Where does yellow begin?")
    while True:
        answer = winning_plan().answer(board)
        page.play(answer.column + 1)
        if answer.reason in ("win", "follow up"):
            break
        board.push(answer.column)
        page.wait(lambda: page.discs == board.ply + 1 and page.text("#panel h1").startswith("Red"))
        board.push(int(page.text("#panel h1").removeprefix("Red has played ")[0]) - 1)
    page.wait_for("#panel h1", "This line is won.")
    assert page.driver.switch_to.active_element.get_attribute("id") == "next"
    assert len(boxes(page)) == board.ply // 2 + 1


def test_on_a_phone_the_board_stays_in_sight(page):
    page.resize(*PHONE, touch=True)
    open_view(page, "plan")
    page.wait(lambda: len(rows(page)) == 5)
    for reply, count in ((2, 12), (5, 19), (6, 26)):
        page.play(reply)
        page.wait(lambda count=count: len(rows(page)) == count)
    assert 0 <= page.box(".board")[1] < 150
