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
    page.wait(lambda: page.text("#panel"))
    return page


def number(page):
    """Wait until a search has numbers, in any language."""
    page.wait(lambda: "MB" in page.text("#panel .numbers"))


STATES = {
    "a search": lambda page: number(opened(page, "analyse", "9x7x4:44")),
    "an exact result": lambda page: opened(page, "analyse", "4453").wait_for("#panel h1", "Red wins in 36 moves"),
    "the opening book": lambda page: (
        page.click("#openings summary"),
        page.wait(lambda: page.all(".openings tbody tr")),
    ),
    "sharing": lambda page: (page.click("#share"), page.find("dialog.share")),
    "a position that is refused": lambda page: (
        *(page.click("#edit"), page.find("dialog.editor .cell").click(), page.find("dialog.editor .cell").click()),
        *(page.click("dialog.editor .primary"), page.wait(lambda: page.text("dialog .error"))),
    ),
    "an error": lambda page: (page.type_moves("4a"), page.wait(lambda: page.text("#error"))),
    "the end of a game": lambda page: opened(page, "analyse", "1212121").wait_for("#panel", "Yellow has won"),
    "the choice of a game": lambda page: (page.paste("44\n55"), page.wait(lambda: page.all("#game-choice"))),
    "the rules": lambda page: (page.click("#rules"), page.find("dialog")),
    "help": lambda page: (page.click("#help"), page.find("dialog")),
    "a lesson": lambda page: opened(page, "learn", "44").wait(lambda: page.text(".learn-words")),
    "a node of the tree": lambda page: (
        page.find(".learn-tree").send_keys("\n"),
        page.wait(lambda: page.all(".halo")),
    ),
    "a comparison": lambda page: (
        *(page.click("#learn-compare"), page.find("#compare-a-c").send_keys("-99\t")),
        page.wait(lambda: page.text("#compare-a-c-problem")),
    ),
    "a review": lambda page: opened(page, "review", GAME).wait_for("#panel .accuracies li", "%"),
    "a puzzle": lambda page: (page.switch("puzzles"), page.wait(lambda: page.all(".puzzle"))),
    "a plan": lambda page: (page.click("#puzzles-plan"), page.wait(lambda: len(page.all(".plan-tree details")) == 5)),
    "an exam": lambda page: (
        *(page.click("#puzzles-exam"), page.wait_for("#panel h1", "Question 1"), page.play(4)),
        page.click("#certificate"),
        page.wait(lambda: page.all(".certificate td")),
    ),
    "a drill": lambda page: (page.click("#puzzles-drill"), page.wait(lambda: page.text(".puzzle h1"))),
    "before a match": lambda page: opened(page, "play", ""),
    "a match": lambda page: (page.start_match(1), page.wait_for("#panel h1", "Your move")),
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
    assert page.find("html").get_attribute("lang") == language
    found = {}
    for state in states:
        STATES[state](page)
        found[state] = violations(page, axe)
        while page.all("dialog"):
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
    page.click("#help")
    page.click("#single-keys")
    page.press(page.keys.ESCAPE)
    page.wait(lambda: not page.all("dialog"))
    page.press("3", "f", page.keys.ARROW_LEFT)
    page.wait(lambda: page.hash == "4")
    page.driver.refresh()
    page.wait(lambda: page.all(".moves-table tbody tr"))
    page.press("3", page.keys.ARROW_RIGHT)
    page.wait(lambda: page.hash == "44")
    page.click("#help")
    page.click("#single-keys")
    page.press(page.keys.ESCAPE, "3")
    page.wait(lambda: page.hash == "443")


def test_keys_of_one_character_are_not_for_a_focused_button(page):
    page.open("44")
    page.press(page.keys.TAB)
    page.driver.execute_script("document.querySelector('#new').focus()")
    page.press("3", "f", "p", page.keys.ARROW_LEFT)
    page.wait(lambda: page.hash == "4")
    page.click("#flip")  # by a pointer
    page.press("3")
    page.wait(lambda: page.hash == "43")


def focused(page):
    """The id of the focused element, or its name."""
    return page.driver.execute_script("return document.activeElement.id || document.activeElement.nodeName")


def test_the_focus_is_not_lost(page):

    def press(selector):
        page.press(page.keys.TAB)
        page.driver.execute_script("document.querySelector(arguments[0]).focus()", selector)
        page.press(page.keys.ENTER)

    page.open_setup()
    press("#start")
    page.wait_for("#panel h1", "Your move")
    page.wait(lambda: focused(page) == "panel")
    page.play(4)
    page.wait_for_turn(2)
    for selector, done in [
        ("#hint", lambda: page.text(".hint-text").startswith("Hint")),
        ("#take-back", lambda: page.all(".discs .disc") == []),
    ]:
        press(selector)
        page.wait(done)
        assert f"#{focused(page)}" == selector
    page.click("#resign")
    page.click("#confirmation button[value=yes]")
    page.wait(lambda: page.text("#rematch"))
    press("#rematch")
    page.wait(lambda: not page.text("#rematch"))
    page.wait(lambda: focused(page) == "panel")
    page.load(GAME, "review")
    page.wait(lambda: page.all(".learn"))
    press(".learn")
    page.wait_for("#panel h1", "Find the better move")
    page.wait(lambda: focused(page) == "panel")


def test_the_bar_is_seen_in_forced_colours(page):
    page.prefer(forced_colors="active")
    page.open("4453")
    page.wait_for("#panel h1", "Red wins")
    assert page.css(".balance", "backgroundColor") == "rgb(210, 20, 47)"
    assert page.css(".balance .part", "backgroundColor") == "rgb(255, 210, 63)"
