"""The server of the page: its files and headers, who may connect, sockets and their sessions, hostile clients."""

import asyncio
import json
import re
from contextlib import contextmanager

import pytest
from conversation import wait_for_threads
from schemas import require_valid

from c4mcts.protocol import Caps, Defaults
from c4mcts.search.limits import Limits

pytest.importorskip("starlette")
pytest.importorskip("httpx2")
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from c4mcts.page import STATIC
from c4mcts.page.bundle import FIRST

HOST = "127.0.0.1:8000"
CAPS = Caps(waiting=50, seconds=60.0, memory=1 << 24)


@pytest.fixture
def client(client_of):
    """A function that makes clients of a server."""
    return lambda **changes: client_of(caps=CAPS, defaults=Defaults(limits=Limits(seconds=0.1)), **changes)


@contextmanager
def connected(client, path="/socket", **headers):
    """A conversation on a socket."""
    with client.websocket_connect(path, headers={"host": HOST, **headers}) as socket:
        yield Conversation(socket)


class Conversation:
    """A socket whose replies are checked against the schema."""

    def __init__(self, socket):
        self.socket = socket

    def say(self, **message):
        self.socket.send_text(json.dumps(message))

    def hear(self):
        reply = json.loads(self.socket.receive_text())
        require_valid("reply", reply)
        return reply

    def ask(self, **message):
        """The last reply to a message."""
        self.say(**message)
        while (reply := self.hear()).get("isDuringSearch") or reply.get("id") != message["id"]:
            pass
        return reply


# files and headers


def test_the_page_and_all_it_loads(client):
    """From the page, every file that it names can be had, and none is on another server."""
    found = client()
    seen, todo = set(), ["/"]
    while todo:
        path = todo.pop()
        seen.add(path)
        reply = found.get(path)
        assert reply.status_code == 200, path
        if path.endswith(".js"):
            assert reply.headers["content-type"].startswith("text/javascript")
            names = [f"/static/js/{name}" for name in re.findall(r'^import .*"\./([\w-]+\.js)"', reply.text, re.M)]
        else:
            names = [f"/{name}" for name in re.findall(r'(?:src|href)="(static/[^"]+)"', reply.text)]
        assert not re.search(r"https?://(?!www\.w3\.org/)", reply.text), path  # names of XML namespaces
        todo += [name for name in names if name not in seen]
    assert seen - {"/", "/static/style.css", "/static/icon.svg"} == {
        f"/static/js/{name}" for name in ("page.js", *FIRST)
    }
    texts = [f"/static/texts/{file.name}" for file in STATIC.glob("texts/*")]
    assert {found.get(path).json()["language"] for path in texts} == {"en", "de", "fr", "es"}


def test_headers(client):
    for path in ("/", "/static/style.css", "/nothing"):
        headers = client().get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-cache"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_named_sites_may_show_the_page_in_a_frame(client):
    found = client(frames=["https://one.example", "https://two.example"])
    policy = found.get("/").headers["content-security-policy"]
    assert policy.endswith("frame-ancestors https://one.example https://two.example")


def test_the_script_is_compressed_and_sent_once(client):
    reply = client().get("/static/js/page.js")
    assert reply.headers["content-encoding"] == "gzip"
    again = client().get("/static/js/page.js", headers={"if-none-match": reply.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/app.py", "/static/", "/static/js"])
def test_no_other_files(client, path):
    assert client().get(path).status_code == 404


# who may connect


@pytest.mark.parametrize("host", [HOST, "localhost:8000", "[::1]:8000", "192.168.1.5", "mine.lab:80", "MINE.lab"])
def test_hosts_that_are_answered(client, host):
    found = client(hosts=["mine.lab"])
    assert found.get("/", headers={"host": host}).status_code == 200
    with connected(found, host=host, origin=f"http://{host}") as socket:
        assert socket.ask(id="a", action="query_version")["version"]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "[", "localhost.evil"]
)
def test_other_hosts_are_refused(client, host):
    """A page of evil.example can make that name point to this machine: DNS rebinding."""
    found = client()
    reply = found.get("/", headers={"host": host})
    assert (reply.status_code, "only its own page" in reply.text) == (403, True)
    assert reply.text.endswith("printed.\n") or f"; --allow-host {host.partition(':')[0]} adds this name" in reply.text
    with pytest.raises(WebSocketDisconnect), connected(found, host=host, origin=f"http://{host}"):
        pass


@pytest.mark.parametrize(
    "origin", ["http://evil.example", f"http://{HOST}.evil.example", "null", "http://127.0.0.1:8001", "http://["]
)
def test_other_origins_are_refused(client, origin):
    with pytest.raises(WebSocketDisconnect), connected(client(), origin=origin):
        pass


# sockets


def test_the_caps_hold(client):
    with connected(client()) as socket:
        assert socket.ask(id="a", maxTime=61)["field"] == "maxTime"
        assert socket.ask(id="a", overrideSettings={"max_bytes": 1 << 40})["field"] == "overrideSettings"


def test_too_many_sockets_are_told_so(client):
    found = client(max_sockets=2)
    with connected(found) as one, connected(found) as two:
        with pytest.raises(WebSocketDisconnect) as refused, connected(found) as three:
            three.hear()
        assert (refused.value.code, refused.value.reason) == (
            1013,
            "2 pages are open already: the server's --max-sockets is 2",
        )
        assert one.ask(id="a", maxVisits=10)["id"] == two.ask(id="a", maxVisits=10)["id"]
    wait_for_threads(0)
    with connected(found) as socket:
        assert socket.ask(id="a", maxVisits=10)["rootInfo"]["simulations"] == 10


def test_a_closed_tab_frees_its_engine(client):
    wait_for_threads(0)
    found = client()
    with connected(found) as socket:
        socket.say(id="a", maxTime=60, preset="uct")
        socket.say(id="b", maxTime=60, preset="uct", threads=2)
        assert socket.ask(id="c", action="describe")["ply"] == 0
        wait_for_threads(2)
    wait_for_threads(0)  # usually after 0.1 s


# hostile clients


def test_garbage_gets_one_error_each(client):
    """More of it in tests/protocol."""
    with connected(client()) as socket:
        for text in ("", " ", "foo", "x" * 200_000):
            socket.socket.send_text(text)
            if text.strip():
                assert socket.hear()["error"]
        socket.socket.send_bytes(b"\xff\xfe")
        assert "UTF-8" in socket.hear()["error"]
        socket.socket.send_bytes(b'{"id": "a", "maxVisits": 10}')
        assert socket.hear()["rootInfo"]["simulations"] == 10


def test_a_client_that_sends_and_does_not_listen_is_not_read_for_ever(client):
    """It gets all its replies once it listens."""
    with connected(client()) as socket:
        for number in range(300):
            socket.say(id=f"{number}", action="describe")
        heard = [json.loads(socket.socket.receive_text())["id"] for _ in range(300)]
    assert heard == [f"{number}" for number in range(300)]


# lectures


def test_only_who_has_the_key_speaks_and_late_pages_get_the_last_messages(client_of):
    from c4mcts.http.lecture import MOST, SLOTS, Lectures

    found = client_of(caps=CAPS, defaults=Defaults())

    def send(key, slot, text):
        return found.post(f"/lecture?key={key}&slot={slot}", content=text)

    name = send("ours", 0, "one").text
    assert [send("ours", slot, text).text for slot, text in ((0, "two"), (1, "three"))] == [name, name]
    assert send("theirs", 0, "four").text != name
    assert send("ours", 0, "." * (MOST + 1)).status_code == 413
    assert [send("ours", slot, "").status_code for slot in range(SLOTS + 1)] == [200] * SLOTS + [400]
    headers = {"origin": "https://example.org"}
    assert found.post("/lecture?key=ours&slot=0", content="five", headers=headers).status_code == 403
    lectures = Lectures()
    audience = TestClient(Starlette(routes=lectures.routes()))
    for slot, text in ((0, "one"), (0, "two"), (1, "three")):
        name = audience.post(f"/lecture?key=ours&slot={slot}", content=text).text

    async def first_events():
        reply = await lectures.follow(Request({"type": "http", "path_params": {"name": name}}))
        return [await anext(reply.body_iterator) for _ in range(2)]

    assert asyncio.run(first_events()) == ["data: two\n\n", "data: three\n\n"]


def test_messages_may_be_cut_within_a_character_and_long_links_have_no_code(client_of):
    pytest.importorskip("segno")
    found = client_of(caps=CAPS, defaults=Defaults())
    assert found.post("/lecture?key=ours&slot=0", content=(each for each in (b"\xc3", b"\xb6"))).status_code == 200
    assert [found.get(f"/qr?text={'x' * length}").status_code for length in (500, 501)] == [200, 414]
