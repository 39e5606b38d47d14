"""Openings and own mistakes on the page: the plan to win, own openings, the drills, insights."""

import signal

import pytest
from page import PHONE, Server, halts

from c4mcts import Board
from c4mcts.play import review
from c4mcts.play.strategy import winning_plan

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search


def open_view(page, name):
    page.driver.get(f"{page.url}#/puzzles/1")
    page.panel.button(name).click()


def rows(page):
    """The lines that are listed: reply, answer and the reason in short."""
    return page.panel.disclosure().texts


def boxes(page):
    return page.stored("c4mcts.puzzles")["plan"]


def test_the_lines_open_reply_by_reply(page):
    open_view(page, "Openings")
    page.wait(lambda: rows(page) == ["4", "1→5", "2→6", "3→7", "4→4"])
    assert page.discs == 1
    page.panel.paragraph().wait_for("It is the only column that wins.")
    page.panel.disclosure("red 2*").click()
    page.wait(lambda: len(rows(page)) == 12)
    assert page.discs == 3
    page.play(3)  # the reply on the board
    page.wait(lambda: page.discs == 5 and len(rows(page)) == 19)
    page.play(4)
    page.panel.paragraph().wait_for("Yellow has four in a row.")
    assert len(page.drawn("winning")) >= 4
    page.panel.disclosure("red 4*")[-1].click()  # of the replies in a position, one is open
    page.wait(lambda: len(rows(page)) == 9 and page.discs == 3)
    page.press(page.keys.ENTER, page.keys.ARROW_LEFT)
    page.wait(lambda: len(rows(page)) == 5 and page.discs == 1)
    page.switch("analyse")
    page.wait(lambda: page.discs == 0)


def test_the_drill_asks_for_the_moves_that_are_not_known(page):
    open_view(page, "Drill")
    page.wait_for_headline("Where does yellow begin?")
    page.play(3)
    page.panel.status().wait_for("3 only draws: 4 answers it. Try again.")
    assert list(page.terms.values()) == ["0", "1"]
    page.play(4)
    page.wait_for_headline("Red has played ")
    assert page.panel.status().text == "Right. It is the only column that wins."
    assert list(page.terms.values()) == ["0", "1"], "the first try counts"
    page.press("n")
    page.wait_for_headline("Where does yellow begin?")
    page.play(4)
    page.wait_for_headline("Red has played ")
    assert list(page.terms.values()) == ["1", "0"]
    page.panel.button("Show the solution*").click()
    page.panel.status().wait_for("The move is ")
    before = boxes(page)
    assert sorted(map(len, before)) == [0, 2]
    page.driver.refresh()
    page.panel.button("Drill").click()
    page.wait_for_headline("Red has played ")
    assert page.discs == 2, "the move that is known is played"
    assert boxes(page) == before


@halts
def test_a_move_is_not_judged_if_the_connection_is_lost(page):
    with Server() as own:
        page.url = own.url
        open_view(page, "Drill")
        page.wait_for_headline("Where does yellow begin?")
        own.lose(lambda: page.play(3))
        page.panel.status().wait_for("3 was not judged: the solver did not answer in time. Try again.")
        assert list(page.terms.values()) == ["0", "0"]
    page.driver.get("about:blank")
    page.driver.get_log("browser")  # it says that the server was gone


@halts
def test_it_says_that_an_answer_is_on_its_way(page):
    with Server() as own:
        page.url = own.url
        page.open("44")
        own.process.send_signal(signal.SIGSTOP)
        page.switch("puzzles")
        page.panel.status().wait_for("…")
        assert not page.checkbox()
        page.panel.button("Openings").click()
        page.panel.paragraph().wait_for("…")
        own.process.send_signal(signal.SIGCONT)
        page.wait(lambda: len(rows(page)) == 5 and "…" not in page.panel.paragraph().texts)
        page.panel.button("Drill").click()
        page.wait_for_headline("Where does yellow begin?")
        own.process.send_signal(signal.SIGSTOP)
        page.play(3)
        page.panel.status().wait_for("…")
        own.process.send_signal(signal.SIGCONT)
        page.panel.status().wait_for("3 only draws: 4 answers it. Try again.")
    page.driver.get("about:blank")


def test_a_line_is_played_to_its_end(page):
    open_view(page, "Drill")
    board = Board()
    page.wait_for_headline("Where does yellow begin?")
    while True:
        answer = winning_plan().answer(board)
        page.play(answer.column + 1)
        if answer.reason in ("win", "follow up"):
            break
        board.push(answer.column)
        page.wait(lambda: page.discs == board.ply + 1 and page.headline.startswith("Red"))
        board.push(int(page.headline.removeprefix("Red has played ")[0]) - 1)
    page.wait_for_headline("This line is over.")
    assert page.focus == "Next line"
    assert len(boxes(page)) == board.ply // 2 + 1


def test_on_a_phone_the_board_stays_in_sight(page):
    page.resize(*PHONE, touch=True)
    open_view(page, "Openings")
    page.wait(lambda: len(rows(page)) == 5)
    for reply, count in ((2, 12), (5, 19), (6, 26)):
        page.play(reply)
        page.wait(lambda count=count: len(rows(page)) == count)
    assert 0 <= page.box(".board")[1] < 150


def test_own_openings_are_written_down_on_the_board_and_drilled(page):
    page.open("44")
    page.switch("puzzles")
    page.panel.button("Openings").click()
    page.button("Begin for yellow").click()
    page.wait(lambda: rows(page) == ["?choose a move"])
    page.panel.paragraph().wait_for("Best: 4.")
    page.play(3)
    page.panel.paragraph().wait_for("It gives the result away; best is 4.")
    page.button("Play another move").click()
    page.play(4)
    page.wait(lambda: rows(page)[0] == "4" and "5→?choose a move" in rows(page))
    page.play(5, 4)
    page.wait(lambda: "5→4" in rows(page))
    assert page.discs == 5
    assert page.combobox("Openings of").value == "Yellow: 2 positions: 44"
    page.driver.refresh()
    page.panel.button("Drill").click()
    page.wait_for_headline("Where does yellow begin?")
    page.play(3)
    page.panel.status().wait_for("Try again.")
    page.play(4)
    page.wait_for_headline("Red has played 5. What does yellow play?")
    page.play(4)
    page.wait_for_headline("This line is over.")
    assert list(page.terms.values()) == ["1", "1"]


def test_two_tabs_keep_each_others_openings(page):
    open_view(page, "Openings")
    page.button("Begin for yellow").click()
    page.wait(lambda: rows(page) == ["?choose a move"])
    with page.tab():
        open_view(page, "Openings")
        page.wait(lambda: rows(page) == ["?choose a move"])
        page.play(4)
        page.wait(lambda: "5→?choose a move" in rows(page))
        page.play(5, 4)
        page.wait(lambda: "5→4" in rows(page))
    page.play(4)
    page.wait(lambda: "5→4" in rows(page))
    page.play(6, 4)
    page.wait(lambda: "6→4" in rows(page))
    assert page.stored("c4mcts.repertoires")[0]["answers"] == {"": 3, "34": 3, "35": 3}


def test_own_openings_are_taken_from_games_against_the_computer(page):
    page.open()
    keep_games(page, ("4453", "you", "level 3", "1-0"), ("44", "you", "level 3", "1-0"), ("1", "level 1", "you", "0-1"))
    page.switch("puzzles")
    page.panel.button("Openings").click()
    page.button("Begin for yellow").click()
    page.button("Add what I play").click()
    page.status().wait_for("2 positions added.")
    page.wait(lambda: rows(page)[0] == "4" and "4→5" in rows(page))


def test_the_buttons_belong_to_the_openings_that_are_chosen(page):
    open_view(page, "Openings")
    page.button("Begin for yellow").click()
    page.button("Add what I play").wait_for()
    page.combobox("Openings of").choose("A plan to win")
    page.wait(lambda: not page.button("Add what I play") and not page.button("Delete"))
    page.combobox("Openings of").choose("Yellow: 0 positions")
    page.button("Delete").click()
    page.confirm("Delete")
    page.wait(lambda: page.combobox("Openings of").options[-1] == "A plan to win after 2")


@halts
def test_what_comes_too_late_changes_nothing(page):
    with Server() as own:
        page.url = own.url
        page.leave()
        keep_games(page, ("7/7/7/7/7/2xo3 x 7x6x4:4445", "you", "level 3", "1-0"))
        page.wait(lambda: page.discs)
        page.panel.button("Openings").click()
        page.button("Begin for yellow").click()
        page.wait(lambda: rows(page) == ["?choose a move"])
        own.process.send_signal(signal.SIGSTOP)
        page.button("Add what I play").click()
        page.panel.button("Puzzles").click()
        page.wait(lambda: page.discs)
        page.paste("7/7/7/7/7/2xo4 x 7x6x4")  # which the server is asked for, too
        own.process.send_signal(signal.SIGCONT)
        page.alert().wait_for("The game is unchanged.")
        assert not page.combobox("Openings of")
        assert page.discs
    page.driver.get("about:blank")


def keep_games(page, *games):
    """Store games against the computer: moves, first, second, result."""
    lines = [
        f'{moves} {{"first":"{first}","second":"{second}","result":"{result}","end":"win","rules":"7x6x4"}}'
        for moves, first, second, result in games
    ]
    script = """localStorage.setItem("c4mcts.games", JSON.stringify(arguments[0].map((line, index) =>
        ({id: `${Date.UTC(2026, 4, 3) + index}-0.5`, line}))));"""
    page.driver.execute_script(script, lines)
    page.leave()
    page.driver.get(f"{page.url}#/puzzles/1")


def test_all_own_mistakes_are_a_drill_that_gives_nothing_away(page):
    page.open("20x14x5:")
    page.switch("puzzles")
    page.panel.button("My mistakes").click()
    page.wait_for_headline("Play against the computer first")
    assert not page.panel.button("Next mistake")
    assert page.button("7 × 6, 4 in a row"), "the board that is drawn, not that of the game"
    keep_games(page, ("3142324356231445", "you", "level 3", "0-1"), ("44", "you", "level 3", "*"))
    page.panel.button("My mistakes").click()
    page.wait_for_headline("Yellow to move: what is best?")
    assert page.ghosts == []
    assert "mistake" not in page.panel.status().text
    asked = page.discs
    moves = review("3142324356231445").moves
    best = moves[asked].best
    page.play(moves[asked].column + 1)
    page.panel.status().wait_for("Try again.")
    assert len(page.ghosts) > 1, "the refutation"
    page.play(best[0] + 1)
    page.panel.status().wait_for(f"May 3, 2026, level 3: yellow played {moves[asked].column + 1}, ")
    count = len([move for move in moves if move.player == 0 and move.kind in ("mistake", "missed win", "blunder")])
    assert list(page.terms.values()) == ["0", f"{count}"]
    page.press("n")
    page.wait(lambda: page.discs != asked and page.headline.startswith("Yellow to move"))
    page.play(moves[page.discs].best[0] + 1)
    page.wait(lambda: list(page.terms.values()) == ["1", f"{count - 1}"])


def test_insights_show_where_points_come_from_and_train_what_is_behind_a_bar(page):
    page.open()
    games = [("3142324356231445", "you", "level 3", "0-1"), ("1212121", "you", "level 1", "1-0")]
    keep_games(page, *games, ("1" * 6, "you", "level 1", "*"))
    page.panel.button("Insights").click()
    page.panel.wait_for("2 games against the computer")
    rows = dict(row.split("\n") for row in page.panel.listitem().texts)
    mistakes = [
        move
        for moves, *_ in games
        for move in review(moves).moves
        if move.player == 0 and move.kind in ("mistake", "missed win", "blunder")
    ]
    assert rows["1 Beginner"].startswith("1 of 1, ")
    assert rows["3 Improver"].startswith("0 of 1, ")
    assert rows["Yellow"] == f"1 of 2, {len(mistakes)} mistakes"
    page.resize(320, 640, touch=True)
    heights = "return [...document.querySelectorAll('.insight > :last-child')].map((each) => each.clientHeight)"
    assert max(page.driver.execute_script(heights)) < 30, "each figure is in one line"
    late = [move for move in mistakes if 8 <= move.ply < 16]
    page.button("9\N{EN DASH}16").click()
    page.wait_for_headline("Yellow to move: what is best?")
    assert list(page.terms.values()) == ["0", f"{len(late)}"]
