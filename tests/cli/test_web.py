"""`c4mcts web`: the address, signals, what can't be served; the server itself is tested in tests/http."""

import json
import os
import signal
import socket
import sys
import urllib.error
import urllib.request
import webbrowser
from contextlib import suppress
from queue import SimpleQueue

import pytest

from c4mcts.cli import main

pytest.importorskip("uvicorn")
pytest.importorskip("websockets")
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect as connect_socket

COMMAND = [sys.executable, "-m", "c4mcts", "web", "--no-browser"]


@pytest.fixture
def server(started_server):
    """A function that starts a server; returns the process and its address."""

    def server(*argv):
        process = started_server(*COMMAND, *argv)
        return process, process.stdout.readline().split()[2]

    return server


def connect(url, path="socket"):
    return connect_socket(f"{url}{path}".replace("http", "ws"), origin=url.rstrip("/"), proxy=None)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for a single child")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_a_signal_ends_all(server, number, code):
    """Also a search that has still a minute, and one on a socket whose client does not listen."""
    process, url = server()
    assert urllib.request.urlopen(url, timeout=60).status == 200
    with connect(url) as one, connect(url) as other:
        one.send(json.dumps({"id": "a", "maxTime": 60, "reportDuringSearchEvery": 0.05, "preset": "uct"}))
        other.send(json.dumps({"id": "a", "maxTime": 60, "reportDuringSearchEvery": 0.01, "preset": "uct"}))
        assert json.loads(one.recv(timeout=60))["isDuringSearch"]
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (code, "", "")


def test_it_answers_at_names_that_are_allowed(server):
    _, url = server("--allow-host", "lab.local", "--allow-host", "proxy.lab")
    for name in ("lab.local:80", "proxy.lab"):
        request = urllib.request.Request(url, headers={"Host": name})
        assert urllib.request.urlopen(request, timeout=60).status == 200
    with pytest.raises(urllib.error.HTTPError, match="403") as refused:
        urllib.request.urlopen(urllib.request.Request(url, headers={"Host": "other.lab"}), timeout=60)
    refused.value.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for a single child")
def test_what_no_client_can_do_is_no_news(server):
    """Neither sockets elsewhere, nor messages that are too long, nor clients that vanish leave a word or a trace."""
    process, url = server("--max-sockets", "2")
    for _ in range(3):
        with connect(url) as one:
            with suppress(ConnectionClosed):  # perhaps before all is sent
                one.send("x" * 2_000_000)
            with pytest.raises(ConnectionClosed):
                one.recv(timeout=60)
    for path in ("static/style.css", ""):
        with pytest.raises(InvalidStatus, match="403"), connect(url, path):
            pass
    with connect(url) as vanished:
        vanished.send(json.dumps({"id": "a", "maxTime": 60, "reportDuringSearchEvery": 0.01, "preset": "uct"}))
        vanished.socket.shutdown(socket.SHUT_RDWR)
    with connect(url) as one:
        one.send(json.dumps({"id": "a", "maxVisits": 10}))
        assert json.loads(one.recv(timeout=60))["rootInfo"]["simulations"] == 10
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60) == ("", "")


def test_the_browser_is_opened(monkeypatch, capsys):
    opened = SimpleQueue()
    monkeypatch.setattr(webbrowser, "open", opened.put)
    monkeypatch.setattr("c4mcts.http.server.serve", lambda app, listening: None)
    assert main(["web", "--no-browser"]) == main(["web"]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert opened.get(timeout=60) in last
    assert opened.empty()


def test_a_port_that_is_taken(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["web", "--no-browser", "--port", f"{port}"]) == 1
    assert capsys.readouterr().err.startswith(f"c4mcts web: error: can't listen on 127.0.0.1 port {port}: ")
