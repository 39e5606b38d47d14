"""Remake the pictures of the page in docs/img: python docs/screenshots.py

Needs Pillow, and everything that the tests of the page and of the widget need. Searches run by the clock, so their
numbers differ from run to run.
"""

import sys
import time
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

FOLDER = Path(__file__).parent / "img"
sys.path.insert(0, str(FOLDER.parents[1] / "tests"))

from page import PHONE, Page, Server, start_browser  # noqa: E402
from widget_view import View  # noqa: E402

from c4mcts import Board  # noqa: E402
from c4mcts.view import AnalysisBoard  # noqa: E402

COLOURS = 96  # of a picture: a page has few, and the file gets small
MIDGAME = "445335"
GAME = "5225261322445364544155646613362133"
LESSON = "4453"
OPENING = "3"
COMPARED = "44"
PUZZLE = 150
TO_SIMULATION = """const range = document.querySelector("#learn-range");
    range.value = arguments[0];
    range.dispatchEvent(new Event("input"));"""
WIDE = (1280, 860)
TALL = (1280, 1400)  # all of a panel
MARGIN = 16  # around a part of the page
CELL = (900, 620)


def keep(page: Page, name: str, part: str | None = None) -> None:
    """Save a screenshot of the page, or of the element that a selector finds, in docs/img."""
    page.driver.execute_script("scrollTo(0, 0)")
    picture = Image.open(BytesIO(page.driver.get_screenshot_as_png())).convert("RGB")
    if part is not None:
        x, y, width, height = (int(page.find(part).rect[side]) for side in ("x", "y", "width", "height"))
        picture = picture.crop((x - MARGIN, y - MARGIN, x + width + MARGIN, y + height + MARGIN))
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


def show_widget(page: Page) -> None:
    """AnalysisBoard, as a cell of a notebook shows it."""
    page.resize(*CELL)
    widget = AnalysisBoard(Board.from_pons(MIDGAME))
    with TemporaryDirectory() as folder:
        view = View(page.driver, widget, Path(folder) / "page.html", width=CELL[0])
        end = time.monotonic() + 2.5
        view.wait(lambda: time.monotonic() > end)
        keep(page, "notebook")
    widget.close()


def main() -> None:
    server = Server()
    browser = start_browser()
    page = Page(browser, server.url)
    try:
        page.prefer(prefers_color_scheme="light")
        page.resize(*WIDE)
        page.open(MIDGAME)
        time.sleep(2.5)
        keep(page, "web-analyse")
        page.resize(*TALL)
        page.open(OPENING)
        page.click("#openings summary")
        page.wait(lambda: page.all(".openings tbody tr"))
        time.sleep(2.5)
        keep(page, "web-openings", "#openings")
        page.click("#openings summary")
        page.resize(*WIDE)
        page.open(LESSON, "learn")
        page.wait_for("#panel h1", "Simulation 1 of")
        page.driver.execute_script(TO_SIMULATION, 60)
        page.click("#learn-forward")
        time.sleep(0.5)
        keep(page, "web-learn")
        page.open(COMPARED, "learn")
        page.click("#learn-compare")
        page.wait(lambda: len(page.all(".compare-table :is(.win, .draw, .loss)")) == 8)
        time.sleep(0.5)
        keep(page, "web-compare")
        page.open(GAME, "review")
        page.wait_for("#panel h1", "Red won")
        page.click(".variations > .tree-move:nth-child(25)")
        page.prefer(prefers_color_scheme="dark")
        time.sleep(0.5)
        keep(page, "web-review")
        page.prefer(prefers_color_scheme="light")
        browser.get(f"{page.url}#/puzzles/{PUZZLE}")
        page.wait_for("#panel", f"Puzzle {PUZZLE}")
        page.click("#show")
        page.click("#explain")
        page.wait(lambda: page.all(".threat"))
        keep(page, "web-puzzles")
        page.resize(*PHONE, touch=True)
        page.open("")
        page.click("#new")
        page.switch("play")
        page.wait(lambda: page.find("#start").is_enabled())
        page.play(4)
        page.wait(lambda: page.text("#panel h1") == "Your move" and len(page.all(".discs .disc")) == 2)
        page.click("#hint")
        page.wait_for(".hint-text", "Hint: column")
        time.sleep(0.5)
        keep(page, "web-phone")
        show_widget(page)
    finally:
        browser.quit()
        server.end()


if __name__ == "__main__":
    main()
