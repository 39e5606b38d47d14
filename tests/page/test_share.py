"""What the page shares: links, code, pictures, and itself within other pages."""

import http.server
import json
import re
import struct
import threading
import xml.etree.ElementTree as ET
from pathlib import Path

from page import Server

import c4mcts
from c4mcts import Board
from c4mcts.adapters.kaggle import board_of

SETTINGS = {"isOn": False}  # no search
SVG = "{http://www.w3.org/2000/svg}"


def open_dialog(page, position="4453"):
    page.open(position)
    page.wait(lambda: position in page.driver.title)  # it is on the board
    page.button("Share").click()
    page.dialog("Share").wait_for()


def copied(page, name):
    """What the button of a row copies."""
    page.button(f"Copy: {name}").click()
    page.dialog().status().wait_for(f"{name}: copied.")
    return page.driver.execute_script("return navigator.clipboard.readText()")


def downloaded(page, folder, kind, name):
    """The content of the file that a button for the position saves."""
    page.group("Position").button(kind).click()
    path = folder / name
    page.wait(lambda: path.exists() and path.stat().st_size)
    return path.read_bytes()


def test_texts(page):
    open_dialog(page)
    board = Board.parse("4453")
    assert copied(page, "Link") == f"{page.url}#/analyse/7x6x4/4453"
    assert copied(page, "Moves") == "4453"
    assert copied(page, "FEN") == board.to_fen()
    assert eval(copied(page, "Python"), {"c4mcts": c4mcts}) == board
    assert Board.parse(copied(page, "Drawing")).to_fen() == board.to_fen()
    cells = board.to_array().ravel().tolist()
    assert board_of(json.loads(copied(page, "Kaggle"))) == board_of({"board": cells, "mark": 1})
    page.button("Close").click()
    page.wait(lambda: not page.dialog())


def test_texts_of_other_boards(page):
    for text in ("9x7x4:491", "12x4x4:3,11,2", "7/7/7/7/7/2xo3 x 7x6x4:45"):
        open_dialog(page, text.replace(" ", "_"))
        assert eval(copied(page, "Python"), {"c4mcts": c4mcts}) == Board.parse(text)
        assert Board.parse(copied(page, "Drawing")).to_fen() == Board.parse(text).to_fen()
        page.button("Close").click()
        page.wait(lambda: not page.dialog())


def test_pictures(page, downloads):
    page.prefer(prefers_color_scheme="dark")
    open_dialog(page, "1212121")
    picture = ET.fromstring(downloaded(page, downloads, "SVG", "connect4.svg"))
    filled = [each.get("fill") for each in picture.iter(f"{SVG}circle") if each.get("r") == "19"]
    assert len(filled) == 42 + 7, "holes and discs"
    assert (filled.count("rgb(255, 210, 63)"), filled.count("rgb(210, 20, 47)")) == (4, 3)
    assert {each.get("fill") for each in picture.iter(f"{SVG}text")} == {"rgb(91, 99, 110)"}, "as on the light page"
    page.prefer(prefers_color_scheme="light")
    png = downloaded(page, downloads, "PNG", "connect4.png")
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    assert (width, height) == (2 * int(picture.get("width")), 2 * int(picture.get("height")))


def test_the_dialog_fits_a_small_phone(page):
    page.resize(320, 568, touch=True)
    open_dialog(page, "12323")
    script = "const dialog = document.querySelector('dialog'); return dialog.scrollWidth - dialog.clientWidth"
    assert page.driver.execute_script(script) == 0


def test_an_animation_shows_the_moves_in_order(page, downloads):
    open_dialog(page, "12323")
    page.press(page.keys.ESCAPE)
    page.button("To the start (Home)").click()
    page.button("Share").click()
    picture = ET.fromstring(downloaded(page, downloads, "Animated SVG of the game", "connect4-game.svg"))
    discs = [each for each in picture.iter(f"{SVG}g") if each.find(f"{SVG}animate") is not None]
    starts = {}
    for disc in discs:
        column = round((float(disc.get("transform").partition("(")[2].partition(" ")[0]) - 34) / 48)
        starts[float(disc.find(f"{SVG}animate").get("keyTimes").removeprefix("0;"))] = column
    assert [starts[time] for time in sorted(starts)] == [0, 1, 2, 1, 2]


def test_within_another_page(page):
    page.open("445")
    page.driver.get(f"{page.url}?embed=1#/analyse/7x6x4/4453?ply=2")
    whole = page.link("Open the whole page")
    whole.wait_for()
    assert not any([page.navigation(), page.button("New", "Theme: *"), page.region("Moves and variations")])
    page.panel.definition().wait_for("best")
    entries = page.driver.execute_script("return history.length")
    page.button("To the end (End)").click()
    page.wait(lambda: whole.ask("return found[0].href") == f"{page.url}#/analyse/7x6x4/4453")
    page.button("To the start (Home)").click()
    page.wait(lambda: page.hash == "")
    assert page.driver.execute_script("return history.length") == entries
    page.leave()
    page.driver.get(page.url)
    page.wait(lambda: page.hash == "445")


def figure(page, folder, words, name):
    """The texts of the SVG of what is on the screen; its PNG is a picture, too."""

    def save(kind):
        page.group(f"As on the screen: {words}").button(kind).click()
        path = folder / f"connect4-{name}.{kind.lower()}"
        page.wait(lambda: path.exists() and path.stat().st_size)
        return path.read_bytes()

    assert save("PNG").startswith(b"\x89PNG")
    return [each.text for each in ET.fromstring(save("SVG")).iter(f"{SVG}text")]


def test_what_is_on_the_screen_is_a_figure(page, downloads):
    page.open("445335")
    page.wait(lambda: len(page.all(".graph .dot")) == 7)
    results = ["−4", "−4", "−2", "+2", "0", "0", "+1"]
    page.wait(lambda: page.drawn("bars .result") == results)
    page.button("Share").click()
    assert figure(page, downloads, "board", "board")[:7] == results
    assert figure(page, downloads, "graph", "graph")[:3] == ["Yellow wins", "Draw", "Red wins"]
    page.button("Close").click()
    page.open("445335", "learn")
    page.go_to_simulation(150)
    page.button("Share").click()
    texts = figure(page, downloads, "tree", "tree")
    assert "n 149" in texts, "visits of the root"
    assert texts[texts.index("n 149") - 1].startswith("0."), "its value"


class Host(http.server.BaseHTTPRequestHandler):
    """The example of the guide as a page of another site, with the address of the server in it."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.server.example.encode())

    def log_message(self, *_):
        """Say nothing."""


def test_a_page_of_another_site_and_the_frame_in_it_talk_to_each_other(page):
    guide = Path(__file__).parents[2] / "docs" / "guide" / "web.md"
    (example,) = re.findall(r"```html\n(<iframe.*?)```", guide.read_text(encoding="utf-8"), re.DOTALL)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host) as host:
        site = f"http://127.0.0.1:{host.server_port}"
        threading.Thread(target=host.serve_forever, daemon=True).start()
        with Server(options=["--allow-frame", site]) as server:
            host.example = example.replace("http://127.0.0.1:7642/", server.url)
            page.driver.get(site)
            page.wait(lambda: "score 5, best 4" in page.driver.find_element("tag name", "body").text)
            page.driver.switch_to.frame("board")
            assert page.discs == 5
            sides = [page.box(each) for each in (".board", "#panel h1", ".verdict .facts")]
            assert all(bottom <= 360 for *_, bottom in sides), "board and result are in sight"
            assert page.headline == "Red wins in 29 moves"
            page.driver.switch_to.default_content()
        page.leave()
        host.shutdown()
