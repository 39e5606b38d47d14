"""Outbox: replies on their way from the threads of a session to a socket."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable

from ..protocol.replies import Reply

FULL = 100  # unsent replies from which on no more messages are read

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
        self._ended = False

    def put(self, reply: Reply) -> None:
        """Add a reply; from any thread, never waits. RuntimeError after the end of the event loop."""
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
        self._loop.call_soon_threadsafe(self._filled.set)

    async def send(self, send: Callable[[str], Awaitable[None]]) -> None:
        """Send all replies with this function, until it raises or is cancelled."""
        try:
            while True:
                await self._filled.wait()
                self._filled.clear()
                while (text := self._next()) is not None:
                    await send(text)
                self._emptied.set()
        finally:
            self._ended = True
            self._emptied.set()

    async def has_space(self) -> bool:
        """Wait for space for the replies to another message; False if none are sent any more."""
        while len(self._unsent) >= FULL and not self._ended:
            self._emptied.clear()
            await self._emptied.wait()
        return not self._ended

    def _next(self) -> str | None:
        """Take out the oldest reply."""
        with self._lock:
            return self._unsent.pop(next(iter(self._unsent))) if self._unsent else None
