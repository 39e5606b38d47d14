"""One socket: a session of its own, with its threads and engines, which end when the client is gone."""

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from ..protocol import Session
from .outbox import Outbox


async def converse(socket: WebSocket, session: Session, outbox: Outbox) -> None:
    """Pass the messages of an accepted socket to a session, and the replies in the outbox to the socket.

    Returns when the client is gone, with the session closed. Messages are read in a thread, so that none holds up
    other clients, however long it takes.
    """
    sender = asyncio.create_task(outbox.send(socket.send_text))
    try:
        while await outbox.has_space() and (data := await next_message(socket)) is not None:
            await asyncio.to_thread(session.receive, data)
    finally:
        session.close(0)  # its threads end by themselves; first, since this task may be cancelled while it waits
        sender.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await sender


async def next_message(socket: WebSocket) -> str | bytes | None:
    """The next message; None if the client is gone."""
    message = await socket.receive()
    if message["type"] != "websocket.receive":
        return None
    text: str | None = message.get("text")
    return message["bytes"] if text is None else text
