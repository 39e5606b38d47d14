"""Reviews on the page: marks in the list of moves, better moves and refutations, learning from mistakes."""

import pytest
from page import GAME

from c4mcts import Board
from c4mcts.play import review

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search
TURNS = [0, 6, 7, 10, 19, 24, 32]  # the plies before its mistakes


@pytest.fixture(scope="module")
def moves():
    found = review(GAME)
    assert [move.ply for move in found.turning_points] == TURNS
    return found.moves


def digits(columns):
    return [str(column + 1) for column in columns]


def open_review(page, ply=None):
    page.open(GAME, "review")
    page.wait_for("#panel h1", "Red won in 34 moves")
    if ply is not None:
        go(page, ply)
    return page


def go(page, ply):
    """Click the move that leads to a position."""
    page.all(".variations > .tree-move")[ply - 1].click()
    page.wait(lambda: page.hash == GAME[:ply])


def press_button(page, words):
    page.press_button("#panel button", words)


def ghosts(page):
    return page.texts(".ghost")


def ghost_columns(page):
    """The columns of the ghost discs, from 1, in their order."""
    script = """const frame = document.querySelector(".board .frame").getBoundingClientRect();
        return [...document.querySelectorAll(".ghost .body")].map((each) => {
            const {left, width} = each.getBoundingClientRect();
            return Math.ceil((left + width / 2 - frame.left) / frame.width * 7);
        });"""
    return [str(column) for column in page.driver.execute_script(script)]


def test_a_review(page):
    open_review(page)
    assert [text.replace("\n", " ") for text in (page.text(".accuracies li"), page.text(".accuracies li + li"))] == [
        "Yellow 81 % 1 mistake, 1 missed win, 3 blunders Learn from mistakes",
        "Red 88 % 2 blunders Learn from mistakes",
    ]
    assert page.texts(".graph .sign") == ["?", "?", "??", "??", "??", "??", "??"]
    go(page, 10)
    assert "Here yellow should play" in page.text(".now-text")
    assert len(page.all(".ghost")) == 8
    focused = page.driver.switch_to.active_element
    assert focused.get_attribute("aria-current") == "step"  # so that Tab continues from there


def test_moves_of_an_opening_are_left_out(page):
    page.open("", "review")
    page.paste(f'{GAME} {{"opening": 8}}')
    page.agree()
    page.wait_for("#panel h1", "Red won in 34 moves")
    assert page.texts(".graph .sign") == ["??", "??", "??", "??"], "those of the plies 10, 19, 24 and 32"
    found = review(GAME, opening=8)
    assert page.texts(".accuracies .number") == [f"{found.accuracy(player):.0f} %" for player in (0, 1)]
    page.driver.refresh()
    page.wait_for("#panel h1", "Red won in 34 moves")
    assert len(page.texts(".graph .sign")) == 4


def test_a_long_review_shows_what_it_has_found(page):
    page.open("20x14x5:10,11,10,11,10,12,1,5,10,11,7,3", "review")
    page.wait(lambda: page.driver.execute_script("return document.querySelector('#panel progress')?.value >= 2"))
    assert page.text("#panel h1") == "Reviewing …"
    assert page.text("#panel").count("of 12 moves") == 1
    assert 1 <= len(page.all(".graph .dot")) < 13
    page.wait_for("#panel .now-text", "Move 12, red 4: ")
    page.press(page.keys.ARROW_LEFT)
    page.wait_for("#panel .now-text", "Move 11, yellow 8: ")
    page.switch("analyse")


def test_the_moves_are_listed_once_with_their_marks(page, moves):
    open_review(page)
    signs = {"mistake": "?", "missed win": "?", "blunder": "??", "inaccuracy": "?!", "only": "!"}
    shown = [
        next((mark.text for mark in button.find_elements("css selector", "b")), None)
        for button in page.all(".variations .tree-move")
    ]
    assert shown == [signs.get(move.kind) for move in moves]
    assert page.all("#panel ol") == []
    labels = [button.get_attribute("aria-label") for button in page.all(".variations .tree-move")]
    assert labels[10] == "Move 11, Yellow column 4, blunder"
    page.switch("analyse")
    assert page.all(".tree-move b") == []


def test_a_blunder_shows_its_better_move_at_once_and_its_refutation(page, moves):
    open_review(page, 11)
    assert (ghosts(page), ghost_columns(page)) == (["✓"], digits(moves[10].best))
    assert "Best: 5, win in 31." in page.text(".now-text")
    press_button(page, "Refutation")
    assert ghosts(page) == [str(number + 1) for number in range(8)]
    assert ghost_columns(page) == digits(moves[10].refutation)
    press_button(page, "Better move")
    assert ghosts(page) == ["✓"]
    go(page, 25)
    assert (ghosts(page), ghost_columns(page)) == (["✓", "✓"], digits(moves[24].best))
    go(page, 10)
    assert ghost_columns(page) == digits(moves[10].line)


def test_why_a_game_was_lost(page):
    page.open_setup()
    page.choose("opponent", 2)  # two people
    page.play(*map(int, "3142324356231445"))
    page.wait_for("#panel h1", "Red won")
    page.click("#to-review")
    page.wait_for(".why", "Yellow lost with move 13: red’s 4 then threatens 4 and 5, and only one can be stopped.")
    page.wait(lambda: page.hash == "3142324356231")
    assert page.texts(".line-moves button")[:-1] == ["4", "4", "5"]
    page.all(".line-moves button")[1].click()
    page.wait(lambda: page.hash == "314232435623144")
    page.press(page.keys.ARROW_RIGHT)
    page.wait(lambda: page.hash == "3142324356231445")
    page.open(GAME, "review")
    page.wait_for(".why", "Yellow lost with move 33: it lets red win on top of it.")
    page.wait_for(".why", "Red could already force a win since move 25.")


def test_the_better_move_is_found(page, moves):
    open_review(page, 11)
    press_button(page, "Find the better move")
    page.wait(lambda: page.hash == GAME[:10])
    page.wait_for("#panel", "Move 11: yellow played 4, a blunder. How does yellow win?")
    assert (ghosts(page), ghost_columns(page)) == (["?"], ["4"])
    page.play(4)
    page.wait_for(".now-text", "4 loses in 30 moves: 4 answers it. Try again.")
    page.play(moves[10].best[0] + 1)
    page.wait_for(".now-text", "Right: 5 wins.")
    assert ghost_columns(page) == digits(moves[10].line)
    press_button(page, "Refutation")
    page.wait(lambda: page.discs == 11)
    assert ghost_columns(page) == digits(moves[10].refutation)
    page.click("#next")
    page.wait_for("#panel h1", "Red won in 34 moves")
    assert len(page.all(".tree-move")) == 34, "trying moves leaves the game as it was"


def test_all_mistakes_of_a_player_by_keys_alone(page, moves):
    open_review(page)
    mine = [move for move in moves if move.ply in TURNS and move.player == 0]
    mine.reverse()  # what is punished soonest, and last the win in 41 that the first move missed
    page.driver.execute_script("document.querySelector('.learn').focus()")
    assert page.driver.switch_to.active_element.get_attribute("aria-label") == "Learn from mistakes: yellow"
    page.press(page.keys.ENTER)
    for number, move in enumerate(mine, 1):
        page.wait_for("#panel h1", f"Find the better move ({number} of {len(mine)})")
        assert page.hash == GAME[: move.ply]
        legal = Board.from_pons(GAME[: move.ply]).legal_columns
        right = move.best if move.oversight else move.keeping
        wrong = [column for column in legal if column not in right]
        page.press(str(wrong[0] + 1))
        page.wait_for(".now-text", "Try again.")
        page.click("#show")
        page.wait_for(".now-text", f"The better move is {' '.join(digits(move.best))}")
        assert ghost_columns(page) == digits(move.line)
        page.press(page.keys.ENTER)
    page.wait_for("#panel h1", "Red won in 34 moves")
    page.wait_for("#read", "You found the better move at 0 of 5 mistakes.")


def test_going_elsewhere_ends_the_lesson(page):
    open_review(page, 11)
    press_button(page, "Find the better move")
    page.wait_for("#panel h1", "Find the better move")
    page.press(page.keys.ARROW_LEFT)
    page.wait_for("#panel h1", "Red won in 34 moves")


def test_a_review_of_nothing(page):
    page.open("", "review")
    page.wait_for("#panel", "Play a game, open one, or paste its moves")
    page.play(4)
    page.wait_for("#panel h1", "Unfinished after 1 move")


def test_the_explanation_is_drawn(page):
    page.open("112233")
    page.wait_for("#panel h1", "Yellow wins in 1 move")
    assert page.all(".threat") == []
    page.click("#explain")
    page.wait_for(".explanation-text", "Yellow wins with 4.")
    assert page.texts(".threat") == ["odd", "even"]
    assert (len(page.all(".board .cross")), len(page.all(".board .mark"))) == (0, 1)
    page.open("1122334")
    page.wait_for("#panel h1", "Yellow has won")
    assert page.all(".threat") == [], "the game is over"
    page.open("11223")
    page.wait_for(".explanation-text", "Red must play 4.")  # the setting is kept
    page.switch("review")
    page.wait_for(".explanation-text", "Red must play 4.")
    page.switch("play")
    assert page.all(".threat") == []
