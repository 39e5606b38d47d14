"""A server and a browser for the tests of the page, started once for all of them; Node."""

import shutil
import subprocess

import pytest
from page import SCREEN, Page, Server, is_ci

OLDEST = (20, 19)  # from there on Node needs no package.json beside a file to see that it is a module
KEEPING = """from c4mcts.cli import main
from c4mcts.http import guard

guard.HEADERS["Cache-Control"] = "max-age=36000"
main()"""
PERMISSIONS = ["clipboardReadWrite", "clipboardSanitizedWrite"]


@pytest.fixture(scope="session")
def server():
    """The address of a server whose files the browser keeps, so that it does not ask for them in each test."""
    found = Server(program=("-c", KEEPING))
    yield found.url
    found.end()


@pytest.fixture
def page(request, browser, server):
    """The page, new, with short searches, the SETTINGS of the module, and else those that it has at first.

    At the end the console must be empty.
    """
    found = Page(browser, server)
    found.store(**getattr(request.module, "SETTINGS", {}))
    browser.get_log("browser")
    browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": PERMISSIONS})
    found.resize(*SCREEN)
    yield found
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    found.expect_no_errors()


@pytest.fixture
def downloads(browser, tmp_path):
    """The folder in which the browser saves files."""
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    yield tmp_path
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "default"})


@pytest.fixture
def accept(browser):
    """A function that sets the languages of the browser, as "de-AT,en"; at the end they are as before."""
    agent = browser.execute_script("return navigator.userAgent")

    def set_languages(languages):
        override = {"userAgent": agent, "acceptLanguage": languages}
        browser.execute_cdp_cmd("Emulation.setUserAgentOverride", override)

    yield set_languages
    set_languages("en")


@pytest.fixture(scope="session")
def node():
    """The path of Node. Without it the tests are skipped, but on CI they fail."""
    path = shutil.which("node")
    version = subprocess.run([path, "--version"], capture_output=True, text=True).stdout if path else "none"
    if path is None or tuple(map(int, version[1:].split(".")[:2])) < OLDEST:
        words = f"needs Node {OLDEST[0]}.{OLDEST[1]} or later; found: {version}"
        (pytest.fail if is_ci() else pytest.skip)(words)
    return path
