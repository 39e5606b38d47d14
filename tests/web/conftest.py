"""A server and a browser for the tests of the page, started once for all of them; and Node."""

import shutil
import subprocess

import pytest
from page import SCREEN, Page, Server, is_ci

OLDEST = (20, 19)  # from there on Node needs no package.json beside a file to see that it is a module
PERMISSIONS = ["clipboardReadWrite", "clipboardSanitizedWrite"]


@pytest.fixture(scope="session")
def server():
    """The address of a server."""
    found = Server()
    yield found.url
    found.end()


@pytest.fixture
def page(browser, server):
    """The page, new, with short searches and else the settings that it has at first.

    At the end the console must be empty.
    """
    found = Page(browser, server)
    found.store()
    browser.get_log("browser")
    browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": PERMISSIONS})
    found.resize(*SCREEN)
    yield found
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    found.expect_no_errors()


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
