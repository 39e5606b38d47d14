"""The server: a listening socket, and uvicorn, which answers on it until a signal ends it."""

import asyncio
import logging
import socket
from contextlib import suppress
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from .guard import Connections

LONGEST_MESSAGE = 1 << 20  # bytes; a socket that sends a longer one is closed. Sessions refuse shorter ones, too.
MOST_FRAMES = 1000  # of one message
MOST_PONGS = 1 << 20  # bytes of answers to pings that a client has not read
BACKLOG = 100
CLOSING_SECONDS = 3  # given to connections when the server ends
ANY = ("0.0.0.0", "::", "")  # addresses that stand for all addresses of the machine


def listen(host: str, *ports: int) -> socket.socket:
    """A listening socket, on the first port that is free. OSError if there is no such host, or all ports are taken."""
    found = socket.getaddrinfo(host or None, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    for port in ports[:-1]:
        with suppress(OSError):
            return socket.create_server((address[0], port), family=family, backlog=BACKLOG)
    return socket.create_server((address[0], ports[-1]), family=family, backlog=BACKLOG)


def address_of(listening: socket.socket, host: str) -> str:
    port = listening.getsockname()[1]
    if host in ANY:
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def serve(app: Starlette, listening: socket.socket) -> None:
    """Answer until SIGINT or SIGTERM, which is raised again at the end."""
    logging.basicConfig(format="c4mcts web: %(message)s")
    asyncio.run(server_of(app).serve(sockets=[listening]))


def server_of(app: Starlette) -> uvicorn.Server:
    config = uvicorn.Config(
        app,
        http=HttpProtocol,
        ws=SocketProtocol,
        log_config=None,
        log_level="error",  # warnings are about what clients do
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the client could put any address there
        lifespan="on",
        backlog=BACKLOG,  # also how many connections asyncio accepts before it lets others run
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )
    return uvicorn.Server(config)


class HttpProtocol(H11Protocol):
    """HTTP. A connection waits (see Connections) from its opening, and again from each response."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        # asyncio does this only for sockets that were made with a protocol number; without it, the body of a response
        # waits until the client has confirmed the headers, often for 40 ms
        with suppress(OSError):  # the client is gone already
            transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _connections_of(self).add(self.client, transport)

    def on_response_complete(self) -> None:
        _connections_of(self).wait(self.client)  # first: the next request may be here already
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        _connections_of(self).lost(self.client, self.transport)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        super().shutdown()
        self.config.app.state.questions.end()
        _drop_if_unread(self.transport)


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket. It keeps waiting until there is a session for it (Sockets in app.py)."""

    def connection_lost(self, exc: Exception | None) -> None:
        _connections_of(self).lost(self.client, self.transport)
        super().connection_lost(exc)

    def handle_text(self, event: Frame) -> None:
        self.handle_bytes(event)  # the session says what is not UTF-8; uvicorn would print a traceback

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < MOST_FRAMES:
            super().handle_cont(event)
        else:
            self.transport.abort()

    def handle_ping(self) -> None:
        if self.transport.get_write_buffer_size() > MOST_PONGS:
            self.transport.abort()
        if not self.transport.is_closing():
            super().handle_ping()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        _drop_if_unread(self.transport)

    def shutdown(self) -> None:
        super().shutdown()
        _drop_if_unread(self.transport)


def _connections_of(protocol: Any) -> Connections:
    found: Connections = protocol.config.app.state.connections
    return found


def _drop_if_unread(transport: asyncio.Transport) -> None:
    """End a connection that is being closed, but would wait for its client to read everything."""
    if transport.get_write_buffer_size():
        transport.abort()
