"""`c4mcts serve --http` and `--mcp`: the address, defaults, signals. tests/http and tests/adapters test the answers."""

import json
import os
import signal
import sys
import threading
import urllib.error
import urllib.request

import pytest

from c4mcts.protocol.caps import SHARED_CAPS

pytest.importorskip("uvicorn")
pytest.importorskip("mcp")

CHILD = """
import signal, sys
from c4mcts.cli import main
from c4mcts.protocol.jobs import AnalyzeJob

def told(job):
    print("searching", file=sys.stderr, flush=True)
    return run(job)

run, AnalyzeJob.run = AnalyzeJob.run, told
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
"""
COMMAND = [sys.executable, "-c", CHILD, "serve"]
HARD = {"maxTime": 60, "rules": {"width": 20, "height": 14}}
INITIALIZE = {
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
needs_signals = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for a single child")


@pytest.fixture
def server(started_server):
    """A function that starts a server."""
    return lambda *argv: started_server(*COMMAND, *argv)


def address(process):
    """Where a server listens, which it says in its first line."""
    return process.stdout.readline().split()[2]


def post(url, message):
    request = urllib.request.Request(url, json.dumps(message).encode())
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def test_options_are_the_defaults_of_questions(server):
    url = address(server("--http", "--port", "0", "--simulations", "30", "--preset", "uct", "--max-seconds", "5"))
    assert url.startswith("http://127.0.0.1:")
    assert post(f"{url}analyze", {})["rootInfo"]["simulations"] == 30
    limits = post(f"{url}query_version", {})["limits"]
    assert (limits["seconds"], limits["memory"]) == (5, SHARED_CAPS.memory), "that of the page by default"
    with pytest.raises(urllib.error.HTTPError, match="404") as missing:
        urllib.request.urlopen(url, timeout=60)
    missing.value.close()
    with pytest.raises(urllib.error.HTTPError, match="400") as refused:
        post(f"{url}analyze", {"maxTime": 6})
    with refused.value as reply:
        assert json.load(reply)["field"] == "maxTime"


@needs_signals
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_a_signal_ends_a_question_with_what_was_found(server, number, code):
    process = server("--http", "--port", "0")
    url, found = address(process), []
    asking = threading.Thread(target=lambda: found.append(post(f"{url}analyze", HARD)))
    asking.start()
    assert process.stderr.readline() == "searching\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    asking.join()
    assert (process.returncode, out, err) == (code, "", "")
    assert found[0]["rootInfo"]["simulations"] > 0


def test_a_host_that_is_not_there(failed):
    err = failed("serve", "--http", "--host", "nowhere.invalid", status=1)
    assert "can't listen on nowhere.invalid port 7642: " in err


def say(process, **message):
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()


def hear(process):
    return json.loads(process.stdout.readline())["result"]


@pytest.fixture
def assistant(server):
    """A server with an assistant, which has said that it is there."""
    process = server("--mcp", "--simulations", "30")
    process.stdin.write("\N{BYTE ORDER MARK}")  # with which PowerShell begins
    say(process, id=1, **INITIALIZE)
    assert hear(process)["serverInfo"]["name"] == "c4mcts"
    say(process, method="notifications/initialized")
    return process


def test_an_assistant_asks_and_leaves(assistant):
    say(assistant, id=2, method="tools/call", params={"name": "analyze", "arguments": {"moves": [3]}})
    assert hear(assistant)["structuredContent"]["rootInfo"]["simulations"] == 30
    out, err = assistant.communicate(timeout=60)
    assert (assistant.returncode, out, err) == (0, "", "searching\n")


def test_an_assistant_sends_too_much(assistant):
    """It is not obeyed; that it is not kept in memory is tested with lines."""
    call = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "describe"}})
    arguments = ', "arguments": {"moves": [' + "3, " * 10_000_000 + "3]}}}"
    assistant.stdin.write(call[:-2] + arguments + "\n")
    say(assistant, id=3, method="tools/call", params={"name": "describe", "arguments": {"moves": [3]}})
    assert hear(assistant)["structuredContent"]["ply"] == 1
    out, err = assistant.communicate(timeout=60)
    assert (out, err) == ("", "c4mcts serve: a message must have at most 100,000 bytes\n")


@needs_signals
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_a_signal_ends_the_server_of_an_assistant(assistant, number, code):
    """Also in a search, though a thread waits for input."""
    say(assistant, id=2, method="tools/call", params={"name": "analyze", "arguments": {"moves": [], **HARD}})
    assert assistant.stderr.readline() == "searching\n"
    assistant.send_signal(number)
    assert assistant.wait(60) == code
    assert assistant.stderr.read() == ""
