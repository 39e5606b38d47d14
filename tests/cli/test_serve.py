"""`c4mcts serve`: lines in, lines out; what no message can break is in tests/protocol."""

import io
import json
import os
import select
import signal
import sys
import threading
from contextlib import suppress

import pytest
from polling import until
from schemas import SCHEMAS, require_valid

from c4mcts.cli import main

COMMAND = [sys.executable, "-m", "c4mcts", "serve"]


@pytest.fixture
def serve(capsys, monkeypatch):
    """A function that runs `c4mcts serve` on some input; returns exit code, replies and stderr."""

    def serve(data, *argv):
        data = data if isinstance(data, bytes) else "".join(f"{json.dumps(line)}\n" for line in data).encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
        status = main(["serve", *map(str, argv)])
        out, err = capsys.readouterr()
        replies = [json.loads(line) for line in out.splitlines()]
        for reply in replies:
            require_valid("reply", reply)
        return status, replies, err

    return serve


@pytest.fixture
def server(started_server):
    """A function that starts a server."""
    return lambda *argv: started_server(*COMMAND, *argv)


def say(process, **query):
    process.stdin.write(json.dumps(query) + "\n")
    process.stdin.flush()


def hear(process):
    return json.loads(process.stdout.readline())


def test_the_schemas_are_printed_with_the_limits_of_the_server(capsys):
    assert main(["serve", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == {name: SCHEMAS[f"{name}.json"] for name in ("query", "reply")}
    assert main(["serve", "--schema", "--max-seconds", "5"]) == 0
    solving = json.loads(capsys.readouterr().out)["query"]["$defs"]["solve"]
    assert solving["properties"]["maxTime"]["maximum"] == 5


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks_of_windows(serve, encoding):
    lines = "".join(f'{{"id": "{name}", "moves": [3], "maxVisits": 2}}\r\n' for name in "ab")
    status, replies, _ = serve(lines.encode(encoding))
    assert (status, sorted(reply["id"] for reply in replies)) == (0, ["a", "b"])
    assert not any("error" in reply for reply in replies)


def test_broken_lines_and_good_ones(serve):
    lines = [
        b'{"id": "first", "maxVisits": 5}', b"", b"foo", b"\xff\x00\x80", b"x" * 1_000_000, b"[" * 90_000, b"   \r",
        b'{"id": "last", "maxVisits": 5}',
    ]  # fmt: skip
    status, replies, err = serve(b"\n".join(lines))
    assert (status, err) == (0, "")
    assert sum("error" in reply for reply in replies) == 4
    assert {reply["id"] for reply in replies if "id" in reply} == {"first", "last"}, "the last line has no end"


def test_options_are_the_defaults(serve):
    asked = [{"id": "a"}, {"id": "b", "maxVisits": 7}, {"id": "c", "maxTime": 86_401}]
    _, replies, _ = serve(asked, "--simulations", 30, "--preset", "uct")
    simulations = {reply["id"]: reply["rootInfo"]["simulations"] for reply in replies if "rootInfo" in reply}
    assert simulations == {"a": 30, "b": 7}
    assert [reply["id"] for reply in replies if "at most 86400" in reply.get("error", "")] == ["c"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for a single child")
def test_control_c_ends_all_queries_with_what_they_have(server):
    process = server()
    say(process, id="a", maxTime=60, reportDuringSearchEvery=0.05)
    say(process, id="waiting", maxTime=60)
    say(process, id="v", action="query_version")
    heard = {hear(process)["id"], hear(process)["id"]}
    while heard != {"a", "v"}:  # then it has read all lines, and searches
        heard.add(hear(process)["id"])
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    last = [reply for line in out.splitlines() if not (reply := json.loads(line))["isDuringSearch"]]
    assert sorted((reply["id"], reply.get("noResults", False)) for reply in last) == [("a", False), ("waiting", True)]
    assert (process.returncode, err) == (130, "")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs the memory of a process")
def test_an_endless_line_takes_no_memory(server):
    process = server()
    say(process, id="v", action="query_version")
    hear(process)

    def resident():
        with open(f"/proc/{process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before = resident()
    for _ in range(50):
        process.stdin.write("[" * 1_000_000)
    assert "100,000 bytes" in hear(process)["error"]
    assert resident() - before < 10_000_000
    process.stdin.write("\n")
    say(process, id="w", action="query_version")
    assert hear(process)["id"] == "w"


def test_a_flood_of_lines_from_many_replies(server):
    """The server answers while its client writes; neither waits for the other for ever."""
    process = server("--workers", "2")
    count = 500

    def write():
        for number in range(count):
            say(process, id=f"{number}", maxVisits=2) if number % 3 else process.stdin.write("broken\n")
        process.stdin.close()

    writer = threading.Thread(target=write)
    writer.start()
    replies = [json.loads(line) for line in process.stdout]
    writer.join()
    assert len(replies) == count
    assert process.wait(60) == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for a single child")
def test_a_signal_ends_a_server_whose_client_takes_no_replies(server):
    process = server("--workers", "2")

    def flood():
        with suppress(OSError):
            for number in range(10_000):
                say(process, id=f"{number}", action="describe", rules={"width": 64, "height": 64})

    writer = threading.Thread(target=flood)
    writer.start()
    assert select.select([process.stdout], [], [], 20)[0]
    until(lambda: not select.select([], [process.stdin], [], 0)[1])  # it reads no more
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    writer.join()
