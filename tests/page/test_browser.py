"""The page in a browser: analysis, games, reviews, by mouse and by keyboard, on screens and phones; errors in place."""

import json
import re

import pytest
from page import MODES, Server

from c4mcts import Board
from c4mcts.play import read_game

pytestmark = pytest.mark.native


# analysis


def lines(page):
    """What the table says about each move, the best first."""
    return page.table("Moves, the best first").rows


def test_a_search_grows_and_stops(page):
    page.open("9x7x4:44")  # where nothing is proven
    page.expect_search_to_stop_and_continue()


def test_the_exact_answer_comes_first(page):
    page.open("4453")
    page.wait_for_headline("Red wins in 36 moves")
    scores = ["−5", "−5", "−2", "−3", "−4", "−2", "−2"]
    assert page.drawn("bars .result") == scores
    assert len(page.drawn("bars .loss")) == 7
    assert page.terms["Solver"] == "−2, best 3 6 7"
    assert lines(page)[0][:2] == ["3", "loss in 36"]
    assert "--part: 0" in page.all(".balance")[0].get_attribute("style"), "the bar is red's alone"


def test_the_best_line_is_on_the_board(page):
    page.open("112233")  # 4 wins
    page.wait_for_headline("Yellow wins in 1 move")
    page.wait(lambda: page.ghosts == ["1"])
    assert lines(page)[0][0] == "4"
    page.table("Moves, the best first").button("4").click()
    page.wait_for_headline("Yellow has won")
    assert (page.hash, page.ghosts, len(page.drawn("winning"))) == ("1122334", [], 4)
    assert not page.button("Proven").is_enabled


@pytest.mark.parametrize("width", [1280, 640, 320])
def test_a_whole_line_is_read_and_played(page, width):
    page.store(isOn=False)  # rows change places while a search goes on
    page.resize(width, 860)
    page.open("44532")
    page.wait(lambda: (rows := lines(page)) and all(row[1] for row in rows))
    row = lines(page)[1]
    distance = int(row[1].split()[-1])
    page.panel.button(f"{row[0]} *").click()
    moves = page.group("Line").button()
    page.wait(lambda: len(moves) == distance + 1)
    line = "".join(moves.texts[:-1])
    assert line[0] == row[0]
    assert Board.from_pons("44532" + line).is_over()
    page.group("Line").button("Copy").click()
    page.wait_to_hear("Line: copied.")
    assert page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])") == "44532" + line
    for count in (1, 2):
        page.press(page.keys.ARROW_RIGHT)
        page.wait(lambda count=count: page.hash == "44532" + line[:count])
    moves[3].click()
    page.wait(lambda: page.hash == "44532" + line[:4])
    assert moves.is_current.index(True) == 3
    page.press(page.keys.HOME)
    page.wait(lambda: not page.group("Line"))


def test_what_if_a_column_must_not_be_played(page):
    page.open("112233")  # 4 wins
    page.wait_for_headline("Yellow wins in 1 move")
    page.disclosure("What if *").click()
    page.panel.button("4")[-1].click()
    page.wait_for_headline("Red wins in 36 moves")
    assert page.disclosure("Without*").text == "Without 4: the best of the other moves"
    page.wait(lambda: len(lines(page)) == 6)
    page.play(7)
    page.disclosure("What*").wait_for("What if a column must not be played?")


def test_the_graph_jumps(page):
    page.open("4444435")
    graph = page.image("Course of the game*")
    page.wait(lambda: len(graph) and len(page.all(".graph .dot")) == 8)
    graph.ask("""const {left, width} = found[0].getBoundingClientRect();
        found[0].dispatchEvent(new MouseEvent("click", {clientX: left + 0.65 * width, bubbles: true}));""")
    page.wait(lambda: page.hash == "4444")


def test_sound_is_off_until_it_is_wanted(page):
    page.open()
    page.driver.execute_script("""window.heard = 0;
        const create = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () { heard++; return create.call(this); };""")
    page.play(4)
    page.wait(lambda: page.discs == 1)
    page.press("?")
    page.checkbox("Sound of the discs").click()
    page.press(page.keys.ESCAPE)
    page.wait(lambda: not page.dialog())
    page.play(4)
    page.wait(lambda: page.driver.execute_script("return heard") == 1)
    page.press(page.keys.ARROW_LEFT)
    page.wait(lambda: page.hash == "4")
    assert page.driver.execute_script("return heard") == 1


# moves and positions


def test_moves_by_mouse_and_keys(page):
    page.open()
    assert not page.button("Back (←)").is_enabled
    page.play(4, 4)
    page.press("5")
    page.wait(lambda: (page.hash, page.discs) == ("445", 3))
    left, right, home, end = page.keys.ARROW_LEFT, page.keys.ARROW_RIGHT, page.keys.HOME, page.keys.END
    for key, position in [(left, "44"), (left, "4"), (right, "44"), (home, ""), (end, "445"), (left, "44")]:
        page.press(key)
        page.wait(lambda position=position: page.hash == position)


def test_the_board_by_keyboard_alone(page):
    page.open()
    page.board.button()[0].focus()
    page.press(
        page.keys.ARROW_RIGHT, page.keys.ARROW_RIGHT, page.keys.ENTER, " ", page.keys.ARROW_LEFT, page.keys.ENTER
    )
    page.wait(lambda: page.hash == "332")
    assert page.focus == "Column 2: from below yellow"
    assert page.board.names == ["Red to move."]


def test_what_a_screen_reader_hears(page):
    page.open("121212")
    page.press("1")
    page.wait_to_hear("Yellow played column 1. Yellow has won.")
    assert page.board.button().names[:3] == [
        "Column 1: from below yellow, yellow, yellow, yellow", "Column 2: from below red, red, red", "Column 3: empty",
    ]  # fmt: skip


def test_errors_are_in_place_and_the_game_is_kept(page):
    page.open("444444")
    page.play(4)
    page.alert().wait_for("Column 4 is full.")
    page.press("5")
    page.wait(lambda: (page.hash, page.alert().text) == ("4444445", ""))
    page.type_moves("44a4")
    page.alert().wait_for("Character 3, “a” is not a column")
    assert "The game is unchanged." in page.alert().text
    page.press(page.keys.ESCAPE)
    page.paste("1" * 1_000_001)
    page.alert().wait_for("A text of 1,000,001 characters is too long")
    assert (page.hash, page.discs) == ("4444445", 7)


def test_texts_that_are_pasted(page):
    page.open("1")
    for enter, text, position in [
        (page.paste, "3, 3, 4", "445"),
        (page.type_moves, "7/7/7/7/7/2xo3 x 7x6x4", "7/7/7/7/7/2xo3_x_7x6x4:"),
        (page.paste, "http://127.0.0.1/#12", "12"),
    ]:
        enter(text)
        page.agree()
        page.wait(lambda position=position: page.hash == position)
    page.paste("2,2,3")
    page.agree()
    page.game.status().wait_for("Read as the columns 3 3 4 of the board: a list with commas counts columns from 0.")
    page.play(1)
    page.wait(lambda: page.game.status().text == "")


DRAWING = ". . . . . . .\n" * 4 + ". . . o . . .\n. . o x x . ."


def test_what_replaces_a_game_is_shown_before(page):
    page.open()
    page.paste(DRAWING)  # nothing is replaced
    page.game.status().wait_for("Read as a position with 4 discs.")
    assert page.hash == "7/7/7/7/3o3/2oxx2_x_7x6x4:"
    page.play(1)
    page.paste("https://connect4.gamesolver.org/?pos=4453")
    page.dialog().wait_for("Read as the columns 4 4 5 3 of the board.")
    page.button("Cancel").click()
    page.wait(lambda: not page.dialog())
    assert page.hash == "7/7/7/7/3o3/2oxx2_x_7x6x4:1"
    page.paste("https://connect4.gamesolver.org/?pos=4453")
    page.agree()
    page.wait(lambda: page.hash == "4453")
    page.paste("44535")  # the same game with one more move
    page.wait(lambda: page.hash == "44535")


@pytest.mark.parametrize(
    ("text", "index", "found", "columns"),
    [
        (".......\n" * 5 + "..OXXO.", 1, "7/7/7/7/7/2xoox1_x_7x6x4:", ["yellow", "red", "red", "yellow"]),
        (".......\n" * 5 + "..YR...", 1, "7/7/7/7/7/2xo3_x_7x6x4:", ["yellow", "red"]),
        (".......\n" * 5 + "..YR...", 0, "7/7/7/7/7/2ox3_x_7x6x4:", ["yellow", "red"]),
    ],
)
def test_the_page_asks_who_began(page, text, index, found, columns):
    page.open().paste(text)
    page.dialog().wait_for("Who began?")
    assert len(page.figure()) == 2
    page.agree(index)
    page.wait(lambda: page.hash == found)
    assert [name.split()[-1] for name in page.board.button("*below*").names] == columns


def test_files_without_a_game_replace_nothing(page, tmp_path):
    path = tmp_path / "file"
    page.open("445")
    for content, words in [
        (b"", "is empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "This is not a text."),
        (json.dumps({"name": "connectx", "moves": [3]}, indent=1).encode(), "JSON must be"),
        (b'{"rules": 3}', "JSON must be"),
    ]:
        path.write_bytes(content)
        page.choose_file(str(path))
        page.alert().wait_for(words)
        assert "The game is unchanged." in page.alert().text
        assert page.hash == "445"
    page.paste("")  # what the page gets of a picture
    page.play(3)
    page.wait(lambda: page.hash == "4453")


def test_a_game_of_a_file_with_several_is_chosen(page, tmp_path):
    file = tmp_path / "games.txt"
    lines = ["444421", '112 {"first": "level 4", "second": "you", "result": "*"}', '4x4 {"first": "nobody"}']
    file.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    page.open("5")

    def choose(*pressed):
        page.choose_file(str(file))
        page.wait(lambda: page.listbox().options)
        page.press(*pressed)
        page.wait(lambda: not page.listbox())
        page.agree()

    page.choose_file(str(file))
    page.wait(lambda: len(page.listbox().options) == 3)
    page.press(page.keys.ESCAPE)
    page.wait(lambda: not page.dialog())
    assert page.hash == "5", "nothing is chosen"
    choose(page.keys.ARROW_DOWN, page.keys.ENTER)
    page.wait(lambda: page.hash == "112")
    choose(page.keys.END, page.keys.ENTER)
    page.alert().wait_for("Character 2, “x” is not a column")
    assert page.hash == "112"
    file.write_text("44\n" * 6000)
    page.choose_file(str(file))
    page.dialog().wait_for("Choose one of the first 5,000 of 6,000 games")
    page.press(page.keys.ESCAPE)


def test_files(page, downloads):
    file = downloads / "game.txt"
    file.write_text("4453\n")
    page.open()
    page.choose_file(str(file))
    page.wait(lambda: page.hash == "4453")
    file.write_text('44"the centre"5(3"a mistake"2(6)7)3 {"first": "level 4", "rules": "7x6x4"}\n', encoding="utf-8")
    page.choose_file(str(file))
    page.region("Moves and variations").wait_for("a mistake")
    assert page.hash == "4453"
    file.write_text("x" * 1_000_001)
    page.choose_file(str(file))
    page.alert().wait_for("game.txt is too large for a file of games.")
    page.button("Save").click()
    page.wait(lambda: (downloads / "connect4.txt").is_file())
    saved = read_game(page.wait(lambda: (downloads / "connect4.txt").read_text(encoding="utf-8")))
    assert saved.tree.to_text() == '44"the centre"5(3"a mistake"2(6)7)3'
    assert saved.headers == {"rules": "7x6x4"}


def test_another_board(page):
    page.open("445")
    page.button("*in a row*").click()
    page.spinbutton("Columns").write("21")
    page.button("New game").click()
    page.dialog().alert().wait_for("The width must be 1 to 20 on this page, not 21.")
    for field, text in (("Columns", "5"), ("Rows", "4"), ("In a row", "3")):
        page.spinbutton(field).write(text)
    page.button("New game").click()
    page.wait(lambda: page.hash == "5x4x3:" and not page.dialog())
    page.button("New").click()
    assert len(page.board.button()) == 5


# the page itself


def test_dark_mode(page):
    def brightness():
        return sum(map(int, re.findall(r"\d+", page.css("body", "backgroundColor"))[:3])) / 3

    page.prefer(prefers_color_scheme="light")
    page.open()
    assert brightness() > 200
    page.prefer(prefers_color_scheme="dark")
    assert brightness() < 60
    page.button("Theme: *").click()  # light, no matter what the system says
    page.wait(lambda: brightness() > 200)
    page.load()
    assert brightness() > 200


def test_modes_leave_nothing_behind(page):
    page.open("445")
    for mode in (*MODES, *reversed(MODES)):
        page.switch(mode)
        page.wait(lambda: page.panel.text)
        assert page.mode == mode
        assert page.navigation().button().is_current.index(True) == MODES.index(mode)
        assert bool(page.drawn("bars:not(.off)")) == (mode == "analyse")
    assert page.hash == "445"


# the connection


def test_a_server_that_goes_and_comes_back(page):
    with Server() as own:
        port = own.url.rstrip("/").rpartition(":")[2]
        page.url = own.url
        page.open("44")
        page.wait_for_numbers()
    page.status().wait_for("your game is kept")
    page.play(3)
    page.wait(lambda: page.discs == 3)
    with Server(port):
        page.wait(lambda: page.status().text == "")
        page.wait_for_numbers()
    page.driver.get("about:blank")
    page.driver.get_log("browser")  # it says that the server was gone
