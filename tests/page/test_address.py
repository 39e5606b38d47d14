"""The page's address, Back and Forward, and what the browser stores."""

import re

import pytest
from page import GAME

from c4mcts.cli import main
from c4mcts.http.server import listen

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search


LINKS = {
    "445": ("analyse", "445"),
    "/analyse/7x6x4/4453?ply=2": ("analyse", "44"),
    "/play/20x14x5/9,10?ply=1": ("play", "20x14x5:9,"),
    "/analyse/7/7/7/7/7/2xo3_x_7x6x4/45?ply=1": ("analyse", "7/7/7/7/7/2xo3_x_7x6x4:4"),
    "/review/7x6x4/4453?flip": ("review", "4453"),
}


def test_links_of_every_mode(page):
    for link, found in LINKS.items():
        page.driver.get(f"{page.url}#{link}")
        page.wait(lambda found=found: (page.mode, page.hash) == found)
        if "ply" in link:
            page.wait(lambda: page.button("Forward (→)").is_enabled)  # a FEN is read by the server
        page.wait(lambda link=link: page.address == (link if link[0] == "/" else page.address))
    assert page.drawn("red .ring"), "red is not told by its colour alone"
    page.driver.execute_script("location.hash = '#4a'")
    page.alert().wait_for("The address: Character 2, “a” is not a column")
    assert page.discs == 4


def test_back_and_forward_go_through_modes_games_and_jumps(page):
    page.open(GAME)
    page.switch("review")
    page.wait_for_headline("Red won")
    page.press(page.keys.ARROW_LEFT, page.keys.ARROW_LEFT)
    page.press(page.keys.HOME)
    page.wait(lambda: page.hash == "")
    page.press(page.keys.END, page.keys.HOME)
    page.press("4")  # a side line
    page.wait(lambda: page.hash == "4")
    page.button("New").click()
    page.play(1)
    page.wait(lambda: page.hash == "1")
    page.driver.back()
    page.wait(lambda: page.hash == "4" and len(page.move(1)) == 2)
    page.driver.back()
    page.wait(lambda: page.hash == GAME[:-2])
    page.driver.back()
    page.wait(lambda: (page.mode, page.hash) == ("analyse", GAME))
    page.driver.forward()
    page.wait(lambda: (page.mode, page.hash) == ("review", GAME[:-2]))
    page.driver.forward()
    page.driver.forward()
    page.wait(lambda: page.hash == "1")


def test_a_match_survives_a_reload(page):
    page.open()
    page.start_match(2, side=1)
    page.wait_for_turn(1)
    page.press("f")
    page.play(1)
    page.wait_for_turn(3)
    address = page.address
    page.driver.refresh()
    page.wait(lambda: page.headline == "Your move")
    assert (page.mode, page.address) == ("play", address)
    assert "flip" in address
    page.play(7)
    page.wait_for_turn(5)


def test_variations_survive_a_new_tab(page):
    page.open("4453")
    page.press(page.keys.ARROW_LEFT, page.keys.ARROW_LEFT, "1")
    page.textbox("Comment*").type("the edge", page.keys.ENTER)
    page.region("Moves and variations").wait_for("the edge")
    page.switch("review")
    with page.tab():
        page.driver.get(page.url)
        page.region("Moves and variations").wait_for("the edge")
        assert (page.mode, page.hash) == ("review", "441")
        page.open("12")
        page.wait(lambda: page.hash == "12")
    page.driver.refresh()  # each tab has its own
    page.region("Moves and variations").wait_for("the edge")


def test_a_link_leaves_the_stored_match_to_undo(page):
    page.open()
    page.start_match(1)
    page.play(4)
    page.wait_for_turn(2)
    position = page.hash
    page.load("1")
    assert not page.dialog("*?")
    page.button("Undo").click()
    page.switch("play")
    page.wait(lambda: (page.hash, page.headline) == (position, "Your move"))


def test_a_link_to_the_beginning_of_the_stored_game_is_that_beginning(page):
    page.open("4453")
    page.load("44")
    assert not page.button("Forward (→)").is_enabled
    page.button("Undo").click()
    page.wait(lambda: page.hash == "4453")


def test_the_port_is_the_first_one_or_the_next_that_is_free(monkeypatch, capsys):
    monkeypatch.setattr("c4mcts.http.server.serve", lambda app, listening: None)
    with listen("127.0.0.1", 0) as taken:
        first = taken.getsockname()[1]
        monkeypatch.setattr("c4mcts.cli.web.PORT", first)  # 7642 may be taken, or given back at any time
        assert main(["web", "--no-browser"]) == 0
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", capsys.readouterr().out)[1])
        assert first < port < first + 20
