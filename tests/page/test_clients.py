"""The examples of clients: in Node, of `c4mcts serve`, and in a browser, of `c4mcts serve --http`."""

import functools
import json
import os
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from c4mcts import solve

EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENCE = 60  # seconds
SCRIPT = """
const { Client } = await import(process.argv[1]);
const client = new Client(process.argv[2], ["-m", "c4mcts"]);
let reports = 0;
const words = { maxTime: 1, reportDuringSearchEvery: 0.05, overrideSettings: { proofs: false, probes: false } };
const [solved, searched, refused] = await Promise.all([
  client.ask({ action: "solve", position: "445" }),
  client.ask(words, () => { reports += 1; }),
  client.ask({ position: "449" }).catch((error) => error.message),
]);
client.end();
console.log(JSON.stringify({ columns: solved.columns, reports, visits: searched.rootInfo.visits, refused }));
"""


def run(node, *arguments, path=""):
    environment = {**os.environ, "PATH": os.pathsep.join([path, os.environ["PATH"]])}
    call = [node, *map(str, arguments)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=PATIENCE, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_client_in_node(node):
    name = (EXAMPLES / "node_client.mjs").as_uri()
    found = json.loads(run(node, "--input-type=module", "-e", SCRIPT, name, sys.executable))
    assert found["columns"] == list(solve("445").columns)
    assert found["reports"] > 0
    assert found["visits"] > 0
    assert found["refused"] == "character 3: column must be 1 to 7, not 9"


@pytest.mark.skipif(os.name == "nt", reason="the command is a shell script")
def test_the_client_in_node_as_a_command(node, tmp_path):
    command = tmp_path / "c4mcts"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m c4mcts "$@"\n')
    command.chmod(0o700)
    out = run(node, EXAMPLES / "node_client.mjs", "445", "45461667", path=str(tmp_path))
    assert out.splitlines() == ["445: score 2, best columns 3 6", "45461667: score 11, best columns 3 4"]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def site():
    """The address of the folder of examples, on another port than the server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=EXAMPLES)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


@pytest.fixture
def ask(browser, site, started):
    """A function that solves a position in the browser's client, with a server that has these options."""
    from selenium.webdriver.support.ui import WebDriverWait

    def ask(position, *options):
        server = started(sys.executable, "-m", "c4mcts", "serve", "--http", "--port", "0", *options)
        url = server.stdout.readline().split()[2]
        browser.get(f"{site}/browser_client.html?server={url}")
        browser.execute_script(
            "document.forms[0].position.value = arguments[0]; document.forms[0].requestSubmit()", position
        )
        shown = "return document.querySelector('#answer').textContent"
        return WebDriverWait(browser, PATIENCE).until(lambda _: browser.execute_script(shown))

    yield ask
    browser.get("about:blank")
    browser.get_log("browser")  # other tests expect it to be empty


def test_the_client_in_a_browser(ask, site):
    *board, _, scores = ask("445", "--allow-origin", site).splitlines()
    assert board[-1].split() == [".", ".", ".", "x", "x", ".", "."]
    assert board[-2].split()[3] == "o"
    assert [int(score) for score in scores.split()] == list(solve("445").columns)
