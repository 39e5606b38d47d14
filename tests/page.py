"""The page of `c4mcts web` in a browser, as the tests use it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import urljoin

import pytest
from polling import PATIENCE, until
from roles import ARGUMENTS as ACCESSIBILITY
from roles import Parts

SECONDS = 0.1  # of a search, unless a test chooses another time
SCREEN = (1280, 860)
PHONE = (390, 844)
GAME = "5225261322445364544155646613362133"  # which red wins in 34 moves, with seven mistakes
MODES = ("analyse", "play", "learn", "review", "puzzles")
ARGUMENTS = (
    *ACCESSIBILITY,
    *("headless=new", "no-sandbox", "disable-dev-shm-usage", "disable-gpu", "hide-scrollbars", "lang=en"),
    "force-prefers-reduced-motion",  # tests of motion ask for it
)


def driver_path():
    """The path of chromedriver; None if there is none. GitHub's machines have it in a separate folder."""
    folder = os.environ.get("CHROMEWEBDRIVER")
    return shutil.which("chromedriver") or (shutil.which("chromedriver", path=folder) if folder else None)


def is_ci():
    """Whether a test must not be skipped: on CI, but not in the containers in which wheels are tested."""
    return os.environ.get("CI") == "true" and "CIBUILDWHEEL" not in os.environ


@pytest.fixture(scope="session")
def browser():
    """A Chromium without a window. Without one the tests are skipped, but on CI they fail."""
    pytest.importorskip("selenium")
    if driver_path() is None:
        words = "no chromedriver: install Chromium and its driver (Debian: apt-get install chromium chromium-driver)"
        (pytest.fail if is_ci() else pytest.skip)(words)
    driver = start_browser()
    yield driver
    driver.quit()


def _answer(condition):
    """What a condition says; nothing if it asked for elements that are not there, or have been replaced since."""
    from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException

    try:
        return condition()
    except (NoSuchElementException, StaleElementReferenceException):
        return None


def start_browser():
    """A Chromium without a window, driven by Selenium."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for name in ARGUMENTS:
        options.add_argument(f"--{name}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if binary := shutil.which("chromium"):
        options.binary_location = binary
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver_path()))
    driver.set_script_timeout(PATIENCE)
    return driver


halts = pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be halted")


class Server:
    """A process of `c4mcts web`, or of a program that takes its arguments."""

    def __init__(self, port=0, stderr=None, program=("-m", "c4mcts"), options=()):
        command = [sys.executable, *program, "web", "--no-browser", "--port", f"{port}", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
        line = self.process.stdout.readline()
        if not line:
            self.end()
            raise RuntimeError("the server did not start")
        self.url = line.split()[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def lose(self, ask):
        """Ask, get no answer, and lose the connection."""
        self.process.send_signal(signal.SIGSTOP)
        ask()
        self.process.kill()

    def end(self):
        """End the process by a signal, as a user would; kill it if it stays."""
        self.process.terminate()
        try:
            self.process.communicate(timeout=PATIENCE)
        finally:
            self.process.kill()


class Page(Parts):
    """driver: of Selenium. url: of the server."""

    def __init__(self, driver, url):
        super().__init__(self)
        self.driver = driver
        self.url = url

    def open(self, position="", mode="analyse"):
        """Go to a position, as a text in the form of the page, in a mode. The page is loaded if it is not there."""
        rules, _, moves = position.rpartition(":")
        self.driver.get(f"{self.url}#/{mode}/{rules or '7x6x4'}/{moves}")
        self.wait(lambda: (self.mode, self.hash) == (mode, position))
        return self

    def load(self, position="", mode="analyse"):
        """Open the page anew, so that it has only what it has stored."""
        self.leave()
        return self.open(position, mode)

    def leave(self):
        """Go where the page is not, but its storage is."""
        self.driver.get(f"{self.url}static/icon.svg")

    @contextmanager
    def tab(self):
        """Another tab of the browser, for a while."""
        here = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        try:
            yield
        finally:
            self.driver.close()
            self.driver.switch_to.window(here)

    def store(self, **settings):
        """Leave the page and forget all that it has stored but settings; first visits have none."""
        self.leave()
        script = """localStorage.clear();
            sessionStorage.clear();
            localStorage.setItem("c4mcts", JSON.stringify(arguments[0]));"""
        self.driver.execute_script(script, {"seconds": SECONDS, **settings})

    @property
    def game(self):
        """The region of the board and its buttons."""
        return self.region("Game", "Partie", "Partida")

    @property
    def board(self):
        return self.game.group()[0]

    @property
    def panel(self):
        """The region of the mode, beside the board."""
        return self.region("Mode", "Bereich", "Modo")

    @property
    def headline(self):
        return self.panel.heading()[0].text

    def wait_for_headline(self, words):
        return self.panel.heading()[0].wait_for(words)

    @property
    def numbers(self):
        """What the panel says about the size and speed of the search."""
        return next((text for text in self.panel.paragraph().texts if text == "…" or "·" in text), "")

    def wait_for_numbers(self):
        self.wait(lambda: "·" in self.numbers)

    @property
    def terms(self):
        """The values that are listed, by name."""
        return dict(zip(self.term().texts, self.definition().texts, strict=True))

    def move(self, number):
        """The buttons of a move in the list of moves, that of the main line first."""
        return self.region("Moves and variations").button(f"Move {number}, *")

    def switch(self, mode):
        self.navigation().button()[MODES.index(mode)].click()

    def open_setup(self, position=""):
        """Go where a game is set up."""
        self.open(position, "play")
        self.wait(lambda: self.button("Start").is_enabled)

    def start_match(self, level, side=0):
        """Start a game against a level."""
        self.switch("play")
        self.wait(lambda: self.button("Start").is_enabled)
        self.slider("Level").slide(level)
        self.group("You play").radio()[side].click()
        self.button("Start").click()

    def confirm(self, action):
        """Agree in a dialog that asks, by the button of the action."""
        self.dialog("*?").button(action).click()

    def set_time(self, index=-1):
        """Choose how long a search lasts. The last choice has no limit: it goes on until it is stopped."""
        self.combobox("Time", "Temps").choose(index)

    def set_preset(self, name):
        self.combobox("Preset", "Profil").choose(name)

    def go_to_simulation(self, number):
        """Drag the slider of Learn to a simulation."""
        self.wait_for_headline("Simulation ")
        self.slider("Simulation").slide(number)
        self.wait_for_headline(f"Simulation {number} of")

    def expect_search_to_stop_and_continue(self):
        """A search without a limit grows, stops where it is, and grows on."""
        self.set_time()
        self.wait_for_numbers()
        self.button("Stop").click()
        self.button("Continue").wait_for()
        stopped = self.numbers
        assert re.fullmatch(r"[\d,]+ simulations.*/s.*nodes.*MB", stopped)
        self.press(" ")
        self.button("Stop").wait_for()
        self.wait(lambda: self.numbers not in (stopped, "…"))

    def all(self, selector):
        """What a CSS selector finds, for tests of looks."""
        return self.driver.find_elements("css selector", selector)

    def drawn(self, kind):
        """The signs of a kind that are drawn on the board, where screen readers have tables and sentences."""
        script = """return [...document.querySelectorAll(`.board .${arguments[0]}`)]
            .filter((each) => each.checkVisibility()).map((each) => each.textContent);"""
        return self.driver.execute_script(script, kind)

    @property
    def ghosts(self):
        """The signs on the discs that are drawn but are not played."""
        return self.drawn("ghost")

    @property
    def heard(self):
        """What a screen reader has been told of late."""
        script = """return [...document.querySelectorAll("[aria-live], [role=status], [role=alert]")]
            .map((each) => each.textContent).join(" ")"""
        return self.driver.execute_script(script)

    def wait_to_hear(self, words):
        self.wait(lambda: words in self.heard)

    @property
    def focus(self):
        """The accessible name of what has the focus."""
        return self.driver.switch_to.active_element.accessible_name

    def play(self, *columns):
        """Click columns of the board, from 1."""
        for column in columns:
            self.board.button()[column - 1].click()

    def choose_file(self, path):
        """Choose a file in the dialog that the button to open one shows."""
        self.driver.find_element("css selector", "input[type=file]").send_keys(str(path))

    def press(self, *keys):
        """Keys for the page, or for what has the focus."""
        for key in keys:
            self.wait(lambda key=key: (self.driver.switch_to.active_element.send_keys(key), True))

    def type_moves(self, text):
        """Type a text into the field of the moves and press Enter."""
        field = self.textbox("Moves: *")
        field.click()
        field.type(self.keys.CONTROL, "a")
        field.type(text, self.keys.ENTER)
        self.agree()

    def paste(self, text):
        """Paste a text on the page, outside of any field."""
        script = """const data = new DataTransfer();
            data.setData("text", arguments[0]);
            document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));"""
        self.driver.execute_script(script, text)

    def agree(self, index=0):
        """Wait until a text has been read; take a reading of it if the page asks whether to replace the game."""
        self.wait(lambda: self.dialog() or self.game.status() or self.game.alert())
        if self.figure():
            self.figure()[index].button().click()

    @property
    def keys(self):
        """The keys that have names."""
        from selenium.webdriver import Keys

        return Keys

    @property
    def mode(self):
        return self.driver.execute_script("return document.body?.dataset.mode")

    @property
    def language(self):
        return self.driver.execute_script("return document.documentElement.lang")

    @property
    def discs(self):
        """The number of discs on the board."""
        return sum(len(re.findall("yellow|red", name)) for name in self.board.button().names)

    def wait_for_turn(self, discs):
        """Wait until the user is to move against a level, with so many discs on the board."""
        self.wait(lambda: (self.discs, self.headline) == (discs, "Your move"))

    @property
    def address(self):
        """The part of the address after #."""
        return self.driver.current_url.partition("#")[2]

    @property
    def hash(self):
        """The position in the address, as in an address that has nothing else."""
        found = re.fullmatch(r"/[a-z]+/(.*)/([^/?]*)(?:\?(?:ply=(\d+))?.*)?", self.address)
        if found is None:
            return self.address
        head, moves, ply = found.groups()
        if ply is not None and ("," in moves or head[:2].isdigit()):
            moves = ",".join(moves.split(",")[: int(ply)]) + "," * (ply == "1")
        elif ply is not None:
            moves = moves[: int(ply)]
        return moves if head == "7x6x4" else f"{head}:{moves}"

    def wait(self, condition, seconds=PATIENCE):
        """The first true value of a condition."""
        return until(lambda: _answer(condition), lambda: (self.hash, self.panel.text, self.alert().text), seconds)

    def resize(self, width, height, touch=False):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def prefer(self, **features):
        """Set preferences of the user, as prefers_color_scheme="dark"."""
        listed = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": listed})

    def css(self, selector, name):
        """A computed property of an element; None if there is none, as while the page loads."""
        script = """const found = document.querySelector(arguments[0]);
            return found && getComputedStyle(found)[arguments[1]];"""
        return self.driver.execute_script(script, selector, name)

    def box(self, selector):
        """Left, top, right and bottom of an element in the window."""
        script = """const {left, top, right, bottom} = document.querySelector(arguments[0]).getBoundingClientRect();
            return [left, top, right, bottom];"""
        return self.driver.execute_script(script, selector)

    def stored(self, name):
        """What the browser stores under a name."""
        return self.driver.execute_script("return JSON.parse(localStorage.getItem(arguments[0]))", name)

    def run(self, module, body, *arguments):
        """The value of a function's body in JavaScript, with `m` the module and `a` the arguments."""
        url = urljoin(self.url, f"static/js/{module}.js")
        script = f"""const done = arguments[arguments.length - 1], a = JSON.parse(arguments[1]);
            const run = async (m) => {{ {body} }};
            import(arguments[0]).then(run).then(done, (error) => done({{error: `${{error}}`}}));"""
        return self.driver.execute_async_script(script, url, json.dumps(arguments))

    def expect_no_errors(self):
        """The console is empty, but for the icon that the browser looks for where `leave` goes."""
        found = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] != "INFO"]
        assert all("/favicon.ico " in message for message in found), found
