"""Nothing that was done on the page is lost: variations, undo and redo, questions before a match ends."""

import pytest

pytestmark = pytest.mark.native

GAME = "5225261322445364544155646613362133"


@pytest.fixture
def keys():
    return pytest.importorskip("selenium.webdriver").Keys


def moves(page):
    """The list of moves and comments as a text."""
    script = """return [...document.querySelectorAll(".variations :is(.tree-move, .comment)")]
        .map((each) => (each.dataset.number ?? "") + each.innerText.trim()).join(" ")"""
    return page.driver.execute_script(script)


def control(page, keys, letter, shift=False):
    """Press Ctrl and a letter on the page."""
    chain = pytest.importorskip("selenium.webdriver").ActionChains(page.driver)
    chain.key_down(keys.CONTROL)
    if shift:
        chain.key_down(keys.SHIFT)
    chain.send_keys(letter)
    if shift:
        chain.key_up(keys.SHIFT)
    chain.key_up(keys.CONTROL).perform()


def test_another_move_keeps_the_rest_of_the_game(page, keys):
    page.open("4453")
    page.press(keys.ARROW_LEFT, keys.ARROW_LEFT, "1")
    page.wait(lambda: page.hash == "441")
    assert moves(page) == "1.4 4 3.5 3.1 4.3"
    page.press(keys.ARROW_LEFT, keys.ARROW_RIGHT)
    page.wait(lambda: page.hash == "441")  # the line that was left
    page.click("#variations button[aria-label^='Move 4, Red column 3']")
    page.wait(lambda: page.hash == "4453")


def test_a_line_is_promoted_commented_and_deleted(page, keys):
    page.open("4453")
    page.press(keys.ARROW_LEFT, keys.ARROW_LEFT, "1")
    page.wait(lambda: page.find("#promote").is_enabled())
    page.click("#promote")
    page.wait(lambda: moves(page) == "1.4 4 3.1 3.5 3")
    assert not page.find("#promote").is_enabled()
    page.find("#comment").send_keys("the edge", keys.ENTER)
    page.wait(lambda: moves(page) == "1.4 4 3.1 the edge 3.5 3")
    page.press(keys.ARROW_LEFT)
    page.wait(lambda: page.find("#comment").get_property("value") == "")
    page.click("#remove")
    page.wait(lambda: (page.hash, moves(page)) == ("4", "1.4"))
    for expected in ("1.4 4 3.1 the edge 3.5 3", "1.4 4 3.1 3.5 3", "1.4 4 3.5 3.1 4.3", "1.4 4 3.5 3"):
        control(page, keys, "z")
        page.wait(lambda expected=expected: moves(page) == expected)
    control(page, keys, "z", shift=True)
    control(page, keys, "y")
    page.wait(lambda: moves(page) == "1.4 4 3.1 3.5 3")


def test_the_list_by_keyboard_alone(page, keys):
    page.open("445")
    page.driver.execute_script("document.querySelector('.tree-move').focus()")
    page.press(keys.ENTER)
    page.wait(lambda: page.hash == "4")
    assert page.driver.switch_to.active_element.get_attribute("aria-current") == "step"
    page.press(keys.TAB, keys.ENTER)
    page.wait(lambda: page.hash == "44")


def test_a_whole_review_is_undone(page, keys):
    page.open(GAME, "review")
    page.wait_for("#panel h1", "Red won in 34 moves")
    page.press(keys.HOME, "4", "4", "4")
    page.wait(lambda: page.hash == "444")
    page.click("#new")
    page.wait(lambda: page.hash == "")
    page.type_moves("12")
    page.wait(lambda: page.hash == "12")
    page.press(keys.ESCAPE)
    while page.find("#undo").is_enabled():
        page.click("#undo")
    page.wait(lambda: page.hash == "")
    while page.find("#redo").is_enabled():
        page.click("#redo")
    page.wait(lambda: page.hash == "12")
    for _ in range(5):
        control(page, keys, "z")
    page.press(keys.END)
    page.wait(lambda: page.hash == GAME)


def test_a_running_match_is_not_ended_unasked(page, keys):
    page.open()
    page.start_match(1)
    page.play(4)
    page.wait(lambda: page.text("#panel h1") == "Your move" and len(page.all(".discs .disc")) == 2)
    position = page.hash
    by_address = "location.hash = '#12'"
    for replace in (
        lambda: page.click("#new"),
        lambda: page.paste("12"),
        lambda: page.driver.execute_script(by_address),
    ):
        replace()
        page.wait_for("#confirmation", "End the game against the computer?")
        assert len(page.all("#confirmation")) == 1
        page.press(keys.ESCAPE)
        page.wait(lambda: not page.all("#confirmation"))
        page.wait(lambda: page.hash == position)
        assert (page.hash, page.text("#panel h1")) == (position, "Your move")
    page.click("#new")
    page.click("#confirmation button[value=yes]")
    page.wait_for("#panel h1", "A game")
    control(page, keys, "z")
    page.wait(lambda: (page.hash, page.text("#panel h1")) == (position, "Your move"))
    page.click("#resign")
    page.click("#confirmation button[value=yes]")
    page.wait_for("#panel h1", "you resigned")
    control(page, keys, "z")
    page.wait(lambda: (page.hash, page.text("#panel h1")) == (position, "Your move"))
    control(page, keys, "z")  # the move and the reply
    page.wait(lambda: (page.hash, page.text("#panel h1")) == ("", "Your move"))
    page.play(1)
    page.wait(lambda: len(page.all(".discs .disc")) == 2 and page.text("#panel h1") == "Your move")


def test_a_match_from_the_start_is_another_game(page, keys):
    page.open("4453")
    page.start_match(1)
    page.play(1)
    page.wait(lambda: len(page.all(".discs .disc")) == 2 and page.text("#panel h1") == "Your move")
    position = page.hash
    page.switch("analyse")
    assert moves(page) == f"1.{position[0]} {position[1]}"
    control(page, keys, "z")
    control(page, keys, "z")
    page.wait(lambda: moves(page) == "1.4 4 3.5 3")


def test_a_review_of_a_line_is_kept(page, keys):
    page.open("4453", "review")
    page.wait_for("#panel h1", "Unfinished after 4 moves")
    page.press(keys.ARROW_LEFT, "1")
    page.wait_for("#panel h1", "Unfinished after 4 moves")
    page.wait(lambda: page.hash == "4451" and page.all(".accuracies"))
    page.driver.execute_script("window.seen = []; new MutationObserver(() => seen.push(panel.innerText))"
        ".observe(panel, {childList: true});")  # fmt: skip
    page.click("#variations button[aria-label^='Move 4, Red column 3']")
    page.wait(lambda: page.hash == "4453" and page.all(".accuracies"))
    assert not any("Reviewing" in text for text in page.driver.execute_script("return window.seen"))
