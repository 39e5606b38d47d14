"""One socket: a session of its own, with its threads and engines, which end when the client is gone."""

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from ..protocol import Session
from .outbox import Outbox


async def converse(socket: WebSocket, session: Session, outbox: Outbox) -> None:
    """Pass the messages of an accepted socket to a session, and the replies in the outbox to the socket.

    Returns when the client is gone, or takes no replies, with the session closed.
    """
    sender = asyncio.create_task(outbox.send(socket.send_text))
    reader = asyncio.create_task(read(socket, session, outbox))
    try:
        await asyncio.wait((sender, reader), return_when=asyncio.FIRST_COMPLETED)
    finally:
        session.close(0)  # its threads end by themselves; first, since this task may be cancelled while it waits
        sender.cancel()
        reader.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await sender
        with suppress(asyncio.CancelledError):
            await reader


async def read(socket: WebSocket, session: Session, outbox: Outbox) -> None:
    """Pass on messages until the client is gone; in a thread, so that none holds up other clients."""
    while (data := await next_message(socket)) is not None:
        await asyncio.to_thread(session.receive, data)
        await outbox.wait_for_space()


async def next_message(socket: WebSocket) -> str | bytes | None:
    """The next message; None if the client is gone."""
    message = await socket.receive()
    if message["type"] != "websocket.receive":
        return None
    text: str | None = message.get("text")
    return message["bytes"] if text is None else text
