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
    page.wait_for_headline("Red won in 34 moves")
    if ply is not None:
        go(page, ply)
    return page


def go(page, ply):
    """Click the move that leads to a position."""
    page.move(ply)[0].click()
    page.wait(lambda: page.hash == GAME[:ply])


def signs(page):
    """Those in the graph."""
    return [each.text for each in page.all(".graph .sign")]


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
    assert [text.replace("\n", " ") for text in page.panel.listitem().texts] == [
        "Yellow 81 % 1 mistake, 1 missed win, 3 blunders Learn from mistakes",
        "Red 88 % 2 blunders Learn from mistakes",
    ]
    assert signs(page) == ["?", "?", "??", "??", "??", "??", "??"]
    go(page, 10)
    page.panel.paragraph().wait_for("Here yellow should play")
    assert len(page.ghosts) == 8
    assert page.focus == "Move 10, Red column 2"  # so that Tab continues from there


def test_moves_of_an_opening_are_left_out(page):
    page.open("", "review")
    page.paste(f'{GAME} {{"opening": 8}}')
    page.agree()
    page.wait_for_headline("Red won in 34 moves")
    assert signs(page) == ["??", "??", "??", "??"], "those of the plies 10, 19, 24 and 32"
    found = review(GAME, opening=8)
    accuracies = [text.split("\n")[1] for text in page.panel.listitem().texts]
    assert accuracies == [f"{found.accuracy(player):.0f} %" for player in (0, 1)]
    page.driver.refresh()
    page.wait_for_headline("Red won in 34 moves")
    assert len(signs(page)) == 4


def test_a_long_review_shows_what_it_has_found(page):
    page.open("20x14x5:10,11,10,11,10,12,1,5,10,11,7,3", "review")
    page.wait(lambda: page.panel.progressbar().ask("return found[0]?.value >= 2"))
    assert page.headline == "Reviewing …"
    assert page.panel.text.count("of 12 moves") == 1
    assert 1 <= len(page.all(".graph .dot")) < 13
    page.panel.paragraph().wait_for("Move 12, red 4: ")
    page.press(page.keys.ARROW_LEFT)
    page.panel.paragraph().wait_for("Move 11, yellow 8: ")
    page.switch("analyse")


def test_the_moves_are_listed_once_with_their_marks(page, moves):
    open_review(page)
    marks = {"mistake": "?", "missed win": "?", "blunder": "??", "inaccuracy": "?!", "only": "!"}
    buttons = page.group("Moves").button()
    assert buttons.texts == [f"{move.column + 1}{marks.get(move.kind, '')}" for move in moves]
    assert buttons.names[10] == "Move 11, Yellow column 4, blunder"
    page.switch("analyse")
    assert buttons.texts == [*GAME]


def test_a_blunder_shows_its_better_move_at_once_and_its_refutation(page, moves):
    open_review(page, 11)
    assert (page.ghosts, ghost_columns(page)) == (["✓"], digits(moves[10].best))
    page.panel.paragraph().wait_for("Best: 5, win in 31.")
    page.button("Refutation").click()
    assert page.ghosts == [str(number + 1) for number in range(8)]
    assert ghost_columns(page) == digits(moves[10].refutation)
    page.button("Better move").click()
    assert page.ghosts == ["✓"]
    go(page, 25)
    assert (page.ghosts, ghost_columns(page)) == (["✓", "✓"], digits(moves[24].best))
    go(page, 10)
    assert ghost_columns(page) == digits(moves[10].line)


def test_why_a_game_was_lost(page):
    page.open_setup()
    page.radio("Two people").click()
    page.play(*map(int, "3142324356231445"))
    page.wait_for_headline("Red won")
    why = "Yellow lost with move 13: red’s 4 then threatens 4 and 5, and only one can be stopped."
    page.panel.status().wait_for(why)
    page.panel.button("Review").click()
    page.panel.paragraph().wait_for(why)
    page.wait(lambda: page.hash == "3142324356231")
    assert page.group("Line").button().texts[:-1] == ["4", "4", "5"]
    page.group("Line").button()[1].click()
    page.wait(lambda: page.hash == "314232435623144")
    page.press(page.keys.ARROW_RIGHT)
    page.wait(lambda: page.hash == "3142324356231445")
    page.open(GAME, "review")
    page.panel.paragraph().wait_for("Yellow lost with move 33: it lets red win on top of it.")
    page.panel.paragraph().wait_for("Red could already force a win since move 25.")


def test_the_better_move_is_found(page, moves):
    open_review(page, 11)
    page.button("Find the better move").click()
    page.wait(lambda: page.hash == GAME[:10])
    page.panel.wait_for("Move 11: yellow played 4, a blunder. How does yellow win?")
    assert (page.ghosts, ghost_columns(page)) == (["?"], ["4"])
    page.play(4)
    page.panel.status().wait_for("4 loses in 30 moves: 4 answers it. Try again.")
    page.play(moves[10].best[0] + 1)
    page.panel.status().wait_for("Right: 5 wins.")
    assert ghost_columns(page) == digits(moves[10].line)
    page.button("Refutation").click()
    page.wait(lambda: page.discs == 11)
    assert ghost_columns(page) == digits(moves[10].refutation)
    page.panel.button("Next *").click()
    page.wait_for_headline("Red won in 34 moves")
    assert len(page.group("Moves").button()) == 34, "trying moves leaves the game as it was"
    page.button("Find the better move").click()
    page.wait_for_headline("Find the better move")
    page.press(page.keys.ARROW_LEFT)  # who goes elsewhere ends the lesson
    page.wait_for_headline("Red won in 34 moves")


def test_all_mistakes_of_a_player_by_keys_alone(page, moves):
    open_review(page)
    mine = [move for move in moves if move.ply in TURNS and move.player == 0]
    mine.reverse()  # what is punished soonest, and last the win in 41 that the first move missed
    page.button("Learn from mistakes: yellow").focus()
    page.press(page.keys.ENTER)
    for number, move in enumerate(mine, 1):
        page.wait_for_headline(f"Find the better move ({number} of {len(mine)})")
        assert page.hash == GAME[: move.ply]
        legal = Board.from_pons(GAME[: move.ply]).legal_columns
        right = move.best if move.oversight else move.keeping
        wrong = [column for column in legal if column not in right]
        page.press(str(wrong[0] + 1))
        page.panel.status().wait_for("Try again.")
        page.panel.button("Show the solution*").click()
        page.panel.status().wait_for(f"The better move is {' '.join(digits(move.best))}")
        assert ghost_columns(page) == digits(move.line)
        page.press(page.keys.ENTER)
    page.wait_for_headline("Red won in 34 moves")
    page.game.status().wait_for("You found the better move at 0 of 5 mistakes.")


def test_a_review_of_nothing(page):
    page.open("", "review")
    page.panel.wait_for("Play a game, open one, or paste its moves")
    page.play(4)
    page.wait_for_headline("Unfinished after 1 move")


def test_the_explanation_is_drawn(page):
    page.open("112233")
    page.wait_for_headline("Yellow wins in 1 move")
    assert page.drawn("threat") == []
    page.checkbox("Explain the position").click()
    page.panel.paragraph().wait_for("Yellow wins with 4.")
    assert page.drawn("threat") == ["odd", "even"]
    assert (len(page.drawn("cross")), len(page.drawn("mark"))) == (0, 1)
    page.open("1122334")
    page.wait_for_headline("Yellow has won")
    assert page.drawn("threat") == [], "the game is over"
    page.open("11223")
    page.panel.paragraph().wait_for("Red must play 4.")  # the setting is kept
    page.switch("review")
    page.panel.paragraph().wait_for("Red must play 4.")
    page.switch("play")
    assert page.drawn("threat") == []
    page.store(language="de", explain=True)
    page.load("112233")
    page.wait(lambda: page.drawn("threat") == ["ung.", "ger."])
