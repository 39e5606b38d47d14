"""A server and a browser for the tests of the page, started once for all of them; Node; tests that are coroutines."""

import asyncio
import contextlib
import inspect
import shutil
import subprocess

import pytest
from page import SCREEN, Page, Server, is_ci

OLDEST = (20, 19)  # from there on Node needs no package.json beside a file to see that it is a module
KEEPING = """from c4mcts.cli import main
from c4mcts.web import guard

guard.HEADERS["Cache-Control"] = "max-age=36000"
main()"""
PERMISSIONS = ["clipboardReadWrite", "clipboardSanitizedWrite"]


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test that is a coroutine function in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.function):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.function).parameters}
    asyncio.run(asyncio.wait_for(pyfuncitem.function(**arguments), 60))
    return True


@pytest.fixture
def client_of():
    """A function that makes a client of a server with these options, see c4mcts.web.app; they end with the test."""
    from starlette.testclient import TestClient

    from c4mcts.web.app import application

    with contextlib.ExitStack() as stack:

        def client_of(**options):
            app = application(**{"hosts": [], "max_sockets": 4, **options})
            return stack.enter_context(TestClient(app, base_url="http://127.0.0.1:8000"))

        yield client_of


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
