"""The language of the page: that of the browser, or the one that the user has chosen."""

import pytest

pytestmark = pytest.mark.native

LOADED = """return performance.getEntriesByType("resource").map(({name}) => name.match(/texts\\/(..)\\.json$/)?.[1])
    .filter(Boolean);"""


def choose(page, name):
    page.button("Help", "Hilfe").click()
    page.combobox("Language", "Sprache").choose(name)


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
        assert page.language == language
        assert page.navigation().button()[1].text == play
        assert page.driver.execute_script(LOADED) == [language]


def test_a_chosen_language_is_kept_and_so_is_the_match(page):
    page.open().start_match(1)
    page.play(4)
    page.wait(lambda: page.headline == "Your move" and len(page.address.rpartition("/")[2]) == 2)
    address = page.address
    choose(page, "Deutsch")
    page.wait_for_headline("Du bist am Zug")
    assert page.address == address
    assert page.language == "de"
    assert page.panel.listitem().texts == ["Du", "Computer, Stufe 1: Anfänger"]
    page.driver.refresh()
    page.wait_for_headline("Du bist am Zug")
    choose(page, "wie im Browser")
    page.wait_for_headline("Your move")
    assert page.language == "en"
    assert page.address == address


def test_names_and_numbers_are_those_of_the_language(page):
    page.store(language="de", openings=True)
    page.open("4")
    page.panel.wait_for("Mitte.")
    assert "The first player wins" not in page.panel.text
    page.table().wait_for("Verlust in 40")
    page.wait(lambda: page.table()[0].cell("0,*"))
    assert page.combobox("Profil").value == "stark"
    page.play(4)
    page.button("Aufbauen").click()
    page.dialog().wait_for("1 gelbe Scheibe und 1 rote")
    page.press(page.keys.ESCAPE)
    page.open("4", "learn")
    page.button("Vergleichen").click()
    page.wait(lambda: page.textbox("Faktor c")[0].value == "0,3")


def test_a_reason_of_the_engine_is_said_to_be_english(page):
    page.store(language="de")
    page.open("44")
    page.paste("7/7/7/7/7/2xxx2 x 7x6x4")
    page.alert().wait_for("Die Engine sagt auf Englisch: „3 discs of the first player")
