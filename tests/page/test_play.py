"""Play on the page: against a level, of two people, of two engines; the score of the session."""

import pytest

from c4mcts import Board
from c4mcts.play import LEVELS, NetworkPlayer
from c4mcts.solver.solver import solve

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search


def test_a_whole_game_and_its_review(page):
    """Against level 1, by the moves of the solver."""
    page.open()
    page.start_match(1)
    while page.wait(lambda: "thinking" not in page.headline and page.headline) == "Your move":
        page.play(solve(Board.from_pons(page.hash)).best[0] + 1)
    assert page.headline == "You won"
    page.panel.button("Review").click()
    page.wait_for_headline("You beat level 1 (Beginner) in")
    assert "100 %" in page.panel.listitem().texts[0]
    page.switch("play")
    page.button("Rematch").click()
    page.wait_for_turn(1)


def test_a_hint_is_a_move_that_wins(page):
    page.open_setup("42")
    page.button("Continue from this position").click()
    page.wait_for_turn(2)
    page.button("Hint").click()
    hint = page.panel.paragraph().wait_for("Hint: column")
    assert int(hint[13]) - 1 in solve("42").best, hint


def test_hints_stay_and_moves_are_taken_back(page):
    page.open()
    page.start_match(10)
    page.button("Hint").click()
    page.panel.paragraph().wait_for("Hint: column 4")
    page.press(page.keys.ARROW_LEFT)
    assert len(page.ghosts) == 1
    page.play(4)
    page.wait_for_turn(2)
    assert ("Hint: " in page.panel.text, page.ghosts) == (False, [])
    page.press(page.keys.ARROW_LEFT)
    page.wait_for_headline("Looking back at move 1")
    page.play(1)
    page.alert().wait_for("This is an earlier position")
    page.button("Take back").click()
    page.wait(lambda: (page.discs, page.headline) == (0, "Your move"))


def test_the_other_side_and_resigning(page):
    page.open()
    page.start_match(3, side=1)
    page.wait_for_turn(1)
    page.button("Resign").click()
    page.dialog("*?").button("Cancel").click()
    page.wait(lambda: not page.dialog("*?"))
    assert page.headline == "Your move"
    page.button("Resign").click()
    page.confirm("Resign")
    page.wait_for_headline("You lost: you resigned")
    page.play(1)
    page.alert().wait_for("The game is over.")
    page.button("Another game").click()
    page.wait_for_headline("A game")


def test_what_was_taken_back_is_no_part_of_a_game_that_was_resigned(page):
    page.open_setup()
    page.radio("Two people").click()
    page.play(4, 3, 4, 3, 4, 3, 4)
    page.wait_for_headline("Yellow won")
    page.button("Take back").click()
    page.wait_for_headline("Yellow to move")
    page.button("Resign").click()
    page.confirm("Resign")
    page.wait_for_headline("Red won by resignation")
    page.panel.button("Review").click()
    page.wait(lambda: page.hash == "434343")
    page.press(page.keys.END)
    page.wait(lambda: not page.button("Forward (→)").is_enabled)
    assert page.discs == 6


def test_the_first_click_begins_a_game(page):
    page.open_setup()
    page.panel.paragraph().wait_for("Sees nearly all wins and threats, but only one trap in three.")
    assert "Elo" not in page.panel.text
    page.disclosure("Strength in numbers").click()
    page.panel.paragraph().wait_for(f"Level 2, Elo {LEVELS[1].rating}")
    assert "Your first move on the board begins the game." in page.panel.text
    page.play(3)
    page.wait_for_turn(2)
    assert page.hash[0] == "3"
    assert page.panel.listitem().texts == ["You", "Computer, level 2: Casual"]
    assert page.move(2)


def test_a_click_continues_from_the_position_on_the_board(page):
    page.open_setup("445")
    page.panel.paragraph().wait_for("continues from this position")
    page.play(3)
    page.wait_for_turn(5)
    assert page.hash[:4] == "4453"
    assert page.panel.listitem().texts == ["Computer, level 2: Casual", "You"]
    assert not page.game.button("Undo"), "Take back is the same"
    page.press(page.keys.CONTROL + "z", page.keys.CONTROL + "z", page.keys.NULL)
    page.wait(lambda: page.hash == "445" and page.button("Continue from this position"))
    page.wait(lambda: page.button("Continue from this position").is_enabled)
    page.button("Continue from this position").click()  # as yellow, by the setting
    page.wait_for_turn(4)


def test_a_click_after_a_finished_game_begins_another_one(page):
    page.open_setup("444444")
    page.play(4)
    page.alert().wait_for("Column 4 is full.")
    assert page.headline == "A game"
    page.open_setup("1212121")
    page.play(5)
    page.wait_for_turn(2)
    assert page.hash[0] == "5"


def test_two_people_at_one_screen(page):
    page.open_setup()
    page.radio("Two people").click()
    assert not page.slider("Level")
    for column, words in ((1, "Red to move"), (2, "Yellow to move"), (1, "Red to move")):
        page.play(column)
        page.wait_for_headline(words)
    page.button("Take back").click()
    page.wait(lambda: (page.hash, page.headline) == ("12", "Yellow to move"))
    page.play(1, 2, 1, 2, 1)
    page.wait_for_headline("Yellow won")
    page.panel.paragraph().wait_for("Yellow: 1 · Red: 0 · 0 draws")
    page.button("Rematch").click()
    page.wait_for_headline("Yellow to move")
    page.button("Resign").click()
    page.confirm("Resign")
    page.wait_for_headline("Red won by resignation")
    page.panel.paragraph().wait_for("Yellow: 1 · Red: 1 · 0 draws")
    page.driver.refresh()
    page.panel.paragraph().wait_for("Yellow: 1 · Red: 1 · 0 draws")


def test_the_network_alone_replies_with_its_most_probable_column(page):
    page.open_setup()
    page.radio("The network alone").click()
    page.button("Start").click()
    page.play(1)
    page.wait_for_turn(2)
    assert page.hash == f"1{NetworkPlayer().choose(Board.from_pons('1')) + 1}"


def test_where_the_network_can_not_play_a_level_does_and_the_page_says_why(page):
    page.store(opponent="network", **SETTINGS)
    page.open_setup("8x7x5-no-diagonals:")
    assert not page.radio("The network alone").is_enabled
    page.panel.paragraph().wait_for("On this board the network can’t play")
    page.slider("Level").slide(10)
    assert "has not been measured" in page.panel.text, "it is perfect on 7 x 6"
    page.slider("Level").slide(2)
    page.radio("Two engines").click()
    page.combobox("Yellow: preset").wait_for()
    assert "network" not in page.combobox("Yellow: preset").options
    page.radio("Computer").click()
    page.play(3)
    page.wait_for_turn(2)


def test_two_engines_say_what_they_think(page):
    page.open_setup()
    page.radio("Two engines").click()
    page.combobox("Yellow: preset").wait_for()
    page.button("Start").click()
    page.wait(lambda: page.panel.text.count("expects") == 2)
    first, second = page.panel.listitem().texts
    assert first.startswith("strong, 1,000 simulations")
    assert second.startswith("uct, 1,000 simulations")
    page.press(" ")
    page.wait_for_headline("Paused")
    position = page.hash
    page.driver.execute_async_script("setTimeout(arguments[0], 800)")
    assert page.hash == position
    page.button("Continue").click()
    page.wait(lambda: len(page.hash) > len(position))
    page.button("Pause").click()


def test_a_flag_that_falls_ends_the_game_and_the_search_and_a_pause_stops_the_clock(page):
    page.open_setup()
    page.radio("Two engines").click()
    page.radio("1 min + 1 s").click()
    page.driver.execute_script("""
        window.sent = [];
        const [send, now] = [WebSocket.prototype.send, Date.now];
        window.later = (seconds) => (Date.now = () => now() + 1000 * seconds);
        WebSocket.prototype.send = function (text) {
          sent.push(text);
          send.call(this, text.replace(/"maxVisits":[0-9]+/, '"maxVisits":1000000000'));
        };
    """)
    page.button("Start").click()
    count = "return sent.filter((text) => text.includes(arguments[0])).length"
    page.wait(lambda: page.driver.execute_script(count, '"analyze"'))
    page.press(" ")
    page.wait_for_headline("Paused")
    page.driver.execute_script("later(600)")
    page.press(" ")
    page.wait_for_headline("thinking")
    page.wait(lambda: page.driver.execute_script(count, '"analyze"') == 2)
    page.driver.execute_script("later(700)")
    page.wait_for_headline("Red won on time")
    assert page.driver.execute_script(count, '"terminate"') == 2


def test_a_disc_falls_and_light_runs_along_the_four(page):
    page.prefer(prefers_reduced_motion="no-preference")
    page.open("121212")
    page.play(1)
    page.wait(lambda: len(page.drawn("lit")) == 4)
    assert [page.css(selector, "animationName") for selector in (".falls", ".lit")] == ["fall", "light"]
    page.prefer(prefers_reduced_motion="reduce")
    assert [page.css(selector, "animationName") for selector in (".falls", ".lit")] == ["none", "none"]
    page.load("1212121")
    page.wait(lambda: len(page.drawn("winning")) == 4)
    assert page.drawn("lit") == []
