"""The language of the page: that of the browser, or the one that the user has chosen."""

import pytest

pytestmark = pytest.mark.native

LOADED = """return performance.getEntriesByType("resource").map(({name}) => name.match(/texts\\/(..)\\.json$/)?.[1])
    .filter(Boolean);"""


def choose(page, name):
    page.click("#help")
    page.press_button("#language option", name)


def test_the_language_is_that_of_the_browser(page, accept):
    for languages, language, play in [
        ("en-GB,de", "en", "Play"),
        ("de-AT,en", "de", "Spielen"),
        ("it,fr-CA", "fr", "Jouer"),
        ("es-MX", "es", "Jugar"),
        ("it", "en", "Play"),
    ]:
        accept(languages)
        page.load()
        assert page.find("html").get_attribute("lang") == language
        assert page.text("#mode-play") == play
        assert page.driver.execute_script(LOADED) == [language]


def test_a_chosen_language_is_kept_and_so_is_the_match(page):
    page.open().start_match(1)
    page.play(4)
    page.wait(lambda: page.text("#panel h1") == "Your move" and len(page.address.rpartition("/")[2]) == 2)
    address = page.address
    choose(page, "Deutsch")
    page.wait_for("#panel h1", "Du bist am Zug")
    assert page.address == address
    assert page.find("html").get_attribute("lang") == "de"
    assert page.text(".players").split("\n") == ["Du", "Computer, Stufe 1: Anfänger"]
    page.driver.refresh()
    page.wait_for("#panel h1", "Du bist am Zug")
    choose(page, "wie im Browser")
    page.wait_for("#panel h1", "Your move")
    assert page.find("html").get_attribute("lang") == "en"
    assert page.address == address


def test_names_and_numbers_are_those_of_the_language(page):
    page.store(language="de", openings=True)
    page.open("4")
    page.wait_for("#openings", "Mitte.")
    assert "The first player wins" not in page.text("#openings")
    page.wait_for(".moves-table", "Verlust in 40")
    page.wait(lambda: any(text.startswith("0,") for text in page.texts(".moves-table .number")))
    script = "return document.querySelector('#setting-preset').selectedOptions[0].text"
    assert page.driver.execute_script(script) == "stark"
    page.play(4)
    page.click("#edit")
    page.wait_for("dialog.editor", "1 gelbe Scheibe und 1 rote")
