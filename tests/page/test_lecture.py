"""A lecture: the page of the lecturer, and one that follows it."""

import pytest
from page import Page, Server, start_browser

pytestmark = pytest.mark.native


@pytest.fixture
def follower(browser, server):
    """A page in a browser of its own."""
    driver = start_browser()
    yield Page(driver, server)
    driver.quit()


def begin(page):
    """Begin a lecture; returns the address for those who follow."""
    page.button("Share").click()
    page.button("Let others follow").click()
    page.textbox("Link for those who follow").wait_for()
    address = page.textbox("Link for those who follow").value
    page.button("Close").click()
    return address


def test_a_page_follows_positions_searches_and_lessons(page, follower):
    page.open("44")
    page.button("Continue").wait_for()
    follower.driver.get(begin(page))
    follower.wait(lambda: follower.discs == 2)
    follower.wait(lambda: follower.terms and follower.terms == page.terms)
    follower.wait_for_numbers()
    page.play(5)
    follower.wait(lambda: follower.discs == 3)
    page.button("Continue").wait_for()
    follower.wait(lambda: follower.drawn("bars .result") == page.drawn("bars .result"))
    page.switch("learn")
    page.go_to_simulation(17)
    follower.wait_for_headline("Simulation 17 of")
    page.panel.button("Forward (→)").click()
    follower.wait(lambda: follower.panel.paragraph()[0].text == page.panel.paragraph()[0].text)
    page.panel.button("Look into a tree").click()
    follower.wait_for_headline("Look into a tree")
    follower.play(1)
    assert page.discs == 3, "who follows only reads"


def test_it_goes_on_with_a_new_server(page, follower):
    with Server() as own:
        page.url = own.url
        page.open("44")
        follower.driver.get(begin(page))
        follower.wait(lambda: follower.discs == 2)
    page.status().wait_for("The server does not answer.")
    page.play(5)
    page.button("Share").click()
    page.button("Let others follow").click()
    page.dialog().status().wait_for("The server does not answer.")
    with Server(int(own.url.rsplit(":", 1)[1].strip("/"))):
        follower.wait(lambda: follower.discs == 3)
        for driver in (page.driver, follower.driver):
            driver.get("about:blank")
    page.driver.get_log("browser")  # it says that the server was gone


def test_its_code_is_a_picture(page):
    pytest.importorskip("segno")
    page.open("44")
    page.button("Share").click()
    page.button("Let others follow").click()
    code = page.image("QR code of the link")
    page.wait(lambda: code.ask("return found[0]?.naturalWidth > 100"))
    page.wait(lambda: code.ask("return found[0].getBoundingClientRect().bottom < innerHeight"))
