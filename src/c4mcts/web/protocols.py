"""Protocols: those of uvicorn, which end clients that finish nothing, or read nothing."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from .limits import Connections

MOST_UNSENT = 1 << 20  # bytes of answers to pings that a client has not read
MOST_FRAMES = 1000  # of one message


class HttpProtocol(H11Protocol):
    """HTTP. The connection waits (see Connections) from its opening, and again from each response."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        connections_of(self).add(self.client, transport)

    def on_response_complete(self) -> None:
        connections_of(self).wait(self.client)  # first: the next request may be here already
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        connections_of(self).lost(self.client, self.transport)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        super().shutdown()
        drop_if_unread(self.transport)


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket. It goes on waiting until there is a session for it: see app.py."""

    def connection_lost(self, exc: Exception | None) -> None:
        connections_of(self).lost(self.client, self.transport)
        super().connection_lost(exc)

    def handle_text(self, event: Frame) -> None:
        self.handle_bytes(event)  # the session says what is not UTF-8; uvicorn would print a traceback

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < MOST_FRAMES:
            super().handle_cont(event)
        else:
            self.transport.abort()

    def handle_ping(self) -> None:
        if self.transport.get_write_buffer_size() > MOST_UNSENT:
            self.transport.abort()
        if not self.transport.is_closing():
            super().handle_ping()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        drop_if_unread(self.transport)

    def shutdown(self) -> None:
        super().shutdown()
        drop_if_unread(self.transport)


def connections_of(protocol: Any) -> Connections:
    """The connections of the server of a protocol."""
    found: Connections = protocol.config.app.state.connections
    return found


def drop_if_unread(transport: asyncio.Transport) -> None:
    """End a connection that is being closed, but would wait until its client has read all."""
    if transport.get_write_buffer_size():
        transport.abort()
