"""A lecture: the page of the lecturer, and one that follows it."""

import pytest
from page import Page, start_browser

pytestmark = pytest.mark.native


@pytest.fixture
def follower(browser, server):
    """A page in a browser of its own."""
    driver = start_browser()
    yield Page(driver, server)
    driver.quit()


def begin(page):
    """Begin a lecture; returns the address for those who follow."""
    page.click("#share")
    page.press_button("dialog.share button", "Let others follow")
    page.wait(lambda: page.all(".lecture textarea"))
    address = page.find(".lecture textarea").get_property("value")
    page.press_button("dialog.share button", "Close")
    return address


def test_a_page_follows_positions_searches_and_lessons(page, follower):
    page.open("44")
    page.wait_for("#search", "Continue")
    follower.driver.get(begin(page))
    follower.wait(lambda: follower.discs == 2)
    follower.wait_for("#panel .facts", page.text("#panel .facts dd"))
    follower.wait_for("#panel .numbers", "simulations")
    page.play(5)
    follower.wait(lambda: follower.discs == 3)
    page.wait_for("#search", "Continue")
    follower.wait(lambda: follower.texts(".bars .result") == page.texts(".bars .result"))
    page.switch("learn")
    page.go_to_simulation(17)
    follower.wait_for("#panel h1", "Simulation 17 of")
    page.click("#learn-forward")
    follower.wait(lambda: follower.text(".learn-words") == page.text(".learn-words"))
    page.click("#learn-tree")
    follower.wait_for("#panel h1", "Look into a tree")
    follower.play(1)
    assert page.discs == 3, "who follows only reads"


def test_its_code_is_a_picture(page):
    pytest.importorskip("segno")
    page.open("44")
    page.click("#share")
    page.press_button("dialog.share button", "Let others follow")
    page.wait(lambda: page.driver.execute_script("return document.querySelector('.lecture img')?.naturalWidth > 100"))
