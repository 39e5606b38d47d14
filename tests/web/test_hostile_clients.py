"""Clients that finish nothing, read nothing, or open too much, against a real server: they end, the others stay."""

import asyncio
import json
import os
import signal
import socket
import sys
import threading
import urllib.request
from contextlib import asynccontextmanager, suppress

import pytest

from c4mcts.protocol import Caps, Defaults

pytest.importorskip("uvicorn")
pytest.importorskip("websockets")
from page import Server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from c4mcts.web import WORKERS
from c4mcts.web import app as web_app
from c4mcts.web.app import application
from c4mcts.web.guard import Connections, network_of
from c4mcts.web.server import listen, server_of

HALF_OPEN = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
HANDSHAKE = (
    b"GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
PATIENCE = 20  # seconds
MANY = 200_000_000  # bytes: more than the buffers of both sides hold


@asynccontextmanager
async def serving(**limits):
    """A server in this loop: its host and port. limits: of its connections."""
    app = application(hosts=[], caps=Caps(waiting=100), defaults=Defaults(), max_sockets=4)
    app.state.connections = Connections(**limits)
    with listen("127.0.0.1", 0) as listening:
        place = listening.getsockname()
        server = server_of(app)
        running = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield place
        finally:
            server.should_exit = True
            await asyncio.wait_for(running, PATIENCE)


async def opened(place, data=b"", source=None):
    """A connection on which some bytes were sent."""
    streams = await asyncio.open_connection(*place, local_addr=source and (source, 0))
    streams[1].write(data)
    return streams


async def answer(place, source=None):
    """The first line of the answer to a request for the page."""
    reader, writer = await opened(place, b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", source)
    line = await asyncio.wait_for(reader.readline(), PATIENCE)
    writer.close()
    return line


HARD = (  # a search that ends at its limit
    b"GET /analyze/445?maxTime=60&overrideSettings=%7B%22proofs%22:false,%22probes%22:false%7D HTTP/1.1\r\n"
    b"Host: localhost\r\n\r\n"
)


def session_threads():
    """The workers of all sessions: one of a question, WORKERS of a page."""
    return sum(thread.name == "c4mcts-session" for thread in threading.enumerate())


async def until(condition):
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def ends(streams):
    """Wait until the server closes a connection; what it sent before."""
    found = b""
    try:
        while data := await asyncio.wait_for(streams[0].read(1 << 16), PATIENCE):
            found += data
    except ConnectionError:
        pass
    streams[1].close()
    return found


async def floods(transport, data):
    """Send some bytes again and again until the server closes the connection."""
    sent = 0
    while not transport.is_closing():
        assert sent < MANY
        if transport.get_write_buffer_size() < 1 << 20:
            transport.write(data)
            sent += len(data)
        await asyncio.sleep(0)


def page(place, **options):
    return connect(f"ws://{place[0]}:{place[1]}/socket", proxy=None, compression=None, **options)


async def asked(page, **message):
    """The reply to a message."""
    await page.send(json.dumps(message))
    return json.loads(await asyncio.wait_for(page.recv(), PATIENCE))


# connections


async def test_half_open_requests_do_not_keep_others_out():
    async with serving(most=20, most_of_one=10) as place, page(place) as first:
        attack = [await opened(place, HALF_OPEN) for _ in range(50)]
        assert await answer(place) == b"HTTP/1.1 200 OK\r\n"
        async with page(place) as later:
            for each in (first, later):
                assert (await asked(each, id="a", action="describe"))["ply"] == 0
        for streams in attack[:40]:
            assert await ends(streams) == b""
        for _, writer in attack[40:]:
            writer.close()


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has one loopback address")
async def test_open_pages_of_one_address_leave_room_for_another():
    async with serving() as place:
        attack = [await page(place, local_addr=("127.0.0.2", 0)) for _ in range(4)]
        with pytest.raises(ConnectionClosed, match="3 pages are open already at your address"):
            await asyncio.wait_for(attack[3].recv(), PATIENCE)
        async with page(place) as other:
            assert (await asked(other, id="a", action="describe"))["ply"] == 0
        for each in attack:
            await each.close()


async def test_what_a_client_says_of_its_own_address_moves_no_limit():
    async with serving() as place:
        forged = [{"X-Forwarded-For": f"10.0.0.{number}"} for number in range(4)]
        attack = [await page(place, additional_headers=headers) for headers in forged]
        with pytest.raises(ConnectionClosed, match="3 pages are open already at your address"):
            await asyncio.wait_for(attack[3].recv(), PATIENCE)
        for each in attack:
            await each.close()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        HALF_OPEN,
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx",
        b"GET /static/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3 + HALF_OPEN,
    ],
)
async def test_a_request_must_be_complete_in_time(data):
    async with serving(seconds=0.5) as place, page(place) as there:
        await ends(await opened(place, data))
        assert (await asked(there, id="a", action="describe"))["ply"] == 0  # a page may stay open


async def test_a_response_must_be_read_in_time():
    """Requests one after the other whose responses are not read."""
    async with serving(seconds=0.5) as place:
        _, writer = await opened(place)
        writer.transport.pause_reading()
        await floods(writer.transport, b"GET /static/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n")


async def test_the_search_of_a_client_that_is_gone_ends():
    async with serving() as place, page(place) as other:
        _, writer = await opened(place, HARD)
        await until(lambda: session_threads() == WORKERS + 1)
        writer.close()
        await until(lambda: session_threads() == WORKERS)
        assert (await asked(other, id="a", action="describe"))["ply"] == 0


async def test_a_question_may_take_longer_than_a_request():
    async with serving(seconds=0.5) as place:
        reader, writer = await opened(place, HARD.replace(b"maxTime=60", b"maxTime=1"))
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        writer.close()


async def test_answers_are_sent_without_delay(monkeypatch):
    """Nagle's algorithm would hold back what follows the headers until the client has confirmed them, for 40 ms."""
    seen = []

    class Watched(Connections):
        def add(self, client, transport):
            seen.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            super().add(client, transport)

    monkeypatch.setitem(globals(), "Connections", Watched)
    async with serving() as place:
        await answer(place)
    assert seen
    assert all(seen)


async def test_pages_that_are_refused_do_not_stay():
    """They may not answer that they were closed."""
    async with serving(most_of_one=2) as place:
        attack = [await opened(place, HANDSHAKE) for _ in range(10)]
        heads = [await asyncio.wait_for(streams[0].readuntil(b"\r\n\r\n"), PATIENCE) for streams in attack[:3]]
        assert all(head.startswith(b"HTTP/1.1 101") for head in heads)
        for streams in attack[3:8]:
            await ends(streams)
        for _, writer in attack:
            writer.close()


class Transport:
    """A transport that notes whether it is aborted."""

    is_open = True

    def abort(self):
        self.is_open = False


async def test_which_connection_is_closed():
    connections = Connections(most=5, most_of_one=3)
    transports = {}

    def add(address, port):
        transports[address, port] = Transport()
        connections.add((address, port), transports[address, port])

    for port in range(3):
        add("10.0.0.1", port)
    connections.keep(("10.0.0.1", 0))
    connections.wait(("10.0.0.1", 1))  # again, and so it is the youngest
    add("10.0.0.1", 3)
    add("10.0.0.1", 4)
    assert [port for (_, port), each in transports.items() if not each.is_open] == [2]
    add("10.0.0.2", 5)
    add("10.0.0.3", 6)
    add("10.0.0.4", 7)
    assert [port for (_, port), each in transports.items() if not each.is_open] == [1, 2]
    connections.lost(("10.0.0.4", 7), Transport())  # an older one from the same port
    connections.remove(("10.0.0.4", 7))
    assert not transports["10.0.0.4", 7].is_open
    gone = Transport()
    connections.add(None, gone)
    assert not gone.is_open


def test_addresses_of_one_network():
    assert network_of("10.0.0.1") == network_of("::ffff:10.0.0.1") == "10.0.0.1"
    assert network_of("2001:db8:1:2:3::4") == network_of("2001:db8:1:2::") != network_of("2001:db8:1:3::")
    assert network_of("fe80::1%eth0") == network_of("fe80::2%eth0")
    assert network_of("testclient") == "testclient"


# sockets


@pytest.mark.parametrize(
    "frames",
    [
        Frame(Opcode.PING, b"x" * 125).serialize(mask=True) * 500,
        Frame(Opcode.TEXT, b"{", fin=False).serialize(mask=True)
        + Frame(Opcode.CONT, b"", fin=False).serialize(mask=True) * 10_000,
    ],
    ids=["pings that nobody reads", "a message without an end"],
)
async def test_a_flood_ends_its_socket(frames):
    async with serving() as place, page(place) as other:
        flood = await page(place)
        flood.transport.pause_reading()
        await floods(flood.transport, frames)
        assert (await asked(other, id="a", action="describe"))["ply"] == 0


async def test_a_page_that_reads_nothing_is_given_up(monkeypatch):
    monkeypatch.setattr(web_app, "MOST_UNSENT", 10_000)
    text = json.dumps({"id": "a", "action": "describe", "rules": {"width": 64, "height": 64}}).encode()
    async with serving(seconds=0.5) as place, page(place) as other:
        flood = await page(place)
        flood.transport.pause_reading()
        await floods(flood.transport, Frame(Opcode.TEXT, text).serialize(mask=True) * 100)
        assert (await asked(other, id="a", action="describe"))["ply"] == 0


async def test_text_that_is_not_utf_8_gets_an_error():
    async with serving() as place, page(place) as there:
        there.transport.write(Frame(Opcode.TEXT, b"\xff").serialize(mask=True))
        assert "UTF-8" in json.loads(await asyncio.wait_for(there.recv(), PATIENCE))["error"]
        assert (await asked(there, id="a", action="describe"))["ply"] == 0


def flooded(place):
    """A socket whose server can't send any more, since nobody reads."""
    found = socket.create_connection(place, timeout=PATIENCE)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    found.sendall(HANDSHAKE)
    response = b""
    while not response.endswith(b"\r\n\r\n"):
        response += found.recv(1)
    found.settimeout(0.3)
    rules = {"width": 64, "height": 64, "connect": 64}
    text = json.dumps({"id": "a", "action": "describe", "rules": rules}).encode()
    with pytest.raises(TimeoutError):
        found.sendall(Frame(Opcode.TEXT, text).serialize(mask=True) * (MANY // len(text)))
    return found


async def test_a_page_that_reads_nothing_is_freed_when_it_goes():
    async with serving() as place:
        for _ in range(3):  # as many as one address may have
            (await asyncio.to_thread(flooded, place)).close()
        while True:
            async with page(place) as there:
                with suppress(ConnectionClosed):  # too many are open
                    assert (await asked(there, id="a", action="describe"))["ply"] == 0
                    return


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM for a single child")
def test_a_signal_ends_a_server_quietly_while_clients_read_nothing(tmp_path):
    with (tmp_path / "errors").open("w+") as errors:
        server = Server(stderr=errors)
        host, port = server.url.removeprefix("http://").rstrip("/").split(":")
        with flooded((host, int(port))), socket.create_connection((host, int(port))) as half_open:
            half_open.sendall(HALF_OPEN)
            assert urllib.request.urlopen(server.url, timeout=PATIENCE).status == 200
            server.end()
        errors.seek(0)
        assert (server.process.returncode, errors.read()) == (-signal.SIGTERM, "")


# logs


async def test_a_client_that_leaves_before_its_body_is_no_error(caplog):
    async with serving() as place:
        _, writer = await opened(place, b"POST /solve HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
        await answer(place)
        writer.close()
        await answer(place)
    assert caplog.text == ""
