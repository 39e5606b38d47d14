"""Outbox: replies on their way from the threads of a session to a socket."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable

from ..protocol.replies import Reply

FULL = 100  # unsent replies from which on no more messages are read
MOST_UNSENT = 1 << 24  # characters of unsent replies: a client that reads so little is given up

Key = tuple[str, int] | int


class Outbox:
    """Unsent replies, in the order in which they are sent.

    A report of a search is replaced by the next one of the same search if it was not sent in time, so that a slow
    client gets fewer reports, and no old ones.
    """

    def __init__(self) -> None:
        """To be called in the event loop that sends."""
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._unsent: dict[Key, str] = {}
        self._count = 0
        self._filled, self._emptied = asyncio.Event(), asyncio.Event()
        self._sender: asyncio.Task[None] | None = None

    def put(self, reply: Reply) -> None:
        """Add a reply; from any thread, never waits. RuntimeError after the end of the event loop.

        BufferError if there are too many that the client has not read; all are dropped then, and `send` ends.
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
        """Send all replies with this function, for ever."""
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
        """Take out the oldest reply."""
        with self._lock:
            return self._unsent.pop(next(iter(self._unsent))) if self._unsent else None
