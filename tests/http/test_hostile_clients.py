"""Clients that leave, read nothing, or open too much, against a real server; and the outbox of a client."""

import asyncio
import json
import os
import signal
import socket
from contextlib import asynccontextmanager, suppress

import pytest

from c4mcts.protocol import Caps, Defaults

pytest.importorskip("uvicorn")
pytest.importorskip("websockets")
from conversation import session_threads
from page import Server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from c4mcts.http import sockets
from c4mcts.http.app import application
from c4mcts.http.server import listen, server_of
from c4mcts.http.sockets import FULL, Outbox

pytestmark = pytest.mark.anyio
HANDSHAKE = (
    b"GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
HARD = (  # a search that ends at its limit
    b"GET /analyze/445?maxTime=60&overrideSettings=%7B%22proofs%22:false,%22probes%22:false%7D HTTP/1.1\r\n"
    b"Host: localhost\r\n\r\n"
)
PATIENCE = 20  # seconds
MANY = 200_000_000  # bytes: more than the buffers of both sides hold
PAGES = 4
LARGE = json.dumps({"id": "a", "action": "describe", "rules": {"width": 64, "height": 64, "connect": 64}}).encode()


@asynccontextmanager
async def serving():
    """A server in this loop: its host and port."""
    with listen("127.0.0.1", 0) as listening:
        server = server_of(application(hosts=[], caps=Caps(waiting=100), defaults=Defaults(), max_sockets=PAGES))
        running = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield listening.getsockname()
        finally:
            server.should_exit = True
            await asyncio.wait_for(running, PATIENCE)


async def opened(place, data):
    """A connection on which some bytes were sent."""
    streams = await asyncio.open_connection(*place)
    streams[1].write(data)
    return streams


async def until(condition):
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


def page(place):
    return connect(f"ws://{place[0]}:{place[1]}/socket", proxy=None, compression=None)


async def is_served(page):
    await page.send(json.dumps({"id": "a", "action": "describe"}))
    return json.loads(await asyncio.wait_for(page.recv(), PATIENCE))["ply"] == 0


async def test_the_search_of_a_client_that_is_gone_ends():
    async with serving() as place, page(place) as other:
        _, writer = await opened(place, HARD)
        await until(lambda: session_threads() == 1)
        writer.close()
        await until(lambda: session_threads() == 0)
        assert await is_served(other)


async def test_a_client_that_leaves_before_its_body_is_no_error(caplog):
    async with serving() as place:
        head = b"POST /solve HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
        reader, writer = await opened(place, head)
        assert b"100" in await asyncio.wait_for(reader.readline(), PATIENCE)  # it waits for the body
        writer.write(b"{")
        writer.close()
        async with page(place) as other:
            assert await is_served(other)
    assert caplog.text == ""


def test_answers_are_sent_without_delay():
    """Nagle's algorithm would hold back what follows the headers until the client has confirmed them, for 40 ms.

    asyncio turns it off for sockets that know that they are of TCP.
    """
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP


async def test_a_page_that_reads_nothing_is_given_up(monkeypatch):
    monkeypatch.setattr(sockets, "MOST_UNSENT", 10_000)
    frames = Frame(Opcode.TEXT, LARGE).serialize(mask=True) * 100
    async with serving() as place, page(place) as other:
        flood, sent = await page(place), 0
        flood.transport.pause_reading()
        while not flood.transport.is_closing():
            assert sent < MANY
            if flood.transport.get_write_buffer_size() < 1 << 20:
                flood.transport.write(frames)
                sent += len(frames)
            await asyncio.sleep(0)
        assert await is_served(other)


def flooded(place):
    """A socket whose server can't send any more, since nobody reads."""
    found = socket.create_connection(place, timeout=PATIENCE)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    found.sendall(HANDSHAKE)
    response = b""
    while not response.endswith(b"\r\n\r\n"):
        response += found.recv(1)
    found.settimeout(0.3)
    with pytest.raises(TimeoutError):
        found.sendall(Frame(Opcode.TEXT, LARGE).serialize(mask=True) * (MANY // len(LARGE)))
    return found


async def test_pages_that_read_nothing_are_freed_when_they_go():
    async with serving() as place:
        pages = [await asyncio.to_thread(flooded, place) for _ in range(PAGES)]
        async with page(place) as there:
            with pytest.raises(ConnectionClosed, match=f"{PAGES} pages are open already"):
                await asyncio.wait_for(there.recv(), PATIENCE)
        for each in pages:
            each.close()
        while True:
            async with page(place) as there:
                with suppress(ConnectionClosed):  # too many are open still
                    assert await is_served(there)
                    return


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM for a single child")
def test_a_signal_ends_a_server_while_a_client_reads_nothing_and_another_waits_for_a_search():
    server = Server()
    host, port = server.url.removeprefix("http://").rstrip("/").split(":")
    with flooded((host, int(port))), socket.create_connection((host, int(port))) as waiting:
        waiting.sendall(HARD)
        server.end()
    assert server.process.returncode == -signal.SIGTERM


def report(name, number, during=True):
    return {"id": name, "turnNumber": 0, "isDuringSearch": during, "number": number}


async def sent_of(outbox, count):
    """The first replies that an outbox sends."""
    sent = []
    done = asyncio.Event()

    async def send(text):
        sent.append(json.loads(text))
        if len(sent) == count:
            done.set()

    task = asyncio.create_task(outbox.send(send))
    await asyncio.wait_for(done.wait(), 20)
    task.cancel()
    return sent


async def test_a_report_gives_way_to_the_next_one():
    outbox = Outbox()
    for number in range(5):
        outbox.put(report("a", number))
        outbox.put(report("b", number))
    outbox.put({"id": "c"})
    outbox.put(report("b", 5, during=False))
    outbox.put(report("b", 6))  # the id is used again
    sent = await sent_of(outbox, 4)
    assert [(reply["id"], reply.get("number")) for reply in sent] == [("a", 4), ("c", None), ("b", 5), ("b", 6)]


async def test_a_full_outbox_has_no_room_until_it_is_sent():
    outbox = Outbox()
    for number in range(FULL):
        outbox.put(report("a", number, during=False))
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(outbox.wait_for_space(), 0.05)
    waiting = asyncio.create_task(outbox.wait_for_space())
    await sent_of(outbox, FULL)
    outbox_is_empty = asyncio.create_task(outbox.send(lambda text: asyncio.sleep(0)))
    await asyncio.wait_for(waiting, 20)
    outbox_is_empty.cancel()
