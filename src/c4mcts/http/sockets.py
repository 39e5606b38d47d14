"""A session for each WebSocket: messages of a client in, replies out, also where it reads slowly or not at all."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from ..protocol import Session
from ..protocol.replies import Reply
from .guard import Quota

TRY_LATER = 1013  # a WebSocket close code: https://www.iana.org/assignments/websocket
FULL = 100  # unsent replies: from here on, no more messages are read
MOST_UNSENT = 1 << 24  # characters of unsent replies, after which the client is dropped

Key = tuple[str, int] | int


async def connect(new_session: Callable[[Callable[[Reply], None]], Session], quota: Quota, socket: WebSocket) -> None:
    """Serve a socket until its client is gone. new_session: called with what takes the replies."""
    await socket.accept()
    if quota.locked():
        await socket.close(TRY_LATER, quota.refusal)
        return
    outbox = Outbox()
    async with quota:
        await converse(socket, new_session(outbox.put), outbox)


class Outbox:
    """Replies on their way from the threads of a session to a socket, as JSON, in the order in which they are sent.

    A report that has not been sent yet is replaced by the next one of the same search, so that a slow client gets fewer
    reports, but no outdated ones.
    """

    def __init__(self) -> None:
        """Must be called in the event loop that sends."""
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._unsent: dict[Key, str] = {}
        self._count = 0
        self._filled, self._emptied = asyncio.Event(), asyncio.Event()
        self._sender: asyncio.Task[None] | None = None

    def put(self, reply: Reply) -> None:
        """Add a reply, from any thread, without waiting. RuntimeError after the end of the event loop.

        BufferError if the client has left too much unread; all replies are dropped then, and `send` ends.
        """
        text = json.dumps(reply, allow_nan=False)
        with self._lock:
            self._count += 1
            key: Key = self._count
            if "isDuringSearch" in reply:
                search = (reply["id"], reply["turnNumber"])
                if reply["isDuringSearch"]:
                    key = search
                else:
                    self._unsent.pop(search, None)
            self._unsent[key] = text
            if sum(map(len, self._unsent.values())) > MOST_UNSENT:
                self._unsent.clear()
                if self._sender is not None:
                    self._loop.call_soon_threadsafe(self._sender.cancel)
                raise BufferError("the client does not read its replies")
        self._loop.call_soon_threadsafe(self._filled.set)

    async def send(self, send: Callable[[str], Awaitable[None]]) -> None:
        """Send all replies with this function, forever."""
        self._sender = asyncio.current_task()
        while True:
            await self._filled.wait()
            self._filled.clear()
            while (text := self._next()) is not None:
                await send(text)
            self._emptied.set()

    async def wait_for_space(self) -> None:
        """Return when there is space for the replies to another message."""
        while len(self._unsent) >= FULL:
            self._emptied.clear()
            await self._emptied.wait()

    def _next(self) -> str | None:
        with self._lock:
            return self._unsent.pop(next(iter(self._unsent))) if self._unsent else None


async def converse(socket: WebSocket, session: Session, outbox: Outbox) -> None:
    """Pass the messages of an accepted socket to a session, and the replies in the outbox to the socket.

    Returns when the client is gone or is dropped because it does not read its replies. The session is then closed, and
    its threads and engines end.
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
    """Pass on messages until the client is gone, in a thread, so that none delays other clients."""
    while (message := await socket.receive())["type"] == "websocket.receive":
        text = message.get("text")
        await asyncio.to_thread(session.receive, message["bytes"] if text is None else text)
        await outbox.wait_for_space()
