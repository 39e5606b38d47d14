"""Play on the page: against a level, of two people, of two engines; the score of the session."""

import pytest

from c4mcts import Board
from c4mcts.play import LEVELS
from c4mcts.solver.solver import solve

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search


def test_a_whole_game_and_its_review(page):
    """Against level 1, by the moves of the solver."""
    page.open()
    page.start_match(1)
    while page.wait(lambda: "thinking" not in page.text("#panel h1") and page.text("#panel h1")) == "Your move":
        page.play(solve(Board.from_pons(page.hash)).best[0] + 1)
    assert page.text("#panel h1") == "You won"
    page.click("#to-review")
    page.wait_for("#panel h1", "You beat level 1 (Beginner) in")
    assert "100 %" in page.text(".accuracies li")
    page.switch("play")
    page.click("#rematch")
    page.wait_for_turn(1)


def test_a_hint_is_a_move_that_wins(page):
    page.open_setup("42")
    page.click("#from-here")
    page.wait_for_turn(2)
    page.click("#hint")
    page.wait(lambda: page.text(".hint-text").startswith("Hint: column"))
    assert int(page.text(".hint-text")[13]) - 1 in solve("42").best, page.text(".hint-text")


def test_hints_stay_and_moves_are_taken_back(page):
    page.open()
    page.start_match(10)
    page.click("#hint")
    page.wait_for(".hint-text", "Hint: column 4")
    page.press(page.keys.ARROW_LEFT)
    assert len(page.all(".ghost")) == 1
    page.play(4)
    page.wait_for_turn(2)
    assert (page.text(".hint-text"), page.all(".ghost")) == ("", [])
    page.press(page.keys.ARROW_LEFT)
    page.wait_for("#panel h1", "Looking back at move 1")
    page.play(1)
    page.wait_for("#error", "This is an earlier position")
    page.click("#take-back")
    page.wait(lambda: (page.discs, page.text("#panel h1")) == (0, "Your move"))


def test_the_other_side_and_resigning(page):
    page.open()
    page.start_match(3, side=1)
    page.wait_for_turn(1)
    page.click("#resign")
    page.click("#confirmation button[value=no]")
    page.wait(lambda: not page.all("#confirmation"))
    assert page.text("#panel h1") == "Your move"
    page.click("#resign")
    page.click("#confirmation button[value=yes]")
    page.wait_for("#panel h1", "You lost: you resigned")
    page.play(1)
    page.wait_for("#error", "The game is over.")
    page.click("#another")
    page.wait_for("#panel h1", "A game")


def test_what_was_taken_back_is_no_part_of_a_game_that_was_resigned(page):
    page.open_setup()
    page.choose("opponent", 2)
    page.play(4, 3, 4, 3, 4, 3, 4)
    page.wait_for("#panel h1", "Yellow won")
    page.click("#take-back")
    page.wait_for("#panel h1", "Yellow to move")
    page.click("#resign")
    page.click("#confirmation button[value=yes]")
    page.wait_for("#panel h1", "Red won by resignation")
    page.click("#to-review")
    page.wait(lambda: page.hash == "434343")
    page.press(page.keys.END)
    page.wait(lambda: not page.can_press("#forward"))
    assert page.discs == 6


def test_the_first_click_begins_a_game(page):
    page.open_setup()
    page.wait_for(".setup", "Sees nearly all wins and threats, but only one trap in three.")
    assert "Elo" not in page.text(".setup")
    page.click(".level summary")
    page.wait_for(".setup", f"Level 2, Elo {LEVELS[1].rating}")
    assert "Your first move on the board begins the game." in page.text(".setup")
    page.play(3)
    page.wait_for_turn(2)
    assert page.hash[0] == "3"
    assert page.texts(".players .name") == ["You", "Computer, level 2: Casual"]
    assert len(page.all(".tree-move")) == 2


def test_a_click_continues_from_the_position_on_the_board(page):
    page.open_setup("445")
    page.wait_for(".setup-words", "continues from this position")
    page.play(3)
    page.wait_for_turn(5)
    assert page.hash[:4] == "4453"
    assert page.texts(".players .name") == ["Computer, level 2: Casual", "You"]
    assert not page.find("#undo").is_displayed(), "Take back is the same"
    page.press(page.keys.CONTROL + "z", page.keys.CONTROL + "z", page.keys.NULL)
    page.wait(lambda: page.hash == "445" and page.all("#from-here"))
    page.wait(lambda: page.find("#from-here").is_enabled())
    page.click("#from-here")  # as yellow, by the setting
    page.wait_for_turn(4)


def test_a_click_after_a_finished_game_begins_another_one(page):
    page.open_setup("444444")
    page.play(4)
    page.wait_for("#error", "Column 4 is full.")
    assert page.text("#panel h1") == "A game"
    page.open_setup("1212121")
    page.play(5)
    page.wait_for_turn(2)
    assert page.hash[0] == "5"


def test_two_people_at_one_screen(page):
    page.open_setup()
    page.choose("opponent", 2)
    assert not page.find("#level").is_displayed()
    for column, words in ((1, "Red to move"), (2, "Yellow to move"), (1, "Red to move")):
        page.play(column)
        page.wait_for("#panel h1", words)
    page.click("#take-back")
    page.wait(lambda: (page.hash, page.text("#panel h1")) == ("12", "Yellow to move"))
    page.play(1, 2, 1, 2, 1)
    page.wait_for("#panel h1", "Yellow won")
    assert page.text(".score") == "Yellow: 1 · Red: 0 · 0 draws"
    page.click("#rematch")
    page.wait_for("#panel h1", "Yellow to move")
    page.click("#resign")
    page.click("#confirmation button[value=yes]")
    page.wait_for("#panel h1", "Red won by resignation")
    assert page.text(".score") == "Yellow: 1 · Red: 1 · 0 draws"
    page.driver.refresh()
    page.wait_for(".score", "Yellow: 1 · Red: 1 · 0 draws")


def test_two_engines_say_what_they_think(page):
    page.open_setup()
    page.choose("opponent", 3)
    page.wait(lambda: page.find(".engines select").is_displayed())
    page.click("#start")
    page.wait(lambda: sum("expects" in text for text in page.texts(".opinion")) == 2)
    names = page.texts(".players .name")
    assert names == ["strong, 1,000 simulations", "uct, 1,000 simulations"]
    page.press(" ")
    page.wait_for("#panel h1", "Paused")
    position = page.hash
    page.driver.execute_async_script("setTimeout(arguments[0], 800)")
    assert page.hash == position
    page.click("#pause")
    page.wait(lambda: len(page.hash) > len(position))
    page.click("#pause")


def test_a_flag_that_falls_ends_the_game_and_the_search_and_a_pause_stops_the_clock(page):
    page.open_setup()
    page.choose("opponent", 3)
    page.choose("clock", 2)  # a minute
    page.driver.execute_script("""
        window.sent = [];
        const [send, now] = [WebSocket.prototype.send, Date.now];
        window.later = (seconds) => (Date.now = () => now() + 1000 * seconds);
        WebSocket.prototype.send = function (text) {
          sent.push(text);
          send.call(this, text.replace(/"maxVisits":[0-9]+/, '"maxVisits":1000000000'));
        };
    """)
    page.click("#start")
    count = "return sent.filter((text) => text.includes(arguments[0])).length"
    page.wait(lambda: page.driver.execute_script(count, '"analyze"'))
    page.press(" ")
    page.wait_for("#panel h1", "Paused")
    page.driver.execute_script("later(600)")
    page.press(" ")
    page.wait_for("#panel h1", "thinking")
    page.wait(lambda: page.driver.execute_script(count, '"analyze"') == 2)
    page.driver.execute_script("later(700)")
    page.wait_for("#panel h1", "Red won on time")
    assert page.driver.execute_script(count, '"terminate"') == 2


def test_a_disc_falls_and_light_runs_along_the_four(page):
    page.prefer(prefers_reduced_motion="no-preference")
    page.open("121212")
    page.play(1)
    page.wait(lambda: len(page.all(".lit")) == 4)
    assert [page.css(selector, "animationName") for selector in (".falls", ".lit")] == ["fall", "light"]
    page.prefer(prefers_reduced_motion="reduce")
    assert [page.css(selector, "animationName") for selector in (".falls", ".lit")] == ["none", "none"]
    page.load("1212121")
    page.wait(lambda: len(page.all(".winning")) == 4)
    assert page.all(".lit") == []
