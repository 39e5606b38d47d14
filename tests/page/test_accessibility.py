"""The rules of axe-core hold on every part of the page, wide and on a phone, in light and dark colours."""

import json
import re
from pathlib import Path

import pytest
from page import GAME, PHONE, is_ci

pytestmark = pytest.mark.native

AXE = Path(__file__).with_name("node_modules") / "axe-core" / "axe.min.js"
RUN = """const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then(({violations}) =>
    done(violations.map(({id, help, nodes}) => [id, help, ...nodes.map(({html}) => html.slice(0, 200))])));"""


@pytest.fixture(scope="module")
def axe():
    """The text of axe-core. Without it the tests are skipped, but on CI they fail."""
    if not AXE.exists():
        (pytest.fail if is_ci() else pytest.skip)("needs axe-core: npm ci --prefix tests/page")
    return AXE.read_text(encoding="utf-8")


def violations(page, axe):
    if not page.driver.execute_script("return 'axe' in window"):
        page.driver.execute_script(axe)
    return page.driver.execute_async_script(RUN)


def opened(page, mode, position):
    page.open(position, mode)
    page.wait(lambda: page.panel.text)
    return page


STATES = {
    "a search": lambda page: opened(page, "analyse", "9x7x4:44").wait_for_numbers(),
    "an exact result": lambda page: opened(page, "analyse", "4453").wait_for_headline("Red wins in 36 moves"),
    "the opening book": lambda page: (
        page.disclosure("Opening book").click(),
        page.wait(lambda: page.table("Moves in the opening book*").rows),
    ),
    "sharing": lambda page: (page.button("Share", "Teilen").click(), page.dialog().wait_for()),
    "a position that is refused": lambda page: (
        *(page.button("Edit").click(), page.button("Column 1, *").click(), page.button("Column 1, *").click()),
        *(page.button("Use this position").click(), page.dialog().alert().wait_for()),
    ),
    "an error": lambda page: (page.type_moves("4a"), page.alert().wait_for()),
    "the end of a game": lambda page: opened(page, "analyse", "1212121").wait_for_headline("Yellow has won"),
    "the choice of a game": lambda page: (page.paste("44\n55"), page.dialog().wait_for()),
    "the rules": lambda page: (page.button("*in a row*").click(), page.dialog().wait_for()),
    "help": lambda page: (page.button("Help", "Hilfe").click(), page.dialog().wait_for()),
    "a lesson": lambda page: opened(page, "learn", "44").wait_for_headline("Simulation 1 "),
    "a node of the tree": lambda page: (
        page.image("Tree of *").type("\n"),
        page.heading("The root: *").wait_for(),
    ),
    "a comparison": lambda page: (
        *(page.panel.button("Compare").click(), page.region("A").textbox("Factor c").type("-99\t")),
        page.region("A").alert().wait_for(),
    ),
    "a review": lambda page: opened(page, "review", GAME).panel.listitem().wait_for("%"),
    "a puzzle": lambda page: (page.switch("puzzles"), page.panel.term().wait_for()),
    "a plan": lambda page: (
        page.panel.button("Openings", "Eröffnungen").click(),
        page.wait(lambda: len(page.panel.disclosure()) == 5),
    ),
    "an exam": lambda page: (
        *(page.panel.button("Exam").click(), page.wait_for_headline("Question 1"), page.play(4)),
        page.panel.button("Certificate").click(),
        page.panel.table().wait_for(),
    ),
    "a drill": lambda page: (page.panel.button("Drill").click(), page.wait_for_headline("Where does yellow begin?")),
    "before a match": lambda page: opened(page, "play", ""),
    "a match": lambda page: (page.start_match(1), page.wait_for_headline("Your move")),
}
SOME = ("a search", "sharing", "help", "a lesson", "a review", "a puzzle", "a plan", "before a match")


@pytest.mark.parametrize(
    ("language", "states"), [("en", STATES), ("de", SOME)], ids=["wide and light", "a phone, dark and in German"]
)
def test_no_rule_is_violated(page, axe, language, states):
    if language == "de":
        page.resize(*PHONE)
        page.prefer(prefers_color_scheme="dark")
    page.store(language=language)
    page.open()
    assert page.language == language
    found = {}
    for state in states:
        STATES[state](page)
        found[state] = violations(page, axe)
        while page.dialog():
            page.press(page.keys.ESCAPE)
    assert not any(found.values()), json.dumps(found, indent=1)


def test_the_title_names_the_mode_and_the_position(page):
    page.open()
    page.wait(lambda: page.driver.title == "Analyse | c4mcts")
    page.play(4, 4)
    page.wait(lambda: page.driver.title == "Analyse 44 | c4mcts")
    page.switch("play")
    page.wait(lambda: page.driver.title == "Play 44 | c4mcts")
    page.open("20x14x5:10,11")
    page.wait(lambda: page.driver.title == "Analyse 20x14x5:10,11 | c4mcts")
    page.switch("puzzles")
    page.wait(lambda: re.fullmatch(r"Puzzles \d+ \| c4mcts", page.driver.title))


def test_keys_of_one_character_can_be_switched_off(page):
    page.open("44")
    page.button("Help").click()
    page.checkbox("Keys of one character: *").click()
    page.press(page.keys.ESCAPE)
    page.wait(lambda: not page.dialog())
    page.press("3", "f", page.keys.ARROW_LEFT)
    page.wait(lambda: page.hash == "4")
    page.driver.refresh()
    page.table("Moves, the best first").wait_for()
    page.press("3", page.keys.ARROW_RIGHT)
    page.wait(lambda: page.hash == "44")
    page.button("Help").click()
    page.checkbox("Keys of one character: *").click()
    page.press(page.keys.ESCAPE, "3")
    page.wait(lambda: page.hash == "443")


def test_keys_of_one_character_are_not_for_a_focused_button(page):
    page.open("44")
    page.press(page.keys.TAB)
    page.button("New").focus()
    page.press("3", "f", "p", page.keys.ARROW_LEFT)
    page.wait(lambda: page.hash == "4")
    page.button("Swap colours").click()  # by a pointer
    page.press("3")
    page.wait(lambda: page.hash == "43")


def test_the_focus_is_not_lost(page):
    def press(name):
        page.press(page.keys.TAB)
        page.panel.button(name).focus()
        page.press(page.keys.ENTER)

    page.open_setup()
    press("Start")
    page.wait_for_headline("Your move")
    page.wait(lambda: page.focus == "Mode")
    page.play(4)
    page.wait_for_turn(2)
    for name, done in [
        ("Hint", lambda: page.panel.paragraph().wait_for("Hint: ")),
        ("Take back", lambda: page.discs == 0),
    ]:
        press(name)
        page.wait(done)
        assert page.focus == name
    page.button("Resign").click()
    page.confirm("Resign")
    page.button("Rematch").wait_for()
    press("Rematch")
    page.wait(lambda: not page.button("Rematch"))
    page.wait(lambda: page.focus == "Mode")
    page.load(GAME, "review")
    press("Learn from mistakes: *")
    page.wait_for_headline("Find the better move")
    page.wait(lambda: page.focus == "Mode")


def test_bars_and_what_is_chosen_are_seen_in_forced_colours(page):
    page.prefer(forced_colors="active")
    page.open("4453")
    page.wait_for_headline("Red wins")
    assert page.css(".balance", "backgroundColor") == "rgb(210, 20, 47)"
    assert page.css(".balance .part", "backgroundColor") == "rgb(255, 210, 63)"
    page.open("", "play")
    page.wait(lambda: page.button("Start").is_enabled)
    colours = [page.css(f".segment {each} + span", "backgroundColor") for each in (":checked", ":not(:checked)")]
    assert colours[0] != colours[1]
    page.open("4453", "learn")
    page.panel.button("Compare").click()
    page.table().wait_for()
    assert page.css(".shares i", "forcedColorAdjust") == "none"


def test_behind_a_dialog_keys_do_nothing(page):
    page.open("4453")
    page.button("Help").click()
    page.dialog().wait_for()
    page.driver.execute_script("document.activeElement.blur()")  # as Tab does after the last button
    page.press("1", page.keys.ESCAPE)
    page.wait(lambda: not page.dialog())
    assert page.hash == "4453"
